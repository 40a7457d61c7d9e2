import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../../../src/state/store/sessionRecord.ts';
import { type SessionSection, sectionsOf } from '../../../../src/state/sessions/sections.ts';
import {
  type SessionRow,
  SessionTree,
  childrenPerPage,
  messagesPerPage,
  sessionsPerPage,
  type TreeRow,
} from '../../../../src/state/sessions/sessionTree.ts';
import { callOf, headerOf, key, now, recordOf, resultOf, sessionOf } from '../samples.ts';

const dayMs = 86_400_000;
const keyOf = (sessionId: string, origin = key.origin) => ({ origin, sessionId });
const aged = (sessionId: string, days: number) =>
  recordOf({
    listEntry: { key: keyOf(sessionId), addedAt: 1 },
    session: sessionOf({ updatedAt: now - days * dayMs, title: sessionId }),
  });
const byAge = (...records: SessionRecord[]): SessionSection[] => sectionsOf(records, 'age', 'updated', now);

/** Returns a tree with these sessions, and the row of the first one. */
function treeOf(...records: SessionRecord[]): { tree: SessionTree; row: SessionRow } {
  const tree = new SessionTree();
  tree.arrange(byAge(...records));
  return { tree, row: tree.rowsOf(records[0]!.listEntry.key)[0]! };
}

describe('a change of the tree', () => {
  it('is "everything" if a section was added or removed, and otherwise lists the changed sections', () => {
    const tree = new SessionTree();
    const [a, b, old] = [aged('a', 0), aged('b', 0), aged('old', 30)];
    expect(tree.arrange(byAge(a, b, old))).toBe('everything');
    expect(tree.arrange(byAge(a, b, old))).toEqual([]);
    expect(tree.arrange(byAge(a, b, recordOf({ ...old, asOf: now })))).toEqual([]);
    const [today] = tree.sections;
    expect(tree.arrange(byAge(a, old))).toEqual([today]);
    expect(tree.arrange(byAge(a))).toBe('everything');
    expect(tree.arrange([])).toBe('everything');
    expect(tree.arrange([])).toEqual([]);
  });
});

describe('the sessions of a section', () => {
  const many = (count: number) => Array.from({ length: count }, (_, place) => aged(String(place), 30 + place / 1_000));
  const namesOf = (rows: readonly TreeRow[]) => rows.map((row) => ('key' in row ? row.key.sessionId : row.kind));
  const names = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => String(from + place));
  const [page, all] = [sessionsPerPage, 2 * sessionsPerPage + 50];

  /** A tree with one section. */
  function longTree(records = many(all)) {
    const tree = new SessionTree();
    tree.arrange(byAge(...records));
    const section = tree.sections[0]!;
    return { tree, section, names: () => namesOf(tree.sectionRows(section)) };
  }

  it('are shown one page at a time, followed by a row for the others', () => {
    const { tree, section, names: shown } = longTree();
    expect(shown()).toEqual([...names(0, page), 'moreSessions']);
    expect(tree.hiddenCount(section)).toBe(all - page);
    expect(tree.showMoreSessions(section)).toBe(tree.rowsOf(keyOf(String(page)))[0]);
    expect(shown()).toEqual([...names(0, 2 * page), 'moreSessions']);
    expect(tree.hiddenCount(section)).toBe(50);
    expect(tree.showMoreSessions(section)).toBe(tree.rowsOf(keyOf(String(2 * page)))[0]);
    expect(shown()).toEqual(names(0, all));
    expect(tree.hiddenCount(section)).toBe(0);
    expect(tree.showMoreSessions(section)).toBeUndefined();
  });

  it('have no row for the others if all of them are shown', () => {
    expect(longTree(many(page)).names()).toEqual(names(0, page));
    expect(
      longTree(many(page + 1))
        .names()
        .at(-1),
    ).toBe('moreSessions');
  });

  it('refresh only the row for the others if one of those is added, changed, or removed', () => {
    const records = many(page + 2);
    const { tree, section } = longTree(records);
    const more = tree.sectionRows(section).at(-1);
    const renamed = records.map((record) =>
      record === records.at(-1) ? { ...record, session: sessionOf({ ...record.session, title: 'Renamed' }) } : record,
    );
    expect(tree.arrange(byAge(...renamed))).toEqual([]);
    expect(tree.arrange(byAge(...renamed, aged('oldest', 40)))).toEqual([more]);
    expect(tree.arrange(byAge(...records.slice(0, -1)))).toEqual([more]);
    expect(tree.hiddenCount(section)).toBe(1);
    expect(tree.arrange(byAge(...records.slice(0, page)))).toEqual([section]);
    expect(tree.arrange(byAge(...records))).toEqual([section]);
    expect(tree.parentOf(tree.sectionRows(section).at(-1)!)).toBe(section);
  });

  it('include the revealed one, until another one is revealed', () => {
    const { tree, section, names: shown } = longTree();
    const [far, farther] = [String(page + 20), String(2 * page + 20)];
    expect(tree.reveal(keyOf('0'))).toBeUndefined();
    expect(tree.reveal(keyOf('unknown'))).toBeUndefined();
    expect(tree.reveal(keyOf(far))).toBe(section);
    expect(shown()).toEqual([...names(0, page), far, 'moreSessions']);
    expect(tree.hiddenCount(section)).toBe(all - page - 1);
    expect(tree.parentOf(tree.rowsOf(keyOf(far))[0]!)).toBe(section);
    expect(tree.arrange(byAge(...many(all)))).toEqual([]);
    expect(tree.reveal(keyOf(far))).toBeUndefined();
    expect(tree.reveal(keyOf(farther))).toBe(section);
    expect(shown()).toEqual([...names(0, page), farther, 'moreSessions']);
    tree.showMoreSessions(section);
    expect(shown()).toEqual([...names(0, 2 * page), farther, 'moreSessions']);
    tree.showMoreSessions(section);
    expect(shown()).toEqual(names(0, all));
  });

  it('include the revealed one when it moves below the shown ones', () => {
    const { tree, section, names: shown } = longTree();
    expect(tree.reveal(keyOf('0'))).toBeUndefined();
    const [newest, ...others] = many(all);
    expect(tree.arrange(byAge(...others, aged(newest!.listEntry.key.sessionId, 40)))).toEqual([section]);
    expect(shown()).toEqual([...names(1, page + 1), '0', 'moreSessions']);
  });

  it('include the revealed one once it is listed', () => {
    const { tree, section, names: shown } = longTree();
    tree.reveal(keyOf('new'));
    expect(tree.arrange(byAge(...many(all), aged('new', 40)))).toEqual([section]);
    expect(shown().slice(page)).toEqual(['new', 'moreSessions']);
  });
});

