import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutPlain, divide } from '../../../../src/webview/content/sections.ts';

const paragraph = 'A sentence that goes on for a while and then stops.\n\n';

describe('divide', () => {
  it('keeps text of usual length in one section', () => {
    expect(divide(paragraph)).toEqual([{ text: paragraph, isFormatted: true }]);
  });

  it('counts the lines of text that begins with a line break', () => {
    const sections = divide(`\n${'ab\n'.repeat(1_400)}`);
    expect(sections.map(({ isFormatted }) => isFormatted)).toEqual([true, false]);
  });

  it('neither loses nor adds text', () => {
    const lines = fc.array(
      fc.constantFrom('', 'text', '    code', '```', '- item', 'x'.repeat(9_000), '😀'.repeat(9_001)),
      {
        minLength: 10,
        maxLength: 120,
      },
    );
    fc.assert(
      fc.property(lines, (parts) => {
        const text = parts.join('\n');
        expect(
          divide(text)
            .map((section) => section.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  it("doesn't format tables whose short rows would be filled up with thousands of cells", () => {
    const table = (columns: number, rows: number) =>
      `> ${'|a'.repeat(columns)}|\n> ${'|-'.repeat(columns)}|\n${'> |\n'.repeat(rows)}`;
    expect(divide(table(50, 50))).toEqual([{ text: table(50, 50), isFormatted: true }]);
    expect(divide(table(60, 60)).map(({ isFormatted }) => isFormatted)).toEqual([false]);
    expect(divide(table(43, 62)).map(({ isFormatted }) => isFormatted)).toEqual([true]);
    expect(divide(table(3, 889)).map(({ isFormatted }) => isFormatted)).toEqual([false]);
    const apart = `${table(5, 400)}\n${'a\n'.repeat(300)}`;
    expect(divide(apart)).toEqual([{ text: apart, isFormatted: true }]);
    for (const line of ['a |-|-|-|', '|-|-|-| a']) {
      const text = `${line}\n${'a\n'.repeat(1_300)}`;
      expect(divide(text)).toEqual([{ text, isFormatted: true }]);
    }
  });

  it("doesn't format tables whose rows have thousands of additional cells", () => {
    const table = (rows: number) => `| a |\n|---|\n${`${'|b'.repeat(50)}|\n`.repeat(rows)}`;
    expect(divide(table(50))).toEqual([{ text: table(50), isFormatted: true }]);
    const rule = table(60).replace(/^.*\n.*$/m, '---');
    expect(divide(rule)).toEqual([{ text: rule, isFormatted: true }]);
    const wide = `| a |\n|${'-'.repeat(60)}|\n${'| b |\n'.repeat(60)}`;
    expect(divide(wide)).toEqual([{ text: wide, isFormatted: true }]);
    expect(divide(table(60)).map(({ isFormatted }) => isFormatted)).toEqual([false]);
    const large = `| a |\n|---|\n${`${'|b'.repeat(127)}|\n`.repeat(21)}`;
    expect(divide(large).map(({ isFormatted }) => isFormatted)).toEqual([false]);
  });

  it('finds the end of a large fence of Markdown that contains fences', () => {
    const inner = `# a\n\`\`\`bash\nb\n\`\`\`\n${'text\n\n'.repeat(2_000)}`;
    const [first, second, ...more] = divide(`\`\`\`markdown\n${inner}\`\`\`\nafter\n`);
    expect(first?.fence).toEqual({ code: inner.slice(0, -1), info: 'markdown' });
    expect(second).toEqual({ text: 'after\n', isFormatted: true });
    expect(more).toEqual([]);
  });

  it('never splits a code fence', () => {
    const fence = `\`\`\`ts\n${'const a = 1;\n\n'.repeat(1_500)}\`\`\`\n\n`;
    const sections = divide(paragraph.repeat(300) + fence + paragraph.repeat(300));
    expect(sections.length).toBeGreaterThan(1);
    expect(
      sections.filter((section) => section.text.includes('```')).map(({ text }) => text.match(/```/g)?.length),
    ).toEqual([2]);
  });

  it.each([
    ['tildes', '~~~', '~~~'],
    ['indentation', '   ```', '   ```'],
    ['a longer end', '```ts', '`````'],
    ['a shorter fence inside', '`````', '`````', '```\n\nb\n'],
    ['another kind of fence inside', '~~~', '~~~', '```\n\nb\n'],
    ['something after the fence inside', '```', '```', '``` ts\n\nb\n'],
    ['a deeper indented fence inside', '```', '```', '    ```\n\nb\n'],
  ])('never splits a code fence with %s', (_what, start, end, inside = '') => {
    const fence = `${start}\n${inside}${'a\n\n'.repeat(500)}${end}\n\n`;
    const sections = divide(paragraph.repeat(320) + fence + paragraph.repeat(320));
    expect(sections.filter(({ text }) => text.includes(fence))).toHaveLength(1);
    expect(sections.every(({ isFormatted }) => isFormatted)).toBe(true);
  });

  it.each([
    ['a code fence', `\`\`\`text\n${'a log line\n\n'.repeat(3_000)}\`\`\`\n`],
    ['a fence of Markdown', `~~~md\n${'text\n\n~~~ts\nx\n~~~\n'.repeat(900)}~~~\n`],
  ])('reads %s with Windows line breaks as with others', (_, code) => {
    const text = `Intro\n\n${code}\nAfter **it**.\n`;
    const unix = divide(text);
    expect(unix.filter(({ fence }) => fence !== undefined)).toHaveLength(1);
    const windows = divide(text.replaceAll('\n', '\r\n'));
    expect(windows.map((section) => ({ ...section, text: section.text.replaceAll('\r\n', '\n') }))).toEqual(unix);
  });

  it('cuts text after a line that begins with code in three backticks', () => {
    const fence = `\`\`\`ts\n${'const a = 1;\n\n'.repeat(100)}\`\`\`\n\n`;
    for (const line of ['```a``` is code', '   ```a b```', '````a`', 'a ```']) {
      const sections = divide(`${line}\n\n${paragraph.repeat(500)}${fence}${paragraph.repeat(500)}`);
      expect([line, sections.filter(({ isFormatted }) => !isFormatted)]).toEqual([line, []]);
      expect(sections.filter(({ text }) => text.includes(fence))).toHaveLength(1);
    }
    const tildes = `~~~ \`a\`\n${'a\n\n'.repeat(500)}~~~\n\n`;
    const sections = divide(paragraph.repeat(320) + tildes + paragraph.repeat(320));
    expect(sections.filter(({ text }) => text.includes(tildes))).toHaveLength(1);
  });

  it('cuts before a line that follows a blank line and is not indented', () => {
    for (let length = 1; length < 50; length += 1) {
      const item = `- item\n\n  more ${'a'.repeat(length)}\nand more\n\n`;
      const sections = divide(item.repeat(500));
      expect(sections.length).toBeGreaterThan(1);
      expect(sections.map(({ text }) => text.replaceAll(item, '')).join('')).toBe('');
    }
  });

  it('counts each line as 16 characters', () => {
    expect(divide('x'.repeat(24_000 - 16))).toMatchObject([{ isFormatted: true }]);
    expect(divide('x'.repeat(24_000 - 15))).toMatchObject([{ isFormatted: false }]);
    const of = (weight: number) => `${'x'.repeat(weight - 2 - 3 * 16)}\n\n`;
    const weights = (text: string) => divide(text).map((section) => section.text.length + 48);
    expect(weights(of(10_000) + of(14_000) + of(1_000))).toEqual([24_000 - 48, 1_000]);
    expect(weights(of(10_000) + of(14_001) + of(1_000))).toEqual([10_000, 14_001 + 1_000 - 48]);
    expect(weights((of(10_000) + of(14_000)).repeat(2))).toEqual([24_000 - 48, 24_000 - 48]);
  });

  it("doesn't cut a paragraph, even if lines in it or before it contain three backticks", () => {
    for (const line of ['```a``` b\n', 'b ```a\n']) {
      expect(divide(line.repeat(1_200)).some(({ isFormatted }) => isFormatted)).toBe(false);
    }
    const fence = '```\na\n```\n';
    const formatted = divide(fence + 'b\n'.repeat(1_400)).filter(({ isFormatted }) => isFormatted);
    expect(formatted).toEqual([{ text: fence, isFormatted: true }]);
  });

  it('cuts text that begins with a blank line', () => {
    const sections = divide(`\n${paragraph.repeat(600)}`);
    expect(sections.every(({ isFormatted }) => isFormatted)).toBe(true);
    expect(sections.length).toBeGreaterThan(1);
  });

  it('keeps a long code fence one code block, also after a paragraph or list and without an end', () => {
    const code = Array.from({ length: 2_000 }, (_, line) => `const a${line} = 1;`).join('\n');
    const fencesIn = (text: string) => divide(text).flatMap(({ fence }) => fence ?? []);
    for (const before of ['', 'As asked:\n', '- an item\n', '> quoted\n', `${paragraph.repeat(600)}Text\n`]) {
      expect(fencesIn(`${before}\`\`\`\`ts title\n${code}\n\`\`\`\`\nMore text.`)).toEqual([
        { code, info: 'ts title' },
      ]);
      expect(fencesIn(`${before}~~~\n${code}`)).toEqual([{ code, info: '' }]);
    }
    const sections = divide(`\`\`\`\n${code}\n\`\`\`\n    indented\n`);
    expect(sections.at(-1)?.text).toBe('    indented\n');
    expect(fencesIn(`- item\n  \`\`\`\n${code.replaceAll(/^/gm, '  ')}\n  \`\`\`\n`)).toEqual([]);
  });

  it('leaves only the indivisible part unformatted', () => {
    const sections = divide(paragraph.repeat(400) + 'x'.repeat(400_000) + '\n\n' + paragraph.repeat(400));
    expect(sections[0]?.isFormatted).toBe(true);
    expect(sections.at(-1)?.isFormatted).toBe(true);
    expect(sections.some((section) => !section.isFormatted)).toBe(true);
    expect(Math.max(...sections.map((section) => section.text.length))).toBeLessThanOrEqual(24_001);
  });
});

describe('a cut in plain text', () => {
  const cutAt = (text: string) => cutPlain(text)[0]?.length;
  const line = (length: number) => `${'x'.repeat(length - 1)}\n`;

  it('is at the end of a line, if that does not make the piece too short', () => {
    const pieces = cutPlain(line(100).repeat(1_000));
    expect(pieces.join('')).toBe(line(100).repeat(1_000));
    for (const piece of pieces) expect(piece.length % 100).toBe(0);
    expect(cutAt(line(24_001) + 'x'.repeat(30_000))).toBe(24_001);
    expect(cutAt(line(24_002) + 'x'.repeat(30_000))).toBe(24_000);
    expect(cutAt(line(12_002) + 'x'.repeat(30_000))).toBe(12_002);
    expect(cutAt(line(12_001) + 'x'.repeat(30_000))).toBe(24_000);
  });

  it('is not inside a surrogate pair', () => {
    for (const pair of ['\ud800\udc00', '\ud800\udfff']) {
      expect(cutAt(`${'x'.repeat(23_999)}${pair.repeat(3_000)}`)).toBe(24_001);
      expect(cutAt(`${'x'.repeat(24_000)}${pair.repeat(3_000)}`)).toBe(24_000);
    }
    expect(cutAt(`${'x'.repeat(24_000)}${'\ue000'.repeat(3_000)}`)).toBe(24_000);
  });

  it('is not needed in short text', () => {
    expect(cutPlain('x'.repeat(24_000))).toHaveLength(1);
    expect(cutPlain('x'.repeat(24_001))).toHaveLength(2);
    expect(cutPlain(`${'x'.repeat(20_000)}\nx`)).toHaveLength(1);
    expect(cutPlain(`${'x'.repeat(23_998)}\nx`)).toHaveLength(1);
    expect(cutPlain('')).toEqual([]);
  });
});
