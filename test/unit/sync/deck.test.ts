import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src/log.ts';
import { Store } from '../../../src/state/store.ts';
import { memoryBodies } from '../../../src/sync/bodies.ts';
import { Deck } from '../../../src/sync/deck.ts';
import { DeckFiles } from '../../../src/sync/deckFiles.ts';
import { openDisk } from '../../../src/sync/disk.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { CountingDisk, temporaryFolder } from './rig.ts';

const a = 'https://a.test';
const b = 'https://b.test';
const keyOf = (sessionId: string, origin = a) => ({ origin, sessionId });

describe('the deck', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function open() {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog));
    const store = new Store(memoryBodies());
    const clock = new FakeClock(1_000);
    const state = { isTemporary: false };
    const deck = new Deck(store, new DeckFiles(disk), clock, () => state.isTemporary);
    const connect = async (origin: string | undefined) => {
      if (origin === undefined) store.setConnection({ kind: 'noService' });
      else store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
      return deck.settled();
    };
    const shown = () => store.records.map((record) => `${record.deck.key.origin} ${record.deck.key.sessionId}`);
    const files = () => readdir(join(folder.path, 'deck')).catch(() => []);
    return { store, deck, clock, state, disk, connect, shown, files };
  }

  it('shows the sessions of the current service only, in the order added', async () => {
    const first = await open();
    await first.connect(a);
    for (const sessionId of ['z', 'y', 'x']) {
      first.clock.advance(10);
      await first.deck.add(keyOf(sessionId));
    }
    await first.connect(b);
    expect(first.shown()).toEqual([]);
    await first.deck.add(keyOf('z', b), 'computer');
    expect(first.shown()).toEqual([`${b} z`]);
    await first.connect(a);
    expect(first.shown()).toEqual([`${a} z`, `${a} y`, `${a} x`]);
    await first.connect(undefined);
    expect(first.shown()).toEqual([]);

    const second = await open();
    await second.connect(b);
    expect(second.shown()).toEqual([`${b} z`]);
    expect(second.store.record(keyOf('z', b))?.deck.computerId).toBe('computer');
  });

  it('is read once for a service, not for every word about its connection', async () => {
    const { deck, store, connect, shown } = await open();
    await connect(a);
    await deck.add(keyOf('x'));
    const changes: string[] = [];
    store.onDidChange(({ type }) => changes.push(type));
    const service = { origin: a, baseUrl: a };
    store.setConnection({ kind: 'noKey', service });
    store.setConnection({ kind: 'ready', service });
    await deck.settled();
    expect(changes).toEqual(['connection', 'connection']);
    expect(shown()).toEqual([`${a} x`]);
  });

  it('ends with the service that came last, however fast they change', async () => {
    const { deck, store, connect, shown } = await open();
    await connect(a);
    await deck.add(keyOf('x'));
    await connect(b);
    await deck.add(keyOf('y', b));
    for (let round = 0; round < 20; round++) {
      const origin = round % 2 === 0 ? a : b;
      store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
    }
    await deck.settled();
    expect(shown()).toEqual([`${b} y`]);
  });

  it('keeps sessions of a service that stands in for another in memory only', async () => {
    const { deck, state, connect, shown, files } = await open();
    state.isTemporary = true;
    await connect(b);
    await deck.add(keyOf('demo', b));
    expect(shown()).toEqual([`${b} demo`]);
    expect(await files()).toEqual([]);
    await deck.remove(keyOf('demo', b));
    state.isTemporary = false;
    await connect(a);
    await deck.add(keyOf('x'));
    expect(await files()).toHaveLength(1);
  });

  it('keeps the time a session was added when its computer changes', async () => {
    const { deck, clock, connect, store } = await open();
    await connect(a);
    await deck.add(keyOf('x'));
    clock.advance(5_000);
    await deck.add(keyOf('x'), 'c');
    expect(store.record(keyOf('x'))?.deck).toEqual({ key: keyOf('x'), addedAt: 1_000, computerId: 'c' });
  });

  it('does not show what could not be written', async () => {
    const { deck, disk, connect, shown } = await open();
    await connect(a);
    disk.writeError = new Error('disk full');
    await expect(deck.add(keyOf('x'))).rejects.toThrow('disk full');
    expect(shown()).toEqual([]);
  });

  it('forgets what was removed, on disk too', async () => {
    const first = await open();
    await first.connect(a);
    await first.deck.add(keyOf('x'));
    await first.deck.remove(keyOf('x'));
    expect(first.shown()).toEqual([]);
    const second = await open();
    await second.connect(a);
    expect(second.shown()).toEqual([]);
  });

  it('follows nothing after dispose', async () => {
    const { deck, connect, shown } = await open();
    await connect(a);
    await deck.add(keyOf('x'));
    deck.dispose();
    await connect(b);
    expect(shown()).toEqual([`${a} x`]);
  });
});
