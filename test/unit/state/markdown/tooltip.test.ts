import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tooltipMarkdown } from '../../../../src/state/markdown/tooltip.ts';
import { escapedHtml, otherTags, permissiveHtml } from '../../../fakes/permissiveMarkdown.ts';

function drawn(text: string): string {
  return permissiveHtml(tooltipMarkdown(text));
}

describe('a tooltip', () => {
  it('has a bold title and keeps its lines', () => {
    expect(drawn('Reject fruits\nIdle (2 min ago)\n12 messages')).toBe(
      '<p><strong>Reject fruits</strong></p>\n<p>Idle (2 min ago)<br>\n12 messages</p>',
    );
    expect(drawn('Title only')).toBe('<p><strong>Title only</strong></p>');
  });

  it.each([
    'https://evil.example/a',
    'www.evil.example',
    'mira@evil.example',
    '[text](command:evil) ![image](https://evil.example/a.png)',
    '<img src="https://evil.example/a.png"><a href="x">',
    '**bold** _emphasis_ `code` ~~struck~~ $(loading)',
    '# heading',
    '1. list',
    '    indented code',
    '&lt;b&gt; &#60;',
    '---',
    '| a | b |',
  ])('shows %j literally', (line) => {
    for (const html of [drawn(line), drawn(`Title\n${line}`), drawn(`Title\nfirst\n${line}`)]) {
      expect(otherTags(html)).toEqual([]);
      expect(html).toContain(escapedHtml(line.trim()));
    }
  });

  it('contains no other elements, whatever its text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(otherTags(drawn(text))).toEqual([]);
      }),
    );
  });
});
