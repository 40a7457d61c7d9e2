import { describe, expect, it } from 'vitest';
import { escapedLine } from '../../../../src/state/markdown/embed.ts';
import * as embed from '../../../../src/state/markdown/embed.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { inertingMarkdown } from '../../../../src/state/markdown/inert.ts';
import { openFenceAtEnd } from '../../../../src/state/markdown/codeBlocks.ts';

const embeddedMarkdown = (...given: Parameters<typeof embed.embeddedMarkdown>) =>
  withoutPause(embed.embeddedMarkdown(...given));
const fencedText = (...given: Parameters<typeof embed.fencedText>) => withoutPause(embed.fencedText(...given));

/** `count` equal lines. */
const lines = (count: number, line: string) => Array.from({ length: count }, () => line);
const expectUnchanged = (text: string) => expect(embeddedMarkdown(text)).toBe(text);

describe('a code block of a message', () => {
  it('ends only at a line with nothing but a fence of the same character and at least the same length', () => {
    for (const line of ['~~~', '``', '```', 'let a; ````', '```` js', '    ````']) {
      expectUnchanged(`\`\`\`\`\n${line}\n# code\n\`\`\`\``);
    }
    for (const end of ['````', '`````', '   ````', '```` \t']) {
      expect(embeddedMarkdown(`\`\`\`\`\n# code\n${end}\n# Title`)).toBe(`\`\`\`\`\n# code\n${end}\n#### Title`);
    }
    expect(embeddedMarkdown('~~~ `\n```\n# code\n~~~~\n# Title')).toBe('~~~ `\n```\n# code\n~~~~\n#### Title');
  });

  it('begins only at the start of a line', () => {
    expect(embeddedMarkdown('say ```\n# Title')).toBe('say ```\n#### Title');
    expect(embeddedMarkdown('say ~~~\n# Title')).toBe('say ~~~\n#### Title');
    expect(embeddedMarkdown('```a`b\n# Title')).toBe('```a`b\n#### Title');
  });

  it('loses what follows a table separator in its first line', () => {
    expect(embeddedMarkdown('```js|a|b\n-|-\n```')).toBe('```js\n-|-\n```');
  });

  it('is closed at the end of the message if it is open', () => {
    expect(embeddedMarkdown('~~~~ js\nlet a;')).toBe('~~~~ js\nlet a;\n~~~~');
    expect(openFenceAtEnd('a\n~~~~ js\nlet a;\n```')).toEqual({ sign: '~', length: 4 });
    expect(openFenceAtEnd('```\na\n```\n\n`````')).toEqual({ sign: '`', length: 5 });
    expect(openFenceAtEnd('```\na\n```\nb')).toBeUndefined();
    expect(openFenceAtEnd('```\r\na\r\n```\r\nb')).toBeUndefined();
    expect(openFenceAtEnd('a ```\n  ```\n- ```')).toBeUndefined();
  });
});

describe('an indented code block of a message', () => {
  it('is unchanged if all its lines are indented at least as much, or blank', () => {
    expectUnchanged('  ```\n  # code\n  a\n  ---\n\n \n   <b>\n  ```');
    expectUnchanged('- one\n\n   ~~~ js\n   # code\n   ~~~\n\ntwo');
    expectUnchanged(' ```\n # code\n ```\n ~~~\n # code\n ~~~');
    expect(embeddedMarkdown('  ```\n  # code\n  ```\n# Title')).toBe('  ```\n  # code\n  ```\n#### Title');
  });

  it('is text if one of its lines is indented less, or if it isn’t closed', () => {
    expect(embeddedMarkdown('  ```\n x\n  # a\n  ```')).toBe('  \\```\n x\n  #### a\n  \\```');
    expect(embeddedMarkdown('  ```\n  x\n# a\n  ```')).toBe('  \\```\n  x\n#### a\n  \\```');
    expect(embeddedMarkdown('  ```\n  x\n  ~~~\n  # code\n  ~~~')).toBe('  \\```\n  x\n  ~~~\n  # code\n  ~~~');
  });

  it('is text if its first line can be read as the head of a table', () => {
    expect(embeddedMarkdown('  ``` a|b\n  # a\n  ```')).toBe('  \\``` a|b\n  #### a\n  \\```');
  });

  it('is text if it is indented by more than three spaces', () => {
    expect(embeddedMarkdown('    ```\n    # a\n    ```')).toBe('    ```\n    #### a\n    ```');
  });

  it('has at most 300 lines', () => {
    const block = (count: number) => ['  ```', ...lines(count - 2, '  # a'), '  ```', '', '```', '# code', '```'];
    expectUnchanged(block(300).join('\n'));
    expect(embeddedMarkdown(block(301).join('\n'))).toBe(
      ['  \\```', ...lines(299, '  #### a'), '  \\```', '', '```', '# code', '```'].join('\n'),
    );
  });
});

