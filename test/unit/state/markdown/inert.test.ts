import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { corpora } from '../../../fakes/corpora.ts';
import {
  containedDocuments,
  fencedLists,
  generatedDocuments,
  generatedLinks,
  hostileLinks,
} from '../../../fakes/hostileLinks.ts';
import { editorHovers, editorLinks, leadsOut, previewLinks } from '../../../fakes/markdownLinks.ts';
import { MarkdownServer, markdownServers } from '../../../fakes/markdownServer.ts';
import * as embed from '../../../../src/state/markdown/embed.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { inertJson, inertingMarkdown } from '../../../../src/state/markdown/inert.ts';

const embeddedMarkdown = (...given: Parameters<typeof embed.embeddedMarkdown>) =>
  withoutPause(embed.embeddedMarkdown(...given));
const inertMarkdown = (text: string) => withoutPause(inertingMarkdown(text));
const fencedText = (...given: Parameters<typeof embed.fencedText>) => withoutPause(embed.fencedText(...given));
const standaloneMarkdown = (...given: Parameters<typeof embed.standaloneMarkdown>) =>
  withoutPause(embed.standaloneMarkdown(...given));

/** A document with a text as the front matter's title, as a message, and as output. */
const documentOf = (text: string): string =>
  [
    `---\ntitle: ${inertJson(text)}\n---`,
    embeddedMarkdown(text),
    fencedText(text, text),
    embeddedMarkdown(text),
    'The end of [the document](https://example.test/).',
  ].join('\n\n');

async function expectInert(text: string): Promise<void> {
  for (const markdown of [inertMarkdown(documentOf(text)), inertMarkdown(standaloneMarkdown(text))]) {
    const links = await editorLinks(markdown);
    expect(
      links.filter((target) => !leadsOut(target)),
      markdown,
    ).toEqual([]);
    expect(await editorHovers(markdown), markdown).toEqual([]);
    expect(previewLinks(markdown), markdown).toEqual([]);
    expect(inertMarkdown(markdown), 'the text stays the same').toBe(markdown);
  }
}