describe('rows', () => {
  it('keep their identity when their session moves to another section', () => {
    const { tree, row } = treeOf(aged('a', 0), aged('b', 0));
    tree.arrange(byAge(aged('a', 30), aged('b', 0)));
    expect(tree.rowsOf(keyOf('a'))).toEqual([row]);
    expect(tree.rowsOf(keyOf('a'))[0]).toBe(row);
    expect(tree.parentOf(row)).toBe(tree.sections[1]);
    const record = recordOf({ headers: [headerOf('m1')] });
    expect(tree.messages(row, record)[0]).toBe(tree.messages(row, record)[0]);
  });

  it('of changed files keep their identity, and are below the row of the changes', () => {
    const { tree, row } = treeOf(aged('a', 0));
    const changes = tree.changes(row);
    expect(tree.changes(row)).toBe(changes);
    expect(tree.parentOf(changes)).toBe(row);
    const [first, second] = tree.changedFiles(changes, ['src/a.ts', 'src/b.ts']);
    expect(tree.changedFiles(changes, ['src/b.ts'])[0]).toBe(second);
    expect(tree.parentOf(first!)).toBe(changes);
    tree.arrange([]);
    expect(tree.changes(row)).not.toBe(changes);
  });

  it('have a distinct ID for each item and each position of a session', () => {
    const tags = [{ name: 'x' }, { name: 'y' }];
    const record = recordOf({ session: sessionOf({ sessionSettings: { tags } }), headers: [headerOf('m1')] });
    const tree = new SessionTree();
    tree.arrange(sectionsOf([record, aged('a', 0)], 'tag', 'updated', now));
    const places = tree.rowsOf(key);
    expect(places).toHaveLength(2);
    const rows = [...tree.sections, ...places, ...tree.rowsOf(keyOf('a'))];
    const inner = places.flatMap((place) => [...tree.messages(place, record), ...tree.children(place, ['a', 'c'])]);
    expect(new Set([...rows, ...inner].map(({ rowId }) => rowId)).size).toBe(rows.length + inner.length);
  });

  it('are dropped with their descendants when their session is removed', () => {
    const { tree, row } = treeOf(aged('a', 0), aged('b', 0));
    const [child] = tree.children(row, ['c']);
    expect(tree.rowsOf(keyOf('c'))).toEqual([child]);
    tree.arrange(byAge(aged('b', 0)));
    expect(tree.rowsOf(keyOf('a'))).toEqual([]);
    expect(tree.rowsOf(keyOf('c'))).toEqual([]);
    tree.arrange(byAge(aged('a', 0), aged('b', 0)));
    expect(tree.rowsOf(keyOf('a'))[0]).not.toBe(row);
  });
});

