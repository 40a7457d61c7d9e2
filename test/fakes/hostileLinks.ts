/**
 * Links in Markdown, HTML, and plain text that lead elsewhere than to a web page or a mail address, or that load
 * something.
 */
import fc from 'fast-check';

const targets = [
  'command:workbench.action.terminal.sendSequence?%5B%7B%22text%22%3A%22id%22%7D%5D',
  'COMMAND:workbench.action.quit',
  'command:linesideProbe.canary',
  'command&colon;workbench.action.quit',
  '&#99;ommand:workbench.action.quit',
  '&#x63;ommand:workbench.action.quit',
  'com\\mand:workbench.action.quit',
  'file:///etc/passwd',
  'file://server/share/x',
  'FILE:///etc/passwd',
  '\\\\server\\share\\x',
  '//server/share',
  'vscode://lineside.lineside/open?session=x',
  'vscode-insiders://lineside.lineside/open',
  'vscode-remote://x/y',
  'data:text/html,<script>x</script>',
  'data:image/svg+xml;base64,PHN2Zy8+',
  'javascript:alert(1)',
  'ftp://example.test/x',
  'ms-settings:x',
  '/etc/passwd',
  '../../.ssh/id_rsa',
  'package.json#L1',
  '#fragment',
  'C:\\Windows\\win.ini',
  'https:/example.test',
  'http:\\\\example.test',
  'https&#58;//example.test',
  'https://example.test/picture.png',
  'https://example.test/picture%2Epng?x',
  'https://example.test/pictur%65.p%6Eg#x',
];

/** Ways to write a link or another reference to a target. Most labels are `a`. */
const forms: readonly ((target: string) => string)[] = [
  (target) => `[a](${target})`,
  (target) => `[a]( ${target} "title")`,
  (target) => `[a](<${target}>)`,
  (target) => `[a](<${target}> 'title')`,
  (target) => `[a](\n${target})`,
  (target) => `[a](\t${target}\n)`,
  (target) => `[a\nb](${target})`,
  (target) => `[[a]](${target})`,
  (target) => `\\[[a](${target})`,
  (target) => `\\\\[a](${target})`,
  (target) => `[a\\](b](${target})`,
  (target) => `[![a](https://example.test/x)](${target})`,
  (target) => `![a](${target})`,
  (target) => `![a][b]\n\n[b]: ${target}`,
  (target) => `[a][b]\n\n[b]: ${target}`,
  (target) => `[a][b]\n\n[b]:\n  ${target}`,
  (target) => `[a][b]\n\n  [b]: <${target}> "title"`,
  (target) => `> [a]\n\n> [a]: ${target}`,
  (target) => `- [a][]\n- [a]: ${target}`,
  (target) => `[a b]\n\n[a\nb]: ${target}`,
  (target) => `[a\\[]\n\n[a\\[]: ${target}`,
  (target) => `[^1] and\n\n[^1]: ${target}`,
  (target) => `<${target}>`,
  (target) => `\\\\<${target}>`,
  (target) => `<a href="${target}">a</a>`,
  (target) => `\\<a href='${target}'>a</a>`,
  (target) => `<a\nhref="${target}">a</a>`,
  (target) => `<A HREF="${target}">a</A>`,
  (target) => `text <img src="${target}"> text`,
  (target) => `<video src="${target}" placeholder="${target}"></video>`,
  (target) => `<source src="${target}">`,
  (target) => `<svg><image href="${target}"/></svg>`,
  (target) => `\`<a href="${target}">\` and \`[a](${target})\``,
  (target) => `\`\`\`html\n<a\n\`\`\`\nhref="${target}">`,
  (target) => `\`\`\`\n[a\n\`\`\`\n](${target})`,
  (target) => `\`\`\`\n[![a](${target})\n\`\`\`\n[b](https://example.test/x)`,
  (target) => `\`\`\`\n[![a](${target})\n\`\`\`\n\nb](https://example.test/x)`,
  (target) => `[a\n![b](${target})](https://example.test/x)`,
  (target) => `# [a](${target})`,
  (target) => `| a |\n| - |\n| [a](${target}) |`,
  (target) => `    [a](${target})`,
  (target) => `---\ntitle: "[a](${target})"\n---`,
  (target) => `$$[a](${target})$$`,
  (target) => `*[a](${target})*_[a]_(${target})`,
  (target) => `see ${target} there`,
  (target) => `\`\`\`\n${target}\n\`\`\``,
  (target) => `\`\`\`mermaid\ngraph TD\n  A --> B\n  click A href "${target}"\n\`\`\``,
  (target) => `~~~ x-mermaid\ngraph TD\n  A@{ img: "${target}" }\n~~~`,
  (target) => `::: mermaid\ngraph TD\n  A["<img src='${target}'>"]\n:::`,
];

/** Each form with each target. */
export const hostileLinks: readonly string[] = forms.flatMap((form) => targets.map((target) => form(target)));

const signs = [
  ...Array.from('[]()<>!:\\`"\'#&*_|~$ \n\t'),
  '](',
  ']:',
  '![',
  '<a ',
  'href="',
  'file://',
  'command:x',
  'https://x.test',
];
const sign = fc.constantFrom(
  ...signs,
  '```',
  '\n\n',
  '\n> ',
  '\n- ',
  '\n    ',
  '::: mermaid\n',
  '---\n',
  'é',
  'a',
  '\r',
  '\0',
);

