import { describe, expect, it } from 'vitest';
import { findingsIn, marked, unmarked } from './marked.ts';
import { RandomText } from './randomText.ts';

const random = new RandomText(11);
const [slack, github] = [`xoxb-${random.base62(10)}`, `ghp_${random.base62(36)}`];

describe('a secret can begin', () => {
  it.each([
    `‹${github}›`,
    `x_‹${github}›`,
    `x-‹${github}›`,
    `x${slack}`,
    `C:\\‹${github}›\\new`,
    `a\\n‹${slack}›\\r\\n‹${slack}›\\t‹${slack}›\\0‹${slack}›`,
    `a\\u003d‹${slack}›\\x20‹${slack}›%20‹${slack}›`,
    `\u001b[1;32m‹${slack}›\u001b[0m`,
    `\u001b‹${slack}›[0m`,
    `\u001b[38;2;255;100;000m‹${slack}›`,
    `\u001b[38;2;255;100;0000m${slack}`,
  ])('at the start of a word, after an escape sequence, or after a color: %j', (text) => {
    expect(marked(unmarked(text))[0]).toBe(text);
  });

  it('directly after another one', () => {
    const text = 'mysql --password=‹x8Kq2mZp› -p‹x8Kq2mZp›';
    expect(marked(unmarked(text))[0]).toBe(text);
  });
});

describe('a secret of Microsoft Entra ID', () => {
  const text = random.base62(40);
  it('has three characters, a digit, and a mark before a text of 31 to 36 characters', () => {
    const found = (secret: string) => marked(`a ${secret}.`)[1];
    expect(marked(`a aB38Q~${text.slice(0, 31)} b`)).toEqual([
      `a ‹aB38Q~${text.slice(0, 31)}› b`,
      'Microsoft Entra secret',
    ]);
    expect(marked(`~.-8Q~${text.slice(0, 36)}`)).toEqual([`‹~.-8Q~${text.slice(0, 36)}›`, 'Microsoft Entra secret']);
    expect(findingsIn(`a aB38Q~~._-${text.slice(0, 30)}`)).toHaveLength(1);
    for (const secret of [
      `aB38Q~${text.slice(0, 29)}`,
      `aB38Q~${text.slice(0, 36)}`,
      `aBx8q~${text.slice(0, 32)}`,
      `aB3xQ~${text.slice(0, 32)}`,
      `(B38Q~${text.slice(0, 32)}`,
    ]) {
      expect(found(secret), secret).toBe('');
    }
    expect(findingsIn(`8Q~${text.slice(0, 32)}`)).toEqual([]);
  });
});
