import { describe, expect, it } from 'vitest';
import { SessionTree, messagesPerPage, sectionOf } from '../../../src/state/sessionTree.ts';
import type { SessionRecord } from '../../../src/state/sessionRecord.ts';
import { headerOf, key, now, recordOf, sessionOf, unreadRecord } from './samples.ts';

const dayMs = 86_400_000;
const keyOf = (sessionId: string, origin = key.origin) => ({ origin, sessionId });
const deck = (sessionId: string, addedAt = 1) => ({ deck: { key: keyOf(sessionId), addedAt } });
const aged = (sessionId: string, days: number, addedAt = 1) =>
  recordOf({ ...deck(sessionId, addedAt), session: sessionOf({ updatedAt: now - days * dayMs }) });
const archived = (sessionId: string, archivedAt = '2026-01-01') =>
  recordOf({ ...deck(sessionId), session: sessionOf({ sessionSettings: { archivedAt } }) });
const names = (rows: ReturnType<SessionTree['sessions']>) =>
  rows.map((row) => (row.kind === 'session' ? row.key.sessionId : row.kind));

describe('the sections of the tree', () => {
  const records = [aged('old', 30), archived('gone'), aged('now', 0), aged('week', 3)];

  it('are those that hold a session, in their order', () => {
    const sections = new SessionTree().sections(records, now);
    expect(sections.map((row) => row.kind === 'section' && row.section)).toEqual([
      'today',
      'lastWeek',
      'older',
      'archived',
    ]);
    expect(new SessionTree().sections([], now)).toEqual([]);
  });

  it('hold every session exactly once, the latest first', () => {
    const tree = new SessionTree();
    const all = [...records, aged('later', 0, 5), aged('added last', 0, 9), aged('week 2', 2)];
    const shown = tree
      .sections(all, now)
      .flatMap((row) => (row.kind === 'section' ? names(tree.sessions(all, row.section, now)) : []));
    expect(shown).toEqual(['added last', 'later', 'now', 'week 2', 'week', 'old', 'gone']);
  });

  it('know what was never read by the day it was added, and an empty archive mark as none', () => {
    expect(sectionOf(unreadRecord({ deck: { key, addedAt: now - 3 * dayMs } }), now)).toBe('lastWeek');
    expect(sectionOf(archived('a', ''), now)).toBe('today');
    expect(sectionOf(archived('a'), now)).toBe('archived');
  });
});

describe('the messages of a session', () => {
  const withMessages = (count: number, extent: SessionRecord['history']['extent'], sessionId = 's') =>
    recordOf({
      ...deck(sessionId),
      headers: Array.from({ length: count }, (_, place) => headerOf(`m${place}`)),
      history: { extent, isLoading: false },
    });
  const shape = (rows: ReturnType<SessionTree['messages']>) => ({
    first: rows[0]?.rowId.split('\n').at(-1),
    messages: rows.filter(({ kind }) => kind === 'message').length,
    hasOlder: rows.at(-1)?.kind === 'older',
  });

  it('come newest first, a page at a time', () => {
    const tree = new SessionTree();
    const record = withMessages(250, 'complete');
    expect(shape(tree.messages(record))).toEqual({ first: 'm249', messages: messagesPerPage, hasOlder: true });
    expect(tree.showOlder(record)).toBe(false);
    expect(shape(tree.messages(record))).toMatchObject({ messages: 200, hasOlder: true });
    expect(tree.showOlder(record)).toBe(false);
    expect(shape(tree.messages(record))).toMatchObject({ messages: 250, hasOlder: false });
  });

  it('ask the service where it has more than is here', () => {
    const tree = new SessionTree();
    const record = withMessages(100, 'partial');
    expect(shape(tree.messages(record))).toMatchObject({ messages: 100, hasOlder: true });
    expect(tree.showOlder(record)).toBe(true);
    expect(shape(tree.messages(withMessages(200, 'complete')))).toMatchObject({ messages: 200, hasOlder: false });
  });

  it('do not share pages with another session', () => {
    const tree = new SessionTree();
    tree.showOlder(withMessages(250, 'complete', 'a'));
    expect(shape(tree.messages(withMessages(250, 'complete', 'b'))).messages).toBe(100);
  });
});

describe('rows', () => {
  it('are the same object for as long as they are there, and different for each thing', () => {
    const tree = new SessionTree();
    expect(tree.session(keyOf('a'))).toBe(tree.session(keyOf('a')));
    expect(tree.message(keyOf('a'), 'm1')).toBe(tree.message(keyOf('a'), 'm1'));
    const ids = [
      tree.session(keyOf('a')),
      tree.session(keyOf('b')),
      tree.session(keyOf('a', 'https://other.test')),
      tree.message(keyOf('a'), 'm1'),
      tree.message(keyOf('b'), 'm1'),
      ...tree.messages(recordOf({ ...deck('a'), history: { extent: 'partial', isLoading: false } })),
    ].map(({ rowId }) => rowId);
    expect(new Set(ids).size).toBe(6);
  });
});
