import { describe, expect, it } from 'vitest';
import { makeMarkdownParser } from '../../../../src/webview/markdown/markdownParser.ts';

const parser = makeMarkdownParser();

/** The blocks in a text: the language and content of code, and the content of others. */
function blocksIn(text: string): string[] {
  return parser
    .parse(text, {})
    .flatMap(({ type, info, content }) =>
      type === 'fence' ? [`[${info.trim()}] ${content}`] : type === 'inline' ? [content] : [],
    );
}
const lines = (...all: string[]) => all.join('\n');

describe('a fence of Markdown', () => {
  it.each([
    [
      lines('```markdown', '# a', '```bash', 'b', '```', 'c', '```', 'd'),
      ['[markdown] # a\n```bash\nb\n```\nc\n', 'd'],
    ],
    [lines('~~~md', '~~~js', 'a', '~~~', '~~~', 'b'), ['[md] ~~~js\na\n~~~\n', 'b']],
    [lines('```md', '```md', '```js', 'a', '```', '```', '```', 'b'), ['[md] ```md\n```js\na\n```\n```\n', 'b']],
    [lines('````md', '```js', 'a', '```', '````', 'b'), ['[md] ```js\na\n```\n', 'b']],
    [lines('```md', '````js', 'a', '```', '````', '```', 'b'), ['[md] ````js\na\n```\n````\n', 'b']],
    [lines('- ```md', '  ```js', '  a', '  ```', '  ```', '', 'b'), ['[md] ```js\na\n```\n', 'b']],
    [lines('> ```md', '> ```js', '> a', '> ```', '> ```', 'b'), ['[md] ```js\na\n```\n', 'b']],
    [lines('```md', 'a', '```', '```js', 'b', '```'), ['[md] a\n', '[js] b\n']],
    [lines('```MARKDOWN title', '```js', 'a', '```', '```'), ['[MARKDOWN title] ```js\na\n```\n']],
    [lines('a', '', '```md', '```js', 'b', '```', '```', 'c'), ['a', '[md] ```js\nb\n```\n', 'c']],
    [
      lines('```md', '```js', 'a', '```', '```', 'b', '```md', '```js', 'c', '```', '```', 'd'),
      ['[md] ```js\na\n```\n', 'b', '[md] ```js\nc\n```\n', 'd'],
    ],
    [
      lines('- ```md', '  ```js', '  a', '  ```', '  ```', '- ```md', '  ```js', '  b', '  ```', '  ```'),
      ['[md] ```js\na\n```\n', '[md] ```js\nb\n```\n'],
    ],
  ])('can contain fences of the same length: %j', (text, expected) => expect(blocksIn(text)).toEqual(expected));

  it.each([
    [lines('```md', '~~~', 'a', '~~~', '```js', 'b', '```', '```', 'c'), ['[md] ~~~\na\n~~~\n```js\nb\n```\n', 'c']],
    [lines('```md', '```a``` is', '```js', 'b', '```', '```', 'c'), ['[md] ```a``` is\n```js\nb\n```\n', 'c']],
    [lines('```md', '```js', 'a ```', '```', '```', 'b'), ['[md] ```js\na ```\n```\n', 'b']],
    [lines('~~~md', '~~~js `a`', 'b', '~~~', '~~~', 'c'), ['[md] ~~~js `a`\nb\n~~~\n', 'c']],
  ])('can contain other lines with backticks or tildes: %j', (text, expected) => {
    expect(blocksIn(text)).toEqual(expected);
  });

  it.each([
    ['a fence is missing', lines('```md', '```js', 'a', '```', 'b'), ['[md] ```js\na\n', 'b']],
    [
      'the missing one is the first of another block',
      lines('```md', '```js', 'a', '```', 'b', '```', 'c', '```'),
      ['[md] ```js\na\n', 'b', '[] c\n'],
    ],
    ['it is not of Markdown', lines('```html', '```js', 'a', '```', '```'), ['[html] ```js\na\n', '[] ']],
    [
      'the inner one is not of Markdown',
      lines('```md', '```js', '```css', '```', '```'),
      ['[md] ```js\n```css\n```\n'],
    ],
    [
      'only the end of the inner name is that of Markdown',
      lines('```md', '```js a.md', '```css', '```', '```'),
      ['[md] ```js a.md\n```css\n```\n'],
    ],
    [
      'a later fence is not closed',
      lines('```md', '```js', 'a', '```', '```', '```js', 'b'),
      ['[md] ```js\na\n', '[] ```js\nb'],
    ],
    ['it is inline code', lines('```md `a`', 'b', '```'), ['```md `a`\nb', '[] ']],
    ['the name is longer', lines('```mdl', '```js', 'a', '```', '```'), ['[mdl] ```js\na\n', '[] ']],
  ])('ends like any other if %s', (_, text, expected) => expect(blocksIn(text)).toEqual(expected));
});
