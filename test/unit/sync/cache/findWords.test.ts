import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import { findWords } from '../../../../src/sync/cache/findWords.ts';

const messageOf = (...content: ContentBlock[]) => ({ id: 'm', createdAt: 1, updatedAt: 1, content });

describe('a search for words in a message', () => {
  it('finds them in text, thinking, and tool results, ignoring case', () => {
    const result: ContentBlock = { type: 'tool_result', isError: false, content: [{ type: 'text', text: 'Größe 42' }] };
    const message = messageOf({ type: 'text', text: 'Fix it' }, { type: 'thinking', thinking: 'HMM' }, result);
    expect(findWords(message, ['fix', 'hmm', 'größe'])).toEqual({ messageId: 'm', excerpt: 'Fix it\nHMM\nGröße 42' });
    expect(findWords(message, ['fix', 'nowhere'])).toBeUndefined();
    expect(findWords(message, [])).toBeUndefined();
  });

  it('returns an excerpt around the match instead of the whole message', () => {
    const text = `${'a'.repeat(500)} needle ${'b'.repeat(500)}`;
    const excerpt = findWords(messageOf({ type: 'text', text }), ['needle'])?.excerpt ?? '';
    expect(excerpt).toMatch(/^…a+ needle b+$/);
    expect(excerpt.length).toBeLessThan(130);
  });

  it('never cuts a character in two', () => {
    const text = `${'a'.repeat(8)}🚀${'a'.repeat(29)}needle${'b'.repeat(84)}🚀`;
    const excerpt = `…${'a'.repeat(29)}needle${'b'.repeat(84)}`;
    expect(findWords(messageOf({ type: 'text', text }), ['needle'])?.excerpt).toBe(excerpt);
  });

  it.each([
    [29, `${'a'.repeat(29)}needle${'b'.repeat(85)}`],
    [30, `${'a'.repeat(30)}needle${'b'.repeat(84)}`],
    [31, `…${'a'.repeat(30)}needle${'b'.repeat(84)}`],
  ])('returns 120 characters, starting at most 30 before the match: %i before it', (before, excerpt) => {
    const text = `${'a'.repeat(before)}needle${'b'.repeat(200)}`;
    expect(findWords(messageOf({ type: 'text', text }), ['needle', 'b'])?.excerpt).toBe(excerpt);
  });

  it('returns an excerpt around the match after letters that are longer in lower case', () => {
    const text = `${'İ'.repeat(300)} needle ${'b'.repeat(500)}`;
    expect(findWords(messageOf({ type: 'text', text }), ['needle'])?.excerpt).toMatch(/^…İ{29} needle b+$/);
  });

  it('skips images and unknown blocks', () => {
    const source = { data: 'needle' };
    const message = messageOf({ type: 'image', source }, { type: 'unknown', kind: 'x', raw: 'needle' });
    expect(findWords(message, ['needle'])).toBeUndefined();
  });
});