describe('a document', () => {
  it('acts without this function, so that these tests can fail', async () => {
    let live = 0;
    for (const text of hostileLinks) {
      const found = [...(await editorLinks(text)), ...previewLinks(text)].filter((target) => !leadsOut(target));
      if (found.length > 0) live++;
    }
    expect(live).toBeGreaterThan(hostileLinks.length * 0.7);
    expect(await editorLinks('[a](command:x)')).toEqual(['command:x']);
    expect(await editorHovers('[a](https://example.test/b.png)')).toHaveLength(1);
  });

  it('has no link but to web pages and mail addresses, and a preview of it loads and draws nothing', async () => {
    for (const text of hostileLinks) await expectInert(text);
  });

  it.each(['<https://x.testfile://>', '[a](https://x.test/file://b)', '```fil{e}://x\n```', '~~~ js {file://x}\n~~~'])(
    'has no link to a file in another address: %s',
    expectInert,
  );

  it.each(['b](https://x.test)', '\\[b](https://x.test)', '![b](https://x.test)', '[a] b](https://x.test)'])(
    'has no link in a code block whose label ends behind it: %s',
    (text) => expectInert(`\`\`\`\n[#![a](command:x)"\n\`\`\`\n\n${text}`),
  );

  it.each([
    // The list ends the first block at the third fence, so that what follows is text.
    '- ```js\n  a\n  ```\n  [a](command:x) ![b](https://x.test/b.png)\n  ```',
    '- a\n\n    ```js\n    b\n  ```\n  [a](command:x)\n  ```',
    '- ```js\n\n  ```\n\n   ```mermaid\n   b\n   ```',
    // The item ends the block at a fence that wouldn't end it outside a list.
    '- a\n  ```\n    ```\n    [a](command:x)\n  ```\n\n  ```\n  b\n  ```',
    '1. a\n   ~~~\n      ~~~\n   ![b](https://x.test/b.png)\n   ~~~',
    '- a\n\n  ```js\n  \t````\n\n  [a](command:x)\n  ```',
    // A byte order mark isn't blank, so it ends the list.
    '- a\n  ```\n\ufeff\n  ```\n```\n[a](command:x)\n```',
    '- a\n  [a](command:x)\n  ```\n\u00a0\n  ```',
    '- a\n  ~~~\n  [a](command:x)\n\f\n  ~~~',
  ])('has no code block where a fence closes that of a list: %s', expectInert);

  it('keeps a link to a web page whose label contains brackets', () => {
    for (const text of ['[[a] b](https://x.test)', '[a] [b](https://x.test)', '[a][[b] [c]](mailto:d@e.test)']) {
      expect(inertMarkdown(text)).toBe(text);
    }
  });

  const list = '<li>'.repeat(12);
  const behind = 'The quick brown fox jumps over the lazy dog. '.repeat(2);

  it.each([
    `\`\`\`\n<a href=command:x>${list}href="y">\n\`\`\`\n\n${behind}`,
    `\`\`\`\n<A\n href = "command:x">${list}href="y">\n\`\`\`\n\n${behind}`,
    `\`\`\`js <video src=command:x>\n${list}src='y'>\n\`\`\`\n\n${behind}`,
    `a <a href=command:x>${list}\n\n\`\`\`\nhref="y">\n\`\`\`\n\n${behind}`,
  ])('has no link whose address another tag in a code block places elsewhere: %s', expectInert);

  it.each([
    `a <${'b'.repeat(42)} style="background:url(https://x.test/c.png)">`,
    `a <${'b'.repeat(61)}:c>`,
    'https://x.test/(<)c<img src=https://x.test/d.png>',
    'https://x.test/"<"<img src=https://x.test/d.png>',
    'https://x.test/\ufeff<img src=https://x.test/d.png>',
    '[a](https://x.test/b.png/)',
    '<https://x.test/b.png//>',
    'a <mailto:b@c.png>',
    'a _ftp://x.test',
    'a\n      ```b /{/x.test',
    'a //\\//x.test',
    '//\ufeffx.test',
  ])('is inert with %s', expectInert);

  it('stays inert for combinations of the signs of links', async () => {
    await fc.assert(fc.asyncProperty(generatedLinks, expectInert), { numRuns: 4_000 });
  });

  it('stays inert for generated code blocks between parts of links and tags', async () => {
    await fc.assert(fc.asyncProperty(generatedDocuments, expectInert), {
      numRuns: Number(process.env['DOCUMENTS'] ?? 2_000),
    });
  });

  it('stays inert for generated quotes and lists with lazy continuations', async () => {
    await fc.assert(fc.asyncProperty(containedDocuments, expectInert), {
      numRuns: Number(process.env['DOCUMENTS'] ?? 2_000),
    });
  });

  it('stays inert for generated fences in and after lists and quotes', async () => {
    await fc.assert(fc.asyncProperty(fencedLists, expectInert), { numRuns: Number(process.env['DOCUMENTS'] ?? 2_000) });
  });

  it.each(Object.entries(corpora))('stays inert with the texts of %s', async (_, texts) => {
    for (const text of texts) await expectInert(text);
  });
});

describe('any Markdown, also if a secret of a document was removed after it was written', () => {
  /** Leaves out blocks that begin with a tag without attributes, such as `<br>`. */
  const acting = (targets: readonly string[]) => targets.filter((target) => !/^html_block\s+<\/?\w+>/.test(target));
  const expectInertText = async (text: string) => {
    const markdown = inertMarkdown(text);
    expect(
      (await editorLinks(markdown)).filter((target) => !leadsOut(target)),
      markdown,
    ).toEqual([]);
    expect(await editorHovers(markdown), markdown).toEqual([]);
    expect(acting(previewLinks(markdown)), markdown).toEqual([]);
    expect(inertMarkdown(markdown)).toBe(markdown);
  };

  it.each([
    // The third fence closes the block that the first one opens.
    '  ``` js\n    ~~`\n[a]: b\n```\n[c](command:x)\n\n```\nd\n```',
    ' ~~~\n a\n~~~\n![b](c)\n~~~\n[d](command:e)',
    'a\r[b]: command:c\r\r[b]',
    'a\r```js\r```\r[b](command:c)',
    '```\r\n```\r[a](command:b)',
  ])('stays inert: %j', expectInertText);

  it('stays inert for generated documents', async () => {
    const documents = fc.oneof(generatedLinks, generatedDocuments, containedDocuments, fencedLists);
    await fc.assert(fc.asyncProperty(documents, expectInertText), { numRuns: 1_000 });
  });
});

