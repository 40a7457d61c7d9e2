import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter } from '../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { SessionKey } from '../../../src/state/store/sessionKey.ts';
import { isWorking } from '../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../src/state/store/store.ts';
import { MessageCache } from '../../../src/sync/cache/messageCache.ts';
import { cacheFolder } from '../../../src/sync/cache/cacheRecord.ts';
import { systemClock } from '../../../src/sync/storage/clock.ts';
import { SyncEngine } from '../../../src/sync/syncEngine.ts';
import { JealousService } from './jealousService.ts';
import { until } from '../../fakes/until.ts';
import { temporaryFolder } from './outbox/outboxRig.ts';

describe('two services with 20 sessions each', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let services: readonly JealousService[];
  let [work, lab, trap]: readonly JealousService[] = [];
  const windows: SyncEngine[] = [];

  beforeEach(async () => {
    folder = await temporaryFolder();
    services = await JealousService.startAll(['work', 'lab', 'trap'], 20);
    [work, lab, trap] = services;
  });
  afterEach(async () => {
    for (const sync of windows.splice(0)) await sync.stopWriting();
    for (const service of services) await service.server.dispose();
    await folder.remove();
    for (const service of services) service.expectNoIntrusion();
    // Nothing but an entry in the settings ever named this service.
    expect(trap?.server.requests).toEqual([]);
  });

  /** Opens a window whose settings name all services. It has keys for two of them, and the first is the current one. */
  async function openWindow() {
    const sources = {
      url: work!.origin,
      services: Object.fromEntries(services.map(({ name, origin }): [string, unknown] => [name, origin])),
      keys: new Map([work!, lab!].map(({ origin, key }) => [origin, key])),
    };
    const changes = new Emitter<void>();
    const data = join(folder.path, 'data');
    const messages = new MessageCache({ folder: join(data, cacheFolder), clock: systemClock, log: silentLog });
    const store = new Store(messages);
    const sync = new SyncEngine({
      ...{ store, messages, clock: systemClock, folder: data, log: silentLog },
      settings: {
        baseUrl: () => sources.url,
        services: () => sources.services,
        network: () => ({ route: 'direct', httpProxy: '' }),
        readKey: (origin) => Promise.resolve(sources.keys.get(origin)),
        onDidChange: changes.event,
        pace: () => ({ runningMs: 20, idleMs: 20 }),
        whileRunning: () => 'now',
        isCacheEnabled: () => true,
        readsInBackground: () => true,
      },
      syncedMemory: { read: () => undefined, write: () => Promise.resolve() },
    });
    windows.push(sync);
    await sync.start(undefined, () => expect.fail('a file was unreadable'));
    const change = async () => {
      changes.fire();
      await sync.connections.refresh();
      await sync.sessionList.settled();
    };
    return { sources, store, sync, change };
  }

  const keysOf = ({ origin, sessionIds }: JealousService): SessionKey[] =>
    sessionIds.map((sessionId) => ({ origin, sessionId }));

  async function openFullWindow() {
    const window = await openWindow();
    for (const key of [work!, lab!].flatMap(keysOf)) await window.sync.sessionList.add(key);
    for (const key of [work!, lab!].flatMap(keysOf)) window.sync.watch(key, false);
    await until(() => window.store.records.every(({ asOf }) => asOf !== undefined));
    return window;
  }

  it('are in one list, and each session talks to its own service only (R55)', async () => {
    work!.setStatus('work-session-3', 'running');
    lab!.setStatus('lab-session-4', 'running');
    lab!.setStatus('lab-session-5', 'running');
    const { store, sync } = await openFullWindow();
    expect(store.records).toHaveLength(40);
    expect([store.recordsOf(work!.origin).length, store.recordsOf(lab!.origin).length]).toEqual([20, 20]);
    expect(store.records.filter(({ session }) => isWorking(session))).toHaveLength(3);
    expect(store.connections).toMatchObject([
      { kind: 'ready', service: { origin: work!.origin, name: 'work', isAmongSeveral: true } },
      { kind: 'ready', service: { origin: lab!.origin, name: 'lab', isAmongSeveral: true } },
    ]);

    const [ofWork, ofLab] = [keysOf(work!)[0]!, keysOf(lab!)[0]!];
    for (const key of [ofWork, ofLab]) sync.read(key);
    for (const key of [ofWork, ofLab])
      await sync.outbox.enqueue(key, { text: `For ${key.sessionId}`, attachments: [] });
    await until(() => work!.texts(ofWork.sessionId).length === 2 && lab!.texts(ofLab.sessionId).length === 2);
    expect(work!.texts(ofWork.sessionId)[1]).toBe(`For ${ofWork.sessionId}`);
    expect(lab!.texts(ofLab.sessionId)[1]).toBe(`For ${ofLab.sessionId}`);
    for (const key of [ofWork, ofLab]) {
      await until(() => store.record(key)?.headers.length === 2);
      expect(store.record(key)?.headers[0]?.firstLine).toBe(`Hello of ${key.sessionId}`);
    }
  });

  it('keep working when the other one rejects its key', async () => {
    const { store, sources, change } = await openFullWindow();
    lab!.isClosed = true;
    await until(() => store.connectionOf(lab!.origin).kind === 'keyRejected');
    expect(store.connection.kind).toBe('ready');
    await fetchAll(lab!);
    const seen = lab!.server.requests.length;
    const before = work!.server.requests.length;
    await until(() => work!.server.requests.length > before + 4);
    expect(lab!.server.requests).toHaveLength(seen);
    expect(store.records).toHaveLength(40);
    sources.keys.delete(lab!.origin);
    await change();
    expect(store.connections).toMatchObject([{ kind: 'ready', service: { origin: work!.origin } }]);
    expect(store.records.map(({ listEntry }) => listEntry.key.origin)).toEqual(Array(20).fill(work!.origin));
  });

  it('stay connected while another one becomes the current one, without another request', async () => {
    const { store, sync, sources, change } = await openFullWindow();
    const apis = [work!, lab!].map(({ origin }) => sync.connections.apiFor(origin));
    const changed: string[] = [];
    store.onDidChange((event) => event.type === 'connection' && changed.push(...event.origins));
    sources.url = lab!.origin;
    await change();
    expect(store.connection).toMatchObject({ kind: 'ready', service: { origin: lab!.origin } });
    expect(store.records).toHaveLength(40);
    expect([work!, lab!].map(({ origin }) => sync.connections.apiFor(origin))).toEqual(apis);
    expect(changed).toEqual([]);
  });

  it('are all replaced by the demo, and return after it', async () => {
    const { store, sync } = await openFullWindow();
    const demo = { baseUrl: 'http://127.0.0.1:9', key: 'demo-key', name: 'Demo' };
    await sync.connections.useTemporary(demo);
    await sync.sessionList.settled();
    expect(store.connections).toMatchObject([{ service: { origin: demo.baseUrl, isTemporary: true } }]);
    expect([store.records.length, sync.connections.apiFor(lab!.origin)]).toEqual([0, undefined]);
    await sync.connections.useTemporary(undefined);
    await sync.sessionList.settled();
    expect(store.records).toHaveLength(40);
  });

  it('are in the list of the next window, with the first connected one as the current one if none is chosen', async () => {
    const first = await openFullWindow();
    await first.sync.stopWriting();
    windows.length = 0;
    const { store, sources, change } = await openWindow();
    expect(store.records).toHaveLength(40);
    expect(store.records.every(({ isRemembered }) => isRemembered)).toBe(true);
    sources.url = '';
    await change();
    expect(store.connection).toMatchObject({ kind: 'ready', service: { origin: work!.origin } });
    sources.services = {};
    await change();
    expect(store.connection).toEqual({ kind: 'noService' });
    expect(store.records).toEqual([]);
  });

  /** Waits until a service has responded to the requests that it received before. */
  async function fetchAll({ origin }: JealousService): Promise<void> {
    const service = services.find((one) => one.origin === origin)!;
    const { key, sessionIds } = service;
    await fetch(`${origin}/api/v0/sessions/${sessionIds[0]}`, { headers: { authorization: `Bearer ${key}` } });
  }
});
