import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attentionOf, isUnreadSession, unsentCount } from '../../../../src/state/sessions/attention.ts';
import { describeBadge, describeFilter, sectionLabel } from '../../../../src/state/presentation/describeTree.ts';
import {
  filteredRecords,
  matchesWords,
  searchWords,
  SessionSearch,
} from '../../../../src/state/sessions/sessionSearch.ts';
import { keyText } from '../../../../src/state/store/sessionKey.ts';
import type { SessionListEntry, SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { type TreeFilter, sectionsOf, defaultTreeOptions } from '../../../../src/state/sessions/sections.ts';
import { entryOf, headerOf, hostile, isDisguised, key, now, recordOf, sessionOf, t, unreadRecord } from '../samples.ts';

const dayMs = 86_400_000;
type SessionPart = Parameters<typeof sessionOf>[0];
const record = (sessionId: string, session: SessionPart = {}, sessionList: Partial<SessionListEntry> = {}, rest = {}) =>
  recordOf({
    listEntry: { key: { ...key, sessionId }, addedAt: 1, ...sessionList },
    session: sessionOf({ title: sessionId, ...session }),
    ...rest,
  });
const aged = (sessionId: string, days: number, sessionList: Partial<SessionListEntry> = {}) =>
  record(sessionId, { updatedAt: now - days * dayMs }, sessionList);
const archived = (sessionId: string, archivedAt = '2026-01-01', sessionList: Partial<SessionListEntry> = {}) =>
  record(sessionId, { sessionSettings: { archivedAt } }, sessionList);
const tagged = (sessionId: string, ...names: string[]) =>
  record(sessionId, { sessionSettings: { tags: names.map((name) => ({ name })) } });
const waiting = { messageId: 'm', rule: 'answer', question: 'Shall I?' } as const;
/** An error that is known to be the newest of `settledCount` messages. */
const failing = (settledCount: number) => ({
  headers: [headerOf('m', { isError: true })],
  history: { completeness: 'complete', isLoading: false, settledCount } as const,
});
const readMark = { messageCount: 10, updatedAt: now - dayMs, wasAtWork: false };

/** Returns each section as `label: id id`. */
function drawn(
  records: readonly SessionRecord[],
  ...how: [Parameters<typeof sectionsOf>[1]?, Parameters<typeof sectionsOf>[2]?]
) {
  const [groupBy = 'age', sortBy = 'updated'] = how;
  return sectionsOf(records, groupBy, sortBy, now).map(
    (section) =>
      `${sectionLabel(section, t)}: ${section.records.map(({ listEntry }) => listEntry.key.sessionId).join(' ')}`,
  );
}

describe('sections by age', () => {
  it('follow VS Code: pinned first, archived last, latest first within a section', () => {
    const records = [
      aged('old', 30),
      archived('gone'),
      aged('now', 0),
      aged('week', 3),
      aged('week 2', 2),
      aged('yesterday', 1),
      aged('kept', 300, { isPinned: true }),
      archived('gone too', '2026', { isPinned: true }),
    ];
    expect(drawn(records)).toEqual([
      'Pinned: kept',
      'Today: now',
      'Yesterday: yesterday',
      'Last 7 Days: week 2 week',
      'Older: old',
      'Archived: gone gone too',
    ]);
    expect(drawn([])).toEqual([]);
  });

  it('use the date when a session was added if it was never loaded, and ignore an empty archive date', () => {
    expect(drawn([unreadRecord({ listEntry: { key, addedAt: now - 3 * dayMs } })])).toEqual(['Last 7 Days: session-1']);
    expect(drawn([archived('a', '')])).toEqual(['Today: a']);
  });
});

describe('sections by status and by tag', () => {
  it('group sessions by status, with sections for unloaded and archived ones', () => {
    const never = unreadRecord({ listEntry: { key: { ...key, sessionId: 'never' }, addedAt: 1 } });
    const records = [
      record('i'),
      record('r', { status: 'running' }),
      record('p', { status: 'pending' }),
      never,
      archived('a'),
    ];
    const expected = ['Running: r', 'Pending: p', 'Idle: i', 'Not Loaded Yet: never', 'Archived: a'];
    expect(drawn(records, 'status')).toEqual(expected);
  });

  it('show a session once for each of its tags', () => {
    const records = [tagged('a', 'ui', 'bug', 'ui'), tagged('b', 'bug'), record('c')];
    expect(drawn(records, 'tag')).toEqual(['bug: a b', 'ui: a', 'No Tags: c']);
  });

  it('contain every session exactly once in every sort order, unless they are grouped by tag', () => {
    const one = fc.record({
      days: fc.nat({ max: 40 }),
      status: fc.constantFrom('idle', 'running', 'pending', 'unknown'),
      isPinned: fc.boolean(),
      isArchived: fc.boolean(),
      isUnread: fc.boolean(),
    });
    const choice = [
      fc.constantFrom('age', 'status'),
      fc.constantFrom('updated', 'created', 'name', 'attention'),
    ] as const;
    fc.assert(
      fc.property(fc.array(one), ...choice, (ones, groupBy, sortBy) => {
        const records = ones.map(({ days, status, isPinned, isArchived, isUnread }, place) =>
          record(
            `s${place}`,
            { status, updatedAt: now - days * dayMs, sessionSettings: isArchived ? { archivedAt: 'x' } : {} },
            { isPinned, readMark: { ...readMark, isUnread } },
          ),
        );
        const sections = sectionsOf(records, groupBy, sortBy, now);
        const ids = sections.flatMap((section) => section.records.map(({ listEntry }) => listEntry.key.sessionId));
        expect(ids.toSorted()).toEqual(records.map(({ listEntry }) => listEntry.key.sessionId).toSorted());
        // The sections must not depend on the order of the input.
        expect(sectionsOf(records.toReversed(), groupBy, sortBy, now)).toEqual(sections);
      }),
    );
  });
});

describe('the sort order', () => {
  const records = [
    record('b', { updatedAt: now - 1, createdAt: 5 }),
    record('a', { updatedAt: now - 2, createdAt: 9 }),
    record('c', { updatedAt: now - 3, createdAt: 7, status: 'running' }),
    record('done', { updatedAt: now - 4, createdAt: 1, messageCount: 11 }, { readMark }),
    record('failed', { updatedAt: now - 5, createdAt: 2, messageCount: 11 }, { readMark }, failing(11)),
    record('unsent', { updatedAt: now - 6, createdAt: 3 }, {}, { outbox: [entryOf({ state: 'notSent' })] }),
    record('asks', { updatedAt: now, createdAt: 4, messageCount: 11 }, { readMark }, { waiting }),
  ];

  it('is by last update, creation, name, or attention', () => {
    const first = 'Needs You: unsent failed asks';
    expect(drawn(records, 'age', 'updated')).toEqual([first, 'Today: b a c done']);
    expect(drawn(records, 'age', 'created')).toEqual([first, 'Today: a c b done']);
    expect(drawn(records, 'age', 'name')).toEqual([first, 'Today: a b c done']);
    expect(drawn(records, 'age', 'attention')).toEqual([first, 'Unread: done', 'Today: c b a']);
  });

  it('lists sessions that need the user once, even if they are pinned, tagged, or archived', () => {
    const tags = [{ name: 'x' }, { name: 'y' }];
    const asks = record('asks', { sessionSettings: { tags } }, { isPinned: true }, { waiting });
    const unsent = archived('unsent');
    const notSent = { ...unsent, outbox: [entryOf({ state: 'notSent' })] };
    expect(drawn([asks, notSent], 'tag')).toEqual(['Needs You: unsent asks']);
  });

  it('uses the custom title', () => {
    expect(drawn([record('a', {}, { name: 'z' }), record('b')], 'age', 'name')).toEqual(['Today: b a']);
  });
});

describe('unread sessions', () => {
  const looked = (session: SessionPart, mark = readMark) => isUnreadSession(record('s', session, { readMark: mark }));

  it('are those whose number of messages has changed since the last view, once the agent is idle', () => {
    expect(looked({ messageCount: 11 })).toBe(true);
    expect(looked({ messageCount: 11, status: 'running' })).toBe(false);
    expect(looked({ messageCount: 9 })).toBe(true);
    expect(looked({ messageCount: 11, updatedAt: readMark.updatedAt })).toBe(false);
    expect(isUnreadSession(record('s', { messageCount: 11 }))).toBe(false);
  });

  it('do not include those with only changed settings, unless the agent was working at the last view', () => {
    expect(looked({ messageCount: 10 })).toBe(false);
    expect(looked({ messageCount: 10 }, { ...readMark, wasAtWork: true })).toBe(true);
  });

  it('include those marked as unread, even while the agent is working', () => {
    const marked = { ...readMark, updatedAt: now, isUnread: true };
    expect(isUnreadSession(record('s', { status: 'running' }, { readMark: marked }))).toBe(true);
  });

  it('are counted in the badge together with sessions that have unsent messages, without archived ones', () => {
    const unread = record('a', { messageCount: 11 }, { readMark });
    const away = record('b', { messageCount: 11, sessionSettings: { archivedAt: 'x' } }, { readMark });
    const unsent = record(
      'c',
      {},
      {},
      { outbox: [entryOf({ state: 'unknown' }), entryOf({ entryId: 'e2', state: 'unknown', isSearching: true })] },
    );
    expect(unsentCount(unsent)).toBe(1);
    expect([unread, away, unsent].map(attentionOf)).toEqual(['finished', undefined, 'unsent']);
    expect(describeBadge([unread, away, unsent, record('d')], t)).toEqual({
      value: 2,
      tooltip: '1 message not sent, 1 finished',
    });
    expect(describeBadge([unread], t).tooltip).toBe('1 finished');
    expect(describeBadge([], t)).toEqual({ value: 0, tooltip: '' });
  });

  it('failed only if the error is known to be the newest message', () => {
    const read = (rest: object) => attentionOf(record('a', { messageCount: 12 }, { readMark }, rest));
    const tail = { messageCount: 12, isError: true, excerpt: 'No space left', files: [] };
    expect(read(failing(12))).toBe('failed');
    expect(read(failing(11))).toBe('finished');
    expect(read({ ...failing(11), tail })).toBe('failed');
    expect(read({ ...failing(11), tail: { ...tail, isError: false, isUnreadable: true } })).toBe('finished');
  });

  it('are counted by kind in the tooltip of the badge (R46)', () => {
    const asks = record('a', { messageCount: 11 }, { readMark }, { waiting });
    const failed = record('b', { messageCount: 11 }, { readMark }, { waiting, ...failing(11) });
    const outbox = [entryOf({ state: 'notSent' }), entryOf({ entryId: 'e2', state: 'unknown' })];
    const unsent = record('c', {}, {}, { waiting, outbox });
    expect([asks, failed, unsent].map(attentionOf)).toEqual(['waiting', 'failed', 'unsent']);
    expect(describeBadge([asks, asks, failed, unsent, record('d')], t)).toEqual({
      value: 4,
      tooltip: '2 messages not sent, 1 failed, 2 may be waiting for you',
    });
  });
});

describe('a filter', () => {
  const records = [
    record('id-1', { title: 'Fix the Login' }, { name: 'Mine' }),
    { ...tagged('id-2', 'Auth'), waiting },
    record(
      'id-3',
      { messageCount: 11 },
      { readMark },
      { headers: [headerOf('m', { firstLine: 'Größe of the cart' })] },
    ),
  ];
  const none = { text: '', states: [], tags: [] } as const satisfies TreeFilter;
  const left = (text: string, part: Partial<TreeFilter> = {}, found: readonly SessionRecord[] = []) =>
    filteredRecords(
      records,
      { ...none, text, ...part },
      new Set(found.map(({ listEntry }) => keyText(listEntry.key))),
    ).map(({ listEntry }) => listEntry.key.sessionId);

  it.each([
    ['', ['id-1', 'id-2', 'id-3']],
    ['  ', ['id-1', 'id-2', 'id-3']],
    ['login', ['id-1']],
    ['mine LOGIN', ['id-1']],
    ['login auth', []],
    ['auth', ['id-2']],
    ['größe', ['id-3']],
    ['id-', ['id-1', 'id-2', 'id-3']],
  ])('finds "%s" by title, name, tag, ID, and first lines', (text, expected) => expect(left(text)).toEqual(expected));

  it('includes sessions found by message text, and can be limited to some states and tags', () => {
    expect(left('nowhere', {}, [records[1]!])).toEqual(['id-2']);
    expect(left('', { states: ['unread'] })).toEqual(['id-3']);
    expect(left('login', { states: ['unread'] })).toEqual([]);
    expect(left('', { states: ['needsYou'] })).toEqual(['id-2']);
    expect(left('login', { states: ['needsYou'] })).toEqual([]);
    expect(left('', { states: ['needsYou', 'unread'] })).toEqual(['id-2', 'id-3']);
    expect(left('', { states: ['running'] })).toEqual([]);
    expect(left('', { tags: ['Auth', 'other'] })).toEqual(['id-2']);
    expect(left('', { tags: ['auth'] })).toEqual([]);
    expect(left('', { tags: ['Auth'], states: ['unread'] })).toEqual([]);
    expect(matchesWords(records[0]!, searchWords(' '))).toBe(true);
  });

  it('is repeated for each key press with the current texts of the sessions', () => {
    const search = new SessionSearch();
    const found = (text: string, all: readonly SessionRecord[]) =>
      search.matching(all, searchWords(text)).map(({ listEntry }) => listEntry.key.sessionId);
    expect(found('', records)).toEqual(['id-1', 'id-2', 'id-3']);
    expect(found('login', records)).toEqual(['id-1']);
    expect(found('größe', records)).toEqual(['id-3']);
    const [first, ...others] = records;
    const renamed = { ...first!, listEntry: { ...first!.listEntry, name: 'Größe' } };
    expect(found('größe', [renamed, ...others])).toEqual(['id-1', 'id-3']);
    expect(found('größe', [...others, renamed])).toEqual(['id-3', 'id-1']);
    expect(found('größe', others)).toEqual(['id-3']);
  });

  it('describes itself and the number of matching sessions', () => {
    const { filter } = defaultTreeOptions;
    expect(describeFilter(filter, 3, 3, t)).toBe('');
    const describe = (part: Partial<TreeFilter>, shown = 1) => describeFilter({ ...none, ...part }, shown, 3, t);
    expect(describe({ text: 'x' }, 0)).toBe('');
    expect(describe({ text: ' x ' })).toBe('Filtered by "\u2068x\u2069": 1 of 3');
    expect(describe({ states: ['needsYou', 'unread'] })).toBe('Filtered by Needs You, Unread: 1 of 3');
    expect(describe({ tags: ['bug'], text: 'x' })).toBe('Filtered by \u2068bug\u2069, "\u2068x\u2069": 1 of 3');
    expect(describe({ tags: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] })).toMatch(/^Filtered by .*e.*, and 2 more: 1 of 3$/);
    expect(isDisguised(describe({ tags: [hostile] }))).toBe(false);
  });
});
