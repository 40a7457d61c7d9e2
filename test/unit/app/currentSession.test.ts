import type { Memento } from 'vscode';
import { beforeEach, describe, expect, it } from 'vitest';
import { rememberCurrent } from '../../../src/app/currentSession.ts';
import { Store } from '../../../src/state/store/store.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { key } from '../state/samples.ts';

const last = { ...key, sessionId: 'last' };
const elsewhere = { origin: 'https://other.example', sessionId: 'elsewhere' };

let stored: Map<string, unknown>;

/** The store of a window of this workspace, before its session list has been read. */
function newWindow(): Store {
  const update = (name: string, value: unknown) => Promise.resolve(void stored.set(name, value));
  const store = new Store(memoryBodies());
  rememberCurrent(store, { get: (name: string) => stored.get(name), update } as unknown as Memento);
  return store;
}

const list = (store: Store, ...keys: (typeof key)[]) =>
  store.addSessions(keys.map((each) => ({ key: each, addedAt: 1 })));

beforeEach(() => {
  stored = new Map();
  const store = newWindow();
  list(store, elsewhere, last);
  store.setCurrent(elsewhere);
  store.setCurrent(last);
});

describe('the current session', () => {
  it('is the stored one after a reload, or the one of another service if only that is in the list', () => {
    const store = newWindow();
    list(store, elsewhere, last);
    expect(store.current).toEqual(last);
    const other = newWindow();
    list(other, elsewhere);
    expect(other.current).toEqual(elsewhere);
  });

  it('is none after it is removed from the list, until it is added again', () => {
    const store = newWindow();
    list(store, elsewhere, last);
    store.removeSession(last);
    list(store, { ...key, sessionId: 'new' });
    expect(store.current).toBeUndefined();
    list(store, last);
    expect(store.current).toEqual(last);
  });

  it('is the one from before the demo after the demo ends', () => {
    const demo = { origin: 'http://127.0.0.1:1', sessionId: 'demo' };
    const store = newWindow();
    list(store, elsewhere, last);
    store.removeSessions([elsewhere, last]);
    list(store, demo);
    store.setCurrent(demo);
    store.removeSession(demo);
    list(store, elsewhere, last);
    expect(store.current).toEqual(last);
  });

  it('is none if the earlier current session returned while another session was the current one', () => {
    const other = { ...key, sessionId: 'other' };
    const store = newWindow();
    list(store, last, other);
    store.removeSession(last);
    store.setCurrent(other);
    list(store, last);
    expect(store.current).toEqual(other);
    store.removeSession(other);
    expect(store.current).toBeUndefined();
  });
});
