import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { SessionRow } from '../../../../src/state/sessions/sessionTree.ts';
import { TreeSubscriptions } from '../../../../src/views/sessions/treeSubscriptions.ts';

const keyOf = (sessionId: string): SessionKey => ({ origin: 'https://a.test', sessionId });
const keys = (count: number) => Array.from({ length: count }, (_, place) => keyOf(`s${place}`));
const rowOf = (sessionId: string): SessionRow => ({ kind: 'session', rowId: sessionId, key: keyOf(sessionId) });

describe('the subscriptions of the tree', () => {
  let watched: string[];
  let mostAtOnce: number;
  let watching: TreeSubscriptions;

  beforeEach(() => {
    vi.useFakeTimers();
    watched = [];
    mostAtOnce = 0;
    watching = new TreeSubscriptions({
      watch: ({ sessionId }, wantsMessages) => {
        const name = wantsMessages ? `${sessionId} with messages` : sessionId;
        watched.push(name);
        mostAtOnce = Math.max(mostAtOnce, watched.length);
        return onDispose(() => watched.splice(watched.indexOf(name), 1));
      },
    });
  });
  afterEach(() => {
    watching.dispose();
    expect(watched).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('include every session while the tree is visible, and nothing otherwise', () => {
    watching.follow(keys(3), true);
    expect(watched).toEqual(['s0', 's1', 's2']);
    watching.follow([keyOf('s1'), keyOf('new')], true);
    expect(watched).toEqual(['s1', 'new']);
    watching.follow([keyOf('s1'), keyOf('new')], false);
    expect(watched).toEqual([]);
  });

  it('start with the first 20 sessions and grow to all of them, regardless of the number of redraws', () => {
    const many = keys(60);
    watching.follow(many, true);
    expect(watched).toEqual(many.slice(0, 20).map(({ sessionId }) => sessionId));
    for (let draw = 0; draw < 50; draw++) watching.follow(many, true);
    expect(watched).toHaveLength(20);
    vi.advanceTimersByTime(1_000);
    watching.follow(many, true);
    expect(watched).toHaveLength(25);
    vi.runAllTimers();
    expect(watched).toHaveLength(60);
    watching.follow([], true);
    expect(watched).toEqual([]);
  });

  it('include the messages and children of expanded rows, also when the tree is visible again', () => {
    const row = rowOf('s0');
    watching.follow(keys(1), true);
    watching.open(row, [rowOf('child')]);
    expect(watched.toSorted()).toEqual(['child', 's0', 's0 with messages']);
    watching.open(row, [rowOf('child'), rowOf('other')]);
    expect(watched.toSorted()).toEqual(['child', 'other', 's0', 's0 with messages']);
    watching.follow(keys(1), false);
    expect(watched).toEqual([]);
    watching.follow(keys(1), true);
    expect(watched.toSorted()).toEqual(['child', 'other', 's0', 's0 with messages']);
    expect(watching.isOpen(row)).toBe(true);
    watching.close(row);
    expect(watched).toEqual(['s0']);
    expect([...watching.openRows]).toEqual([]);
  });
});
