import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { HistoryCursor } from '../../../../src/sync/history/historyCursor.ts';
import { key } from './historyRig.ts';

const at = (createdAt: number): Message => ({ id: `m${createdAt}`, createdAt, updatedAt: createdAt, content: [] });
const oldestFirst = [at(1), at(2)];
const state = { status: 'idle', messageCount: 3, updatedAt: 5 };

describe('the place in the history of a session', () => {
  it('is where the next older page starts, if the list starts with the newest message', () => {
    const cursor = new HistoryCursor(key);
    expect([cursor.completeness, cursor.saved]).toEqual(['unread', undefined]);
    cursor.loadedOlder('c1');
    expect([cursor.olderCursor, cursor.completeness]).toEqual(['c1', 'partial']);
    cursor.continueAt('c2');
    expect(cursor.olderCursor).toBe('c2');
    cursor.loadedOlder(undefined);
    expect([cursor.olderCursor, cursor.completeness]).toEqual([undefined, 'complete']);
  });

  it('includes the cursors of the last ten pages, if the list starts with the oldest message', () => {
    const cursor = new HistoryCursor(key);
    cursor.loadedNext(undefined, 'c1');
    expect([cursor.tailCursor, cursor.recentCursor, cursor.completeness]).toEqual([undefined, undefined, 'partial']);
    for (let page = 1; page <= 10; page++) cursor.loadedNext(`c${page}`, `c${page + 1}`);
    expect([cursor.tailCursor, cursor.recentCursor]).toEqual(['c10', 'c1']);
    cursor.loadedNext('c10', undefined);
    expect([cursor.recentCursor, cursor.completeness]).toEqual(['c1', 'complete']);
    cursor.loadedNext('c11', undefined);
    expect([cursor.tailCursor, cursor.recentCursor]).toEqual(['c11', 'c2']);
    cursor.dropTailCursor();
    expect([cursor.tailCursor, cursor.recentCursor]).toEqual([undefined, 'c2']);
    cursor.dropRecentCursors();
    expect(cursor.recentCursor).toBeUndefined();
  });

  it('keeps the first order that it learned', () => {
    const cursor = new HistoryCursor(key);
    cursor.learnOrder([]);
    expect(cursor.order).toBe('unknown');
    cursor.learnOrder(oldestFirst);
    cursor.learnOrder(oldestFirst.toReversed());
    expect(cursor.order).toBe('oldestFirst');
  });

  it.each([
    ['status', { status: 'running' }],
    ['message count', { messageCount: 4 }],
    ['time', { updatedAt: 6 }],
  ])('belongs to one state of the session, not to one with another %s', (_what, change) => {
    const cursor = new HistoryCursor(key);
    expect(cursor.isReadAt(state)).toBe(false);
    cursor.markReadAt(state);
    expect(cursor.isReadAt({ ...state })).toBe(true);
    expect(cursor.isReadAt({ ...state, ...change })).toBe(false);
  });

  it('is settled if all messages were read while the agent was idle', () => {
    const cursor = new HistoryCursor(key);
    expect(cursor.settledCount).toBeUndefined();
    cursor.markReadAt(state);
    expect(cursor.settledCount).toBe(3);
    cursor.lag.settle(1, 0, 0);
    expect([cursor.settledCount, cursor.isReadAt(state)]).toEqual([undefined, false]);
    cursor.lag.settle(0, 0, 0);
    cursor.markReadAt({ ...state, status: 'running' });
    expect(cursor.settledCount).toBeUndefined();
  });

  it('continues in another window as it was saved', () => {
    const cursor = new HistoryCursor(key);
    cursor.learnOrder(oldestFirst);
    cursor.loadedNext('c1', 'c2');
    cursor.markReadAt(state);
    cursor.roles.stops.set('user', 'r1').set('tool', undefined);
    cursor.roles.unnamed.add('m7');
    cursor.lag.settle(2, 0, 0);
    const other = new HistoryCursor(key);
    other.resume(cursor.saved!);
    expect(other.saved).toEqual(cursor.saved);
    expect(cursor.saved).toMatchObject({
      order: 'oldestFirst',
      tailCursor: 'c1',
      completeness: 'partial',
      readAt: state,
      roleStops: [
        ['user', 'r1'],
        ['tool', null],
      ],
      unnamedIds: ['m7'],
      missingCount: 2,
    });
    expect([...other.roles.stops]).toEqual([
      ['user', 'r1'],
      ['tool', undefined],
    ]);
  });
});

describe('loading that the user stopped', () => {
  it('aborts the current request but not later ones', () => {
    const cursor = new HistoryCursor(key);
    const { stopSignal } = cursor;
    expect([cursor.isStopped, stopSignal.aborted]).toEqual([false, false]);
    cursor.stop();
    expect([cursor.isStopped, stopSignal.aborted, cursor.stopSignal.aborted]).toEqual([true, true, false]);
    cursor.unstop();
    expect(cursor.isStopped).toBe(false);
  });

  it('skips the rest only of a list that starts with the oldest message', () => {
    const newest = new HistoryCursor(key);
    newest.learnOrder(oldestFirst.toReversed());
    newest.loadedOlder('c1');
    newest.stop();
    expect([newest.isTailSkipped, newest.isLongLoad]).toEqual([false, false]);
    newest.beginBackfill();
    expect([newest.isBackfilling, newest.isLongLoad]).toEqual([true, true]);
    newest.endBackfill();
    expect(newest.isBackfilling).toBe(false);
    const oldest = new HistoryCursor(key);
    oldest.learnOrder(oldestFirst);
    expect(oldest.isLongLoad).toBe(false);
    oldest.loadedNext(undefined, 'c1');
    expect([oldest.isTailSkipped, oldest.isLongLoad]).toEqual([false, true]);
    oldest.stop();
    expect(oldest.isTailSkipped).toBe(true);
    oldest.loadedNext('c1', undefined);
    expect([oldest.isTailSkipped, oldest.isLongLoad]).toEqual([false, false]);
  });
});

describe('work that is shared by several callers', () => {
  it('loads the rest again only after the running load has ended, and restores once', async () => {
    const cursor = new HistoryCursor(key);
    let [loads, restores] = [0, 0];
    const load = () => {
      loads++;
      return Promise.resolve();
    };
    const restore = () => {
      restores++;
      return Promise.resolve();
    };
    await Promise.all([cursor.loadRestOnce(load), cursor.loadRestOnce(load)]);
    expect(loads).toBe(1);
    await cursor.loadRestOnce(load);
    expect(loads).toBe(2);
    await cursor.restoreOnce(restore);
    await cursor.restoreOnce(restore);
    expect(restores).toBe(1);
  });
});
