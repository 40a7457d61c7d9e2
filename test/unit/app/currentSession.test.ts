import type { Memento } from 'vscode';
import { beforeEach, describe, expect, it } from 'vitest';
import { rememberCurrent } from '../../../src/app/currentSession.ts';
import { Store } from '../../../src/state/store/store.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { key } from '../state/samples.ts';

const last = { ...key, sessionId: 'last' };
const elsewhere = { origin: 'https://other.example', sessionId: 'elsewhere' };

let stored: Map<string, unknown>;
/** Settles when the session list has been read. */
let reading: Promise<readonly []>;
let settle: (result: readonly [] | Promise<never>) => void;

/** The store of a window of this workspace, before the keys and its session list have been read. */
function newStartingWindow(): Store {
  const update = (name: string, value: unknown) => Promise.resolve(void stored.set(name, value));
  const store = new Store(memoryBodies());
  const memento = { get: (name: string) => stored.get(name), update } as unknown as Memento;
  rememberCurrent(store, memento, { settled: () => reading });
  store.setConnection({ kind: 'starting', service: serviceAt(elsewhere.origin) });
  return store;
}

/** Ends the read of the session list. */
async function endReading(result: readonly [] | Promise<never> = []): Promise<void> {
  settle(result);
  await new Promise((resolve) => setImmediate(resolve));
}

const serviceAt = (origin: string) => ({ origin, baseUrl: origin });
const ready = (origin: string) => ({ kind: 'ready', service: serviceAt(origin) }) as const;

/** The store of a window of this workspace that has read the keys, but not its session list. */
function newWindow(...others: readonly string[]): Store {
  const store = newStartingWindow();
  store.setConnections(
    ready(elsewhere.origin),
    others.map((origin) => ready(origin)),
  );
  return store;
}

const list = (store: Store, ...keys: (typeof key)[]) =>
  store.addSessions(keys.map((each) => ({ key: each, addedAt: 1 })));

beforeEach(() => {
  stored = new Map();
  reading = new Promise((resolve) => (settle = resolve));
  const store = newWindow();
  list(store, elsewhere, last);
  store.setCurrent(elsewhere);
  store.setCurrent(last);
});

describe('the current session', () => {
  it('is the stored one of another service although the sessions of the first one are listed earlier', async () => {
    const store = newStartingWindow();
    list(store, elsewhere);
    expect(store.current).toBeUndefined();
    store.setConnections(ready(elsewhere.origin), [ready(last.origin)]);
    list(store, { ...key, sessionId: 'at the top' });
    expect(store.current).toBeUndefined();
    list(store, last);
    expect(store.current).toEqual(last);
    await endReading();
    expect(store.current).toEqual(last);
  });

  it('is the stored one of the first service immediately if it is the most recent one', () => {
    newWindow().setCurrent(elsewhere);
    const store = newStartingWindow();
    list(store, elsewhere);
    expect(store.current).toEqual(elsewhere);
  });

  it.each([
    ['the most recent one is no longer listed', [last.origin]],
    ['the service of the most recent one is no longer connected', []],
  ])('is the next stored one if %s', async (_, others) => {
    const store = newStartingWindow();
    list(store, elsewhere);
    store.setConnections(
      ready(elsewhere.origin),
      others.map((origin) => ready(origin)),
    );
    await endReading();
    expect(store.current).toEqual(elsewhere);
  });

  it('is the next stored one if the session list could not be read completely', async () => {
    const store = newWindow(last.origin);
    list(store, elsewhere);
    await endReading(Promise.reject(new Error('no access')));
    expect(store.current).toEqual(elsewhere);
  });

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