/** Texts that consist of hostile links and of the characters that links are made of. */
export const generatedLinks: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...hostileLinks),
      fc.array(sign, { maxLength: 12 }).map((parts) => parts.join('')),
    ),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .chain((parts) => fc.constantFrom('\n\n', '\n', ' ', '').map((between) => parts.join(between)));

/** Targets and addresses that VS Code's editor and previews read in different ways. */
const oddTargets = [
  'command:x',
  'FILE://x',
  '/\\/x.test',
  '\\//x.test',
  '_ftp://x.test',
  'ftp\\://x.test',
  '&#47;/x.test',
  'https://x.test/a.png/',
  'https://x.test/a.%70ng//',
  'https://x.test/(<)',
  'https://x.test/"<"',
  'mailto:a@b.png',
  'a@b.png//x.test',
  'www.x.test',
  'x://y.test',
] as const;

const fence = fc.constantFrom('```', '~~~', '````', '   ```', '> ```', '- ```', '    ```', '1. ~~~');

/** A code block, sometimes in a list or quote, and sometimes without an end. */
const codeBlock = (content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      fence,
      fc.constantFrom('', 'js', 'html', 'mermaid', 'js {x}', 'a|b'),
      content,
      fc.integer({ max: 5, min: 0 }),
    )
    .map(([start, info, text, end]) => {
      const indentation = /^\s*/.exec(start)?.[0] ?? '';
      const lines = [`${start}${info}`, ...text.split('\n').map((line) => indentation + line)];
      return ['', ...lines, ...(end === 0 ? [] : [start.replace(/[>\-\d.]/g, ' ')]), ''].join('\n');
    });

const piece = fc.oneof(
  sign,
  fc.constantFrom('~~~', '````', '\n```\n', '\n  ```', '\n   ', '\n1. ', '\r\n', '\u2028', '\ufeff', '//', '/', '.'),
  fc.constantFrom(
    '<a\thref = "',
    '<A\n',
    '<a href=',
    '<video\nplaceholder="',
    '<img src=',
    'src=',
    ' href=y ',
    '<!--',
    '-->',
  ),
  fc.constantFrom(
    '<li>'.repeat(12),
    '</zzzzzzz>'.repeat(6),
    'The quick brown fox. '.repeat(5),
    '<pre>',
    '<?',
    '<![CDATA[',
  ),
  fc.constantFrom(
    `<${'a'.repeat(45)} style="x">`,
    `<${'b'.repeat(62)}:x>`,
    '[a\nb]: ',
    '[^1]',
    '[[a]]',
    '[a][b]',
    '\\$',
  ),
  fc.tuple(fc.constantFrom(...forms), fc.constantFrom(...oddTargets)).map(([form, target]) => form(target)),
  fc.constantFrom(...oddTargets),
);
const pieces = fc.array(piece, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));

const containerMark = fc.constantFrom(
  '> ',
  '>',
  '- ',
  '1. ',
  '* ',
  '  ',
  '   ',
  '    ',
  '\t',
  '>\t',
  '- > ',
  '> - ',
  '- [ ] ',
);

/** Lines in quotes and lists. Some lines begin with another marker, or with none (lazy continuation). */
export const containedDocuments: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.oneof(pieces, codeBlock(pieces)), { minLength: 1, maxLength: 4 }),
    fc.array(fc.option(containerMark), { minLength: 1, maxLength: 6 }),
    fc.constantFrom('\n', '\n', '\r\n', '\r', '\n\n'),
  )
  .map(([parts, marks, between]) => {
    const lines = parts.join('\n').split('\n');
    return lines.map((line, index) => `${marks[index % marks.length] ?? ''}${line}`).join(between);
  });

const listStart = fc.constantFrom(
  '- a',
  '1. a',
  '10) a',
  '-   a',
  '- - a',
  '-',
  '+\ta',
  '> a',
  '> - a',
  '- ```',
  '> ```',
);
/** Lines that look blank, but contain text in CommonMark. */
const spaces = ['\ufeff', '\u00a0', '\u2003', '\f', '\v', '\u2028'];
const fenceOrLink = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('```', '```', '~~~', '````') },
  { weight: 2, arbitrary: fc.constant('[a](command:x)') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '', 'a', '- a', '> a', '1. a', '# a', '---', '$$', '```js', '~~~ a', '<a>'),
  },
);
const fencedLine = fc.tuple(fc.constantFrom('', '', '', ' ', '  ', '\t'), fenceOrLink).map((parts) => parts.join(''));

/** Lists and quotes with fences and links at all indentations. */
export const fencedLists: fc.Arbitrary<string> = fc
  .tuple(
    listStart,
    fc.constantFrom('  ', '   ', '    ', '\t', ' ', ''),
    fc.array(fc.oneof({ weight: 9, arbitrary: fencedLine }, { weight: 1, arbitrary: fc.constantFrom(...spaces) }), {
      minLength: 2,
      maxLength: 8,
    }),
  )
  .map(([start, before, lines]) => {
    const indented = lines.map((line) => (spaces.includes(line) ? line : `${before}${line}`.replace(/[ \t]+$/, '')));
    return [start, ...indented].join('\n');
  });

/** Documents that consist of code blocks, some of them in lists or quotes, and of text with parts of links and tags. */
export const generatedDocuments: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 2, arbitrary: pieces }, { weight: 1, arbitrary: codeBlock(pieces) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join('\n'));