/** These tests are skipped if the end-to-end tests have downloaded no server to this computer. */
describe.skipIf(Object.keys(markdownServers).length === 0)("in VS Code's own server for Markdown, a document", () => {
  it.each(Object.entries(markdownServers))('has only links that lead out, and no hovers: %s', async (_, path) => {
    const server = await MarkdownServer.start(path);
    try {
      expect((await server.linksAndHovers('[a](command:x)')).links).toEqual(['command:x']);
      expect((await server.linksAndHovers('[a](https://x.test/b.png)')).hovers).toHaveLength(1);
      const expectNone = async (text: string) => {
        const markdown = inertMarkdown(documentOf(text));
        const { links, hovers } = await server.linksAndHovers(markdown);
        expect(
          links.filter((target) => !leadsOut(target)),
          markdown,
        ).toEqual([]);
        expect(hovers, markdown).toEqual([]);
      };
      for (const text of hostileLinks) await expectNone(text);
      for (const texts of Object.values(corpora)) await expectNone(texts.join('\n\n'));
      const documents = fc.oneof(generatedLinks, generatedDocuments, containedDocuments, fencedLists);
      await fc.assert(fc.asyncProperty(documents, expectNone), { numRuns: 300 });
    } finally {
      server.stop();
    }
  });
});

describe('a line of more than 64,000 characters', () => {
  const inLines = hostileLinks.map((text) => text.replaceAll(/\s*\n\s*/g, ' '));
  const parts = Array.from({ length: 8 }, (_, part) => inLines.filter((__, place) => place % 8 === part).join(' '));
  const filler = 'word '.repeat(30_000);

  it.each(parts.map((part) => ({ part })))('acts nowhere (%#)', async ({ part }) => {
    const line = `${filler}${part}`;
    expect((await editorLinks(line)).filter((target) => !leadsOut(target))).not.toEqual([]);
    for (const text of [line, `> - ${part} ${filler}`, `\`\`\`${part} ${filler}`, `~~~ ${line}\n${line}\n~~~`]) {
      await expectInert(text);
    }
  });

  it('has a backslash or a space where a link would begin, wherever it is read in pieces', () => {
    for (const [text, inert] of [
      ['[a](https://x.test) https://y.test', '[a]\\(https://x.test) https://y.test'],
      ['![a] ftp://b file://c //d', '!\\[a] ftp:/\\\\/b file:\\//c /\\\\/d'],
      [' <https://x.test> <placeholder="e"', ' < https://x.test> < placeholder\\="e"'],
      ['[a]: b ```c ~~~d :::e', '[a]\\: b \\```c \\~~~d \\:::e'],
    ] as const) {
      for (let length = 71_950; length < 72_010; length++) {
        const before = '.'.repeat(length);
        expect(inertMarkdown(before + text)).toBe(before + inert);
        expect(inertMarkdown(before + inert)).toBe(before + inert);
      }
    }
  });

  it('has so many characters even without those that are added or removed', () => {
    const link = '[a](mailto:b@c.d) ';
    const added = ' text \\ {} '.repeat(20_000);
    const line = (count: number) => `${added}${'.'.repeat(count - link.replaceAll(/[\st]/g, '').length)}${link}`;
    expect(inertMarkdown(line(64_000))).toBe(line(64_000));
    expect(inertMarkdown(line(64_001))).toBe(line(64_001).replace('](', ']\\('));
  });

  it('is read with pauses', () => {
    const pauses = [...inertingMarkdown('.'.repeat(80_000))].length;
    expect(pauses).toBeGreaterThanOrEqual(28);
    expect(pauses).toBeLessThanOrEqual(32);
  });

  it('keeps its text in a code block, whose language is shown as text', () => {
    const before = '.'.repeat(80_000);
    expect(inertMarkdown(`\`\`\`js {${before}}\n${before}[a](b) file://c\n\`\`\``)).toBe(
      `\`\`\`text js ${before}\n${before}[a](b) file:\\//c\n\`\`\``,
    );
  });
});

