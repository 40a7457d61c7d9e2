import { describe, expect, it } from 'vitest';
import { nextBookmark, placeBookmarks } from '../../../../src/state/conversation/bookmarks.ts';
import { describeBookmarks } from '../../../../src/state/presentation/describeConversation.ts';
import { headerOf, key, recordOf } from '../samples.ts';

const headers = ['a', 'b', 'c', 'd'].map((messageId, index) => headerOf(messageId, { createdAt: index }));
const bookmarks = [
  { messageId: 'd', addedAt: 1, note: 'last' },
  { messageId: 'old2', addedAt: 3 },
  { messageId: 'old1', addedAt: 2 },
  { messageId: 'b', addedAt: 4 },
];
const record = recordOf({
  headers,
  listEntry: { key, addedAt: 1, bookmarks },
  entryIdByMessageId: new Map([['b', 'sent from here']]),
});
const next = (fromId: string | undefined, by: 1 | -1) => nextBookmark(record, fromId, by)?.bookmark.messageId;

describe('the bookmarks of a conversation', () => {
  it('are in the order of its messages, after those of messages that are not loaded', () => {
    expect(placeBookmarks(record).map(({ place }) => place)).toEqual([-1, -1, 1, 3]);
    expect(describeBookmarks(record)).toEqual([
      { messageId: 'old1', key: 'old1', note: '' },
      { messageId: 'old2', key: 'old2', note: '' },
      { messageId: 'b', key: 'sent from here', note: '' },
      { messageId: 'd', key: 'd', note: 'last' },
    ]);
    expect(describeBookmarks(recordOf({ headers }))).toEqual([]);
  });

  it('are found after and before a message, also those that are not loaded', () => {
    expect(['a', 'b', 'c', 'd'].map((id) => next(id, 1))).toEqual(['b', 'd', 'd', undefined]);
    expect(['d', 'c', 'b', 'a'].map((id) => next(id, -1))).toEqual(['b', 'b', 'old2', 'old2']);
    expect([next(undefined, 1), next(undefined, -1)]).toEqual(['b', 'd']);
    expect(next('sent from here', 1)).toBe('d');
  });
});