describe('a line of a message', () => {
  it('is a heading only if nothing but indentation and markers of lists and quotes precedes its signs', () => {
    expect(embeddedMarkdown('> - 12) # a\n#### b\n#')).toBe('> - 12) #### a\n###### b\n####');
    for (const line of ['C # x', '#x', '####### x', '-# x', '1.# x']) expectUnchanged(line);
  });

  it('doesn’t turn the line before it into a heading', () => {
    expect(embeddedMarkdown('a\n---\nb\n> === \t\nc')).toBe('a\n\n---\nb\n\n> === \t\nc');
    for (const text of ['---\na', 'a\n\n---', 'a\nb ---', 'a\n-- b', 'a\n=b']) expectUnchanged(text);
  });

  it('is no HTML, except for a link in angle brackets', () => {
    expect(embeddedMarkdown('<!-- a\n<mailto:a@b.test>\n> <p')).toBe('\\<!-- a\n<mailto:a@b.test>\n> \\<p');
    expect(embeddedMarkdown('<b> <https://a.test/>')).toBe('\\<b> <https://a.test/>');
    expectUnchanged('a <');
  });

  it('ends at any line terminator, and NUL is shown', () => {
    expect(embeddedMarkdown('# a\r\n# b\r# c\u2028# d\u2029e\0')).toBe('#### a\n#### b\n#### c\n#### d\ne\u2400');
  });
});

describe('a formula of a message', () => {
  it('is unchanged if it is closed', () => {
    for (const text of ['$$x$$', '$$$$', '$$ x $$ \ny', '$$ a $$ b $$', '$$\nx\n$$', '$$ x\ny $$ \n\n$$\nz\n$$']) {
      expectUnchanged(text);
    }
    for (const text of ['> $$\n> x\n> $$', '- $$\n  x\n  $$', '1. a\n\n   $$\n   x\n     $$', '> 1) $$\n>    x $$']) {
      expectUnchanged(text);
    }
  });

  it('is text if it isn’t closed, or if it contains a blank line or a fence', () => {
    expect(embeddedMarkdown('$$')).toBe('\\$$');
    expect(embeddedMarkdown('$$$')).toBe('\\$$$');
    expect(embeddedMarkdown('- $$')).toBe('- \\$$');
    expect(embeddedMarkdown('a\n$$')).toBe('a\n\\$$');
    expect(embeddedMarkdown('$$ x\n\ny $$')).toBe('\\$$ x\n\ny $$');
    expect(embeddedMarkdown('> $$ x\n> \n> y $$')).toBe('> \\$$ x\n> \n> y $$');
    expect(embeddedMarkdown('$$ x\n```\n$$\n```')).toBe('\\$$ x\n```\n$$\n```');
    expect(embeddedMarkdown('$$ x\n  ```\n  y\n  ```\n$$')).toBe('\\$$ x\n  ```\n  y\n  ```\n\\$$');
    expectUnchanged('a $$\n\nb');
  });

  it('is text if its list item or quote ends before it', () => {
    expect(embeddedMarkdown('- $$\nabc\n  $$')).toBe('- \\$$\nabc\n  \\$$');
    expect(embeddedMarkdown('- $$\n x\n  $$')).toBe('- \\$$\n x\n  \\$$');
    expect(embeddedMarkdown('> $$\nabc\n> $$')).toBe('> \\$$\nabc\n> \\$$');
    expect(embeddedMarkdown('   $$\n  x\n   $$')).toBe('   \\$$\n  x\n   \\$$');
  });

  it('is text if another `$$` in its lines makes its end uncertain', () => {
    expect(embeddedMarkdown('Text: $$\nx\n$$')).toBe('Text: $$\nx\n\\$$');
    expect(embeddedMarkdown('$$ a $$ b\n$$')).toBe('\\$$ a $$ b\n\\$$');
    expect(embeddedMarkdown('$$ x\ny $$ z\n$$')).toBe('\\$$ x\ny $$ z\n\\$$');
    expect(embeddedMarkdown('$$ x $$\n$$ y')).toBe('$$ x $$\n\\$$ y');
    expect(embeddedMarkdown('$$ x\ny $$ z $$\n$$')).toBe('\\$$ x\ny \\$\\$ z \\$\\$\n\\$$');
  });

  it('has at most 100 lines', () => {
    const formula = (count: number) => ['$$', ...lines(count - 2, 'x'), '$$', '', '$$y$$'];
    expectUnchanged(formula(100).join('\n'));
    expect(embeddedMarkdown(formula(101).join('\n'))).toBe(['\\$$', ...lines(99, 'x'), '\\$$', '', '$$y$$'].join('\n'));
  });
});