describe('the text of a document', () => {
  it('keeps links to web pages and mail addresses', async () => {
    const text = '[a](https://x.test/b_(c)?d=%20#e) [b](mailto:c@d.test) <https://x.test> <d@e.test> https://f.test';
    expect(inertMarkdown(text)).toBe(text);
    expect(await editorLinks(text)).toHaveLength(3);
  });

  it('has a backslash where a link would begin', () => {
    for (const [text, shown] of [
      ['[a](command:x)', '[a]\\(command:x)'],
      ['[a](src/a.ts#L2)', '[a]\\(src/a.ts#L2)'],
      ['[a](https://x.test/a.png)', '[a]\\(https://x.test/a.png)'],
      ['![a](https://x.test)', '!\\[a]\\(https://x.test)'],
      ['b](https://x.test)', 'b]\\(https://x.test)'],
      ['> [a]: https://x.test', '> [a]\\: https://x.test'],
      ['[a\nb]: x', '[a\nb]\\: x'],
      ['<command:x>', '\\<command:x>'],
      ['\\\\<command:x>', '\\\\\\<command:x>'],
      ['a <img src="b">', 'a \\<img src\\="b">'],
      ['href="b"', 'href\\="b"'],
      ['see file:///etc/passwd', 'see file:\\///etc/passwd'],
      ['see ftp://x.test', 'see ftp:/\\\\/x.test'],
      ['see //x.test', 'see /\\\\/x.test'],
      // Previews of VS Code 1.110 look for addresses after they have read escapes and character references.
      ['see /\\/x.test', 'see /\\\\\\/x.test'],
      ['see &#47;/x.test', 'see &\\#47;/x.test'],
      ['a@b.test//x.test', 'a@b.test/\\\\/x.test'],
      ['a <div>b</div>', 'a \\<div>b\\</div>'],
      ['a <!-- b -->', 'a \\<!-- b -->'],
      ['a <y> <command:x>', 'a <y> \\<command:x>'],
      ['[a](mailto:b@c.png)', '[a]\\(mailto:b@c.png)'],
      ['see https://x.test<div>', 'see https://x.test \\<div>'],
      ['> ::: mermaid', '> \\::: mermaid'],
      ['```mermaid\na\n```', '```text mermaid\na\n```'],
      ['```js {run}\na\n```', '```js run\na\n```'],
    ] as const) {
      expect(inertMarkdown(text)).toBe(shown);
    }
  });

  it('stays as it is where nothing can act', () => {
    for (const text of [
      'let a: Array<string> = b[0]; c < d && e > f',
      'a <b>bold</b> word, H<sub>2</sub>O, and a<br>line',
      'dict[0]: 1, [x] done, [1] and [a][b]',
      '[a](https://x.test/a.pngx) [b](https://x.test/b?c=d.png) [e](https://x.png.test/#f.png)',
      'a:: b, https://x.test, a.b@c.test, 10:30',
      '```ts\n[a](command:x) ![b](c) <img src="d"> [e]: f\n```',
      '  ~~~ sh\n  [a](b)\n  ~~~',
      '  ~~~ sh <div>\n  [a](b)\n  ~~~',
      '```html\n<a href="b" c>d</a> <video src="e"> <img src={f} /> <A c={d} href=\'b\'>\n```',
      '$$\nx\n$$ and `code`',
    ]) {
      expect(inertMarkdown(text)).toBe(text);
    }
  });
});

it('front matter is JSON, and nothing in it acts', () => {
  for (const text of hostileLinks) expect(JSON.parse(inertJson([text]))).toEqual([text]);
  expect(inertJson('[a](b) <c> ![d]: file://')).toBe('"[a]\\u0028b) \\u003cc> !\\u005bd]\\u003a file:\\u002f/"');
});
