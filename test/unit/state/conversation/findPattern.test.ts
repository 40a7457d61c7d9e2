import { describe, expect, it } from 'vitest';
import type { PageRow } from '../../../../src/shared/protocol/rowTypes.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { findPattern, type FindQuery, findTexts } from '../../../../src/state/conversation/findPattern.ts';
import { t } from '../samples.ts';

function found(text: string, query: Partial<FindQuery> & { text: string }): string[] {
  const pattern = findPattern({ isCase: false, isWord: false, isRegex: false, ...query }, t);
  if ('failure' in pattern) return [pattern.failure];
  return [...text.matchAll(new RegExp(pattern.source, pattern.flags))].map(([match]) => match);
}

describe('a find query', () => {
  it('is literal text by default', () => {
    for (const text of ['a.b', '$(x)', '[a]', 'a\\b', 'a-b', '^a', '{1}', 'a|b', 'C++', '/x/', 'ä']) {
      expect(found(`before ${text} after`, { text })).toEqual([text]);
    }
  });

  it('ignores case by default', () => {
    expect(found('Retry retry RETRY Über über', { text: 'retry' })).toEqual(['Retry', 'retry', 'RETRY']);
    expect(found('Retry retry RETRY', { text: 'retry', isCase: true })).toEqual(['retry']);
    expect(found('Über über', { text: 'über' })).toEqual(['Über', 'über']);
  });

  it('can match whole words in every script', () => {
    expect(found('id ids id_ (id) id.', { text: 'id', isWord: true })).toEqual(['id', 'id', 'id']);
    expect(found('für fürs', { text: 'für', isWord: true })).toEqual(['für']);
    const words = 'pre-commit, spre-commits xpre-commit pre-commits';
    expect(found(words, { text: 'pre-commit', isWord: true })).toEqual(['pre-commit']);
    expect(found('Lpre-commit{ (pre-commit)', { text: 'pre-commit', isWord: true })).toEqual(['pre-commit']);
  });

  it('can match whole words with a regular expression that has unnecessary escapes', () => {
    const query = { text: 'a\\-b', isRegex: true, isWord: true };
    expect(found('a-b xa-b a-bx äa-b a-b語 {a-b} “a-b”', query)).toEqual(['a-b', 'a-b', 'a-b']);
  });

  it('can be a regular expression, with or without Unicode syntax', () => {
    expect(found('a1 b22', { text: '[a-z]\\d+', isRegex: true })).toEqual(['a1', 'b22']);
    expect(found('a-b', { text: 'a\\-b', isRegex: true })).toEqual(['a-b']);
    expect(found('x\ny', { text: '^y$', isRegex: true })).toEqual(['y']);
    expect(found('x', { text: '(', isRegex: true })).toEqual(['Invalid regular expression']);
  });
});

describe('the text of a message', () => {
  it('covers every part of a message, including folds, in order', () => {
    const row: PageRow = {
      ...{ key: 'k', role: 'assistant', roleLabel: 'Assistant', createdAt: 1, isError: false, badges: [] },
      blocks: [
        { type: 'markdown', text: '**one**' },
        { type: 'image', mediaType: 'image/png', base64: 'AAAA' },
        {
          ...{ type: 'fold', kind: 'toolUse', title: 'grep', detail: 'src', isError: false },
          blocks: [
            { type: 'code', text: '{"a": "src"}' },
            { type: 'file', name: 'a.txt', detail: '1 KB' },
          ],
        },
      ],
    };
    expect(withoutPause(findTexts(row.blocks, t))).toEqual({ drawn: [['one'], [], ['grep', '{"a": "src"}', 'a.txt']] });
  });

  it('has the underscores of names that only a prompt shows', () => {
    const block = { type: 'markdown', text: '__init__' } as const;
    expect(withoutPause(findTexts([block], t, true))).toEqual({ drawn: [['__init__']] });
    expect(withoutPause(findTexts([block], t))).toEqual({ drawn: [['init']] });
  });

  it('includes the full text of truncated blocks', () => {
    const code = `${'line\n'.repeat(3_000)}the end`;
    const { drawn, whole } = withoutPause(findTexts([{ type: 'code', text: code }], t));
    expect(drawn.flat().join('')).not.toContain('the end');
    expect(whole).toEqual([code]);
  });
});
