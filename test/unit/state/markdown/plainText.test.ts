import { describe, expect, it } from 'vitest';
import { markdownToPlainText } from '../../../../src/state/markdown/plainText.ts';

describe('the plain text of Markdown', () => {
  it.each([
    ['# A **bold** and *slanted* title', 'A bold and slanted title'],
    ['- one\n2. two\n> three', 'one\ntwo\nthree'],
    ['3 - 2\nC # x', '3 - 2\nC # x'],
    [
      'see [the `guide`](https://x.test/a_b) and ![a picture](y.png)',
      'see [the guide](https://x.test/a_b) and a picture',
    ],
    ['see [the guide](https://x.test/a_b)', 'see the guide'],
    ['`a ** b` and snake_case_name and _slanted_', 'a ** b and snake_case_name and slanted'],
    ['`*a*` and `*b*` and ``*c*``', '*a* and *b* and *c*'],
    ['~~gone~~ and ***both***', 'gone and both'],
    ['```ts\nconst a = b ** c; // **kept**\n```\n**gone**', 'const a = b ** c; // **kept**\ngone'],
    ['> ~~~~\n**kept**\n~~~\n```\n~~~~~\n**gone**', '**kept**\n~~~\n```\ngone'],
    ['say ```\n**gone**', 'say ```\ngone'],
    ['2 \\* 3', '2 * 3'],
    ['an [open [b](x) and ![c][d] and [e](f g)', 'an open [b and ![c][d] and [e](f g)'],
    ['[a](b "a title") and [a](b "no title"c) and [a](b', 'a and [a](b "no title"c) and [a](b'],
    ['2 * 3 and **a*b and a *', '2 * 3 and *ab and a *'],
    ['****c***', '*c'],
    ['__a_b__ and _a_b and ___c__', 'a_b and a_b and ___c_'],
    ['~~a ~~b~~ and *~~c*~~', 'a ~~b and ~~c~~'],
    ['a `` b` c `d', 'a  b c `d'],
    [' >  > ~~~~ x\n> *a*\n~~~~', '> *a*'],
    ['press <kbd>Ctrl</kbd> and H<sub>2</sub>O', 'press Ctrl and H2O'],
    ['<B>bold <i>both</i></b> and <u>a `b` **c**</u>', 'bold both and a b c'],
    ['one<br>two<BR />three', 'one\ntwo\nthree'],
    ['one<br>\ntwo<br />\nthree', 'one\ntwo\nthree'],
    ['`<b>` a </b> and <b>c `</b>`', '<b> a </b> and <b>c </b>'],
    ['<b>a <i>b</b> c</i> and </u> and <u>', 'a <i>b c</i> and </u> and <u>'],
    ['\\<b>a</b> and \\\\<b>a</b>', '<b>a</b> and \\a'],
    ['<b class="x">a</b> and <span>c</span> and <!-- d -->', '<b class="x">a</b> and <span>c</span> and <!-- d -->'],
    ['| <b> | </b> | <b>a</b> | <i>`b|`</i> |', '| <b> | </b> | a | <i>b|</i> |'],
    ['| <b>a \\| b</b> |', '| a | b |'],
    ['<b>a | b</b>', 'a | b'],
    ['<!-- <b>a</b> *b* ` --> and <b>c</b> `d`', '<!-- <b>a</b> *b* ` --> and c d'],
    ['`a` <!-- `b` --> <b>c</b> <!-- <b>d</b>', 'a <!-- `b` --> c <!-- d'],
    ['\\<!-- <b>a</b> --> ` <!-- <b>b</b> -->', '<!-- a --> ` <!-- <b>b</b> -->'],
    ['```html\n<b>a</b>\n```\n<b>c</b>', '<b>a</b>\nc'],
  ])('%j', (markdown, text) => expect(markdownToPlainText(markdown)).toBe(text));
});

describe('the plain text of a prompt', () => {
  it.each([
    ['if __name__ == "__main__":', 'if __name__ == "__main__":'],
    ['at a.__proto__ and **__init__** and a_b', 'at a.__proto__ and __init__ and a_b'],
    ['__two words__ and _a_', 'two words and a'],
    ['go run . \\\n  --tags \\', 'go run . \\\n  --tags \\'],
  ])('%j', (markdown, text) => expect(markdownToPlainText(markdown, true)).toBe(text));
});

describe('a fence of Markdown that contains fences', () => {
  it('keeps the inner ones, which are its text', () => {
    const text = '**a**\n```markdown\n**b**\n```js\nc\n```\n**d**\n```\n**e**';
    expect(markdownToPlainText(text)).toBe('a\n**b**\n```js\nc\n```\n**d**\ne');
  });
});