describe('the messages of a session', () => {
  const withMessages = (count: number, completeness: SessionRecord['history']['completeness']) =>
    recordOf({
      ...aged('s', 0),
      headers: Array.from({ length: count }, (_, place) => headerOf(`m${place}`)),
      history: { completeness, isLoading: false },
    });
  const shape = (rows: ReturnType<SessionTree['messages']>) => ({
    first: rows[0]?.kind === 'message' ? rows[0].messageId : undefined,
    messages: rows.filter(({ kind }) => kind === 'message').length,
    hasOlder: rows.at(-1)?.kind === 'older',
  });

  it('are listed newest first, one page at a time', () => {
    const record = withMessages(250, 'complete');
    const { tree, row } = treeOf(record);
    expect(shape(tree.messages(row, record))).toEqual({ first: 'm249', messages: messagesPerPage, hasOlder: true });
    expect(tree.showOlder(record)).toBe(false);
    expect(shape(tree.messages(row, record))).toMatchObject({ messages: 200, hasOlder: true });
    expect(tree.showOlder(record)).toBe(false);
    expect(shape(tree.messages(row, record))).toMatchObject({ messages: 250, hasOlder: false });
  });

  it('are listed without results of tools', () => {
    const headers = [
      ...[headerOf('p'), callOf('c'), resultOf('r', 'c'), resultOf('u', 'c', true, { role: 'user' })],
      ...[resultOf('s', 'c', false, { hasText: true }), headerOf('end', { role: 'assistant' })],
    ];
    const record = recordOf({ ...aged('s', 0), headers });
    const { tree, row } = treeOf(record);
    const ids = tree.messages(row, record).map((each) => (each.kind === 'message' ? each.messageId : each.kind));
    expect(ids).toEqual(['end', 's', 'c', 'p']);
  });

  it('are loaded from the service if it has more', () => {
    const record = withMessages(100, 'partial');
    const { tree, row } = treeOf(record);
    expect(shape(tree.messages(row, record))).toMatchObject({ messages: 100, hasOlder: true });
    expect(tree.showOlder(record)).toBe(true);
    expect(shape(tree.messages(row, withMessages(200, 'complete')))).toMatchObject({ messages: 200, hasOlder: false });
  });

  it('are shown one page at a time, however often that was asked for while they were loaded', () => {
    const record = withMessages(100, 'partial');
    const { tree, row } = treeOf(record);
    for (let click = 0; click < 3; click += 1) expect(tree.showOlder(record)).toBe(true);
    expect(shape(tree.messages(row, withMessages(500, 'partial')))).toMatchObject({ messages: 200, hasOlder: true });
  });

  it('are paged separately for each session', () => {
    const record = withMessages(250, 'complete');
    const other = recordOf({ ...record, listEntry: { key: keyOf('other'), addedAt: 1 } });
    const { tree } = treeOf(record, other);
    tree.showOlder(record);
    expect(shape(tree.messages(tree.rowsOf(keyOf('other'))[0]!, other)).messages).toBe(100);
  });
});

describe('child sessions', () => {
  const ids = (rows: ReturnType<SessionTree['children']>) =>
    rows.map((row) => (row.kind === 'session' ? row.key.sessionId : row.kind));

  it('are listed below their parent, one page at a time', () => {
    const { tree, row } = treeOf(aged('a', 0));
    const names = Array.from({ length: childrenPerPage + 3 }, (_, place) => `c${place}`);
    expect(ids(tree.children(row, names))).toEqual([...names.slice(0, childrenPerPage), 'moreChildren']);
    tree.showMoreChildren(row.key);
    expect(ids(tree.children(row, names))).toEqual(names);
    expect(tree.parentOf(tree.children(row, ['c0'])[0]!)).toBe(row);
  });

  it('do not include ancestors', () => {
    const { tree, row } = treeOf(aged('a', 0));
    const [b] = tree.children(row, ['b']);
    expect(b?.kind === 'session' && ids(tree.children(b, ['a', 'b', 'c']))).toEqual(['c']);
  });
});
