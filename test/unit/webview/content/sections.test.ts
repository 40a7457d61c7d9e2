import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { divide } from '../../../../src/webview/content/sections.ts';

const paragraph = 'A sentence that goes on for a while and then stops.\n\n';

describe('divide', () => {
  it('keeps text of usual length in one section', () => {
    expect(divide(paragraph)).toEqual([{ text: paragraph, isFormatted: true }]);
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

  it('never splits a code fence', () => {
    const fence = `\`\`\`ts\n${'const a = 1;\n\n'.repeat(1_500)}\`\`\`\n\n`;
    const sections = divide(paragraph.repeat(300) + fence + paragraph.repeat(300));
    expect(sections.length).toBeGreaterThan(1);
    expect(
      sections.filter((section) => section.text.includes('```')).map(({ text }) => text.match(/```/g)?.length),
    ).toEqual([2]);
  });

  it('leaves only the indivisible part unformatted', () => {
    const sections = divide(paragraph.repeat(400) + 'x'.repeat(400_000) + '\n\n' + paragraph.repeat(400));
    expect(sections[0]?.isFormatted).toBe(true);
    expect(sections.at(-1)?.isFormatted).toBe(true);
    expect(sections.some((section) => !section.isFormatted)).toBe(true);
    expect(Math.max(...sections.map((section) => section.text.length))).toBeLessThanOrEqual(24_001);
  });
});