describe('dollar signs in text', () => {
  it.each([
    ['tar czf backup-$(date +%F)-$(hostname).tgz', 'tar czf backup-\\$(date +%F)-\\$(hostname).tgz'],
    ['AS $$ SELECT 1 $$ LANGUAGE', 'AS \\$\\$ SELECT 1 \\$\\$ LANGUAGE'],
    ['kill -9 $$ || echo $$', 'kill -9 \\$\\$ || echo \\$\\$'],
    ['$x^2$ costs $5 and $10', '$x^2$ costs \\$5 and \\$10'],
    ['`$a$` and $a, $b', '`$a$` and \\$a, \\$b'],
    ['- $HOME/$USER', '- \\$HOME/\\$USER'],
  ])('are escaped if they are no delimiters: %s', (text, expected) => {
    expect(embeddedMarkdown(text)).toBe(expected);
  });

  it.each([
    'costs $5',
    'so $x$ and $y^2$ and $$\\frac{a}{b}$$',
    '`${a}` and `${b}`',
    '[a](https://example.com/$a/$b) https://example.com/$c/$d',
    '```sh\n$(a) $(b)\n```',
    '\\$5 and \\$6',
    `${'x'.repeat(8_000)} $a $b`,
  ])('stay otherwise: %#', (text) => expectUnchanged(text));
});

describe('text in a code block', () => {
  it('has a fence that is longer than its own fences', () => {
    expect(fencedText('a\n\nb\n\n')).toBe('```\na\n\nb\n```');
    expect(fencedText('``')).toBe('```\n``\n```');
    expect(fencedText('```\n`````')).toBe('``````\n```\n`````\n``````');
  });

  it('has the language only if it is one word of at most 40 characters', () => {
    for (const language of ['js', 'c++', 'x'.repeat(40)]) {
      expect(fencedText('a', language)).toBe(`\`\`\`${language}\na\n\`\`\``);
    }
    for (const language of ['a|js', 'js b', 'x'.repeat(41)]) expect(fencedText('a', language)).toBe('```\na\n```');
  });
});

it.each([
  // This work also looks for inner fences and for extra cells, so it pauses more often.
  ['a message in a document', embed.embeddedMarkdown, 15],
  ['a code block', embed.fencedText, 10],
  ['links in a document', inertingMarkdown, 10],
])('work on %s pauses while it splits a text, and while it reads the lines', (_, work, expected) => {
  const pauses = [...work(lines(400, 'a'.repeat(99)).join('\n'))].length;
  expect(pauses).toBeGreaterThanOrEqual(expected);
  expect(pauses).toBeLessThanOrEqual(expected + 2);
});

it('a title has no Markdown', () => {
  expect(escapedLine('\\ `a` *b* [c] <d> ~e~ $f$ |g|')).toBe(
    '\\\\ \\`a\\` \\*b\\* \\[c\\] \\<d\\> \\~e\\~ \\$f\\$ \\|g\\|',
  );
  expect(escapedLine('_a_ b_c & &amp; &#38; # C##')).toBe('\\_a\\_ b_c & \\&amp; \\&#38; # C\\#\\#');
});

it('moves a heading after up to 8,000 characters of quote and list markers, of which parsers read far fewer', () => {
  const quoted = (length: number) => '> '.repeat(length / 2);
  expect(embeddedMarkdown(`${quoted(8_000)}# a`)).toBe(`${quoted(8_000)}#### a`);
  expect(embeddedMarkdown(`${quoted(8_002)}# a`)).toBe(`${quoted(8_002)}# a`);
});
