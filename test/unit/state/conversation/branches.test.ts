import { describe, expect, it } from 'vitest';
import { branchFrom, readBranches } from '../../../../src/state/conversation/branches.ts';
import { headerOf } from '../samples.ts';

const child = (messageId: string, parentId?: string, part = {}) =>
  headerOf(messageId, { role: 'assistant', ...(parentId === undefined ? {} : { parentId }), ...part });
const idsFrom = (headers: Parameters<typeof branchFrom>[0], messageId: string) =>
  branchFrom(headers, messageId).map((header) => header.messageId);

describe('the branches of a conversation', () => {
  const headers = [
    headerOf('ask'),
    child('one', 'ask'),
    child('two', 'ask'),
    child('tool of two', undefined, { role: 'tool', hasText: false }),
    child('after one', 'one'),
    child('tool of one', undefined, { role: 'tool', hasText: false }),
    child('after two', 'two'),
    child('end of one', 'tool of one'),
  ];

  it('begin with messages of the same role and parent', () => {
    const { places } = readBranches(headers);
    expect(places.get('two')).toEqual({ index: 1, messageIds: ['one', 'two'] });
    expect(places.get('after two')).toBeUndefined();
  });

  it('contain what follows by parent, or by position where a message has none', () => {
    expect(idsFrom(headers, 'one')).toEqual(['one', 'after one', 'tool of one', 'end of one']);
    expect(idsFrom(headers, 'two')).toEqual(['two', 'tool of two', 'after two']);
    expect(idsFrom(headers, 'ask')).toEqual(headers.map(({ messageId }) => messageId));
    expect(idsFrom(headers, 'missing')).toEqual([]);
  });
});
