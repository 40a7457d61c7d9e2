import { afterEach, describe, expect, it } from 'vitest';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { MemoryRecordStore } from '../../../../src/sync/storage/memoryRecordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { Connections } from '../../../../src/sync/connection/connections.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { type FaultServer, jsonAnswer, startFaultServer } from '../../../fakes/faultServer.ts';
import { sessionJson } from '../../api/rig.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a service that accepts only this key. */
async function serviceWith(key: string, beforeAnswer = () => Promise.resolve()): Promise<FaultServer> {
  const server = await startFaultServer({
    service: async ({ headers }) => {
      await beforeAnswer();
      return headers.authorization === `Bearer ${key}` ? jsonAnswer(sessionJson) : jsonAnswer({ detail: 'no' }, 401);
    },
  });
  ends.push(() => server.dispose());
  return server;
}

/** Opens connections whose settings and keys the test controls. */
function openConnections() {
  const sources = {
    url: '',
    services: {} as Record<string, unknown>,
    way: 'direct' as 'direct' | 'editor',
    keys: new Map<string, string>(),
    reads: [] as string[],
  };
  const changes = new Emitter<void>();
  const store = new Store(memoryBodies());
  const announced: string[] = [];
  store.onDidChange(({ type }) => type === 'connection' && announced.push(store.connection.kind));
  const connections = new Connections(
    store,
    {
      baseUrl: () => sources.url,
      services: () => sources.services,
      network: () => ({ route: sources.way, httpProxy: '' }),
      readKey(origin) {
        sources.reads.push(origin);
        return Promise.resolve(sources.keys.get(origin));
      },
      onDidChange: changes.event,
    },
    new RecordStores(new MemoryRecordStore()),
    new FakeClock(7),
    silentLog,
  );
  ends.push(() => connections.dispose());
  const refuse = () => {
    if (store.connection.kind !== 'ready') throw new Error('not ready');
    const { service } = store.connection;
    store.setConnection({ kind: 'keyRejected', service, failure: { kind: 'status', status: 401, at: 1 } });
  };
  /** Fires many change events. An event only indicates that something may have changed. */
  const storm = async (count = 50) => {
    for (let event = 0; event < count; event++) changes.fire();
    await connections.refresh();
  };
  return { sources, store, connections, announced, refuse, storm };
}

describe('a connection', () => {
  it.each([
    ['', { kind: 'noService' }],
    ['http://service.example', { kind: 'noService', failure: 'insecure' }],
    ['nonsense', { kind: 'noService', failure: 'wrongScheme' }],
    ['https://a.test/x/', { kind: 'noKey', service: { origin: 'https://a.test', baseUrl: 'https://a.test/x' } }],
  ])('has the expected state for the base URL %j', async (url, connection) => {
    const { sources, connections, store } = openConnections();
    expect(store.connection).toEqual({ kind: 'starting' });
    sources.url = url;
    await connections.refresh();
    expect(store.connection).toEqual(connection);
    expect(connections.apiFor('https://a.test')).toBeUndefined();
  });

  it('names the service before its key was read, when the window starts', async () => {
    const { sources, connections, store, announced } = openConnections();
    sources.url = 'https://a.test';
    sources.keys.set('https://a.test', 'k');
    const service = { origin: 'https://a.test', baseUrl: 'https://a.test' };
    const reading = connections.refresh();
    await Promise.resolve();
    expect(store.connection).toEqual({ kind: 'starting', service });
    expect(connections.apiFor('https://a.test')).toBeUndefined();
    await reading;
    sources.url = 'https://b.test';
    await connections.refresh();
    expect(announced).toEqual(['starting', 'ready', 'noKey']);
  });

  it('is ready with a key, and has a client for that origin only', async () => {
    const { sources, connections, store } = openConnections();
    sources.url = 'https://a.test';
    sources.keys.set('https://a.test', 'k');
    await connections.refresh();
    expect(store.connection.kind).toBe('ready');
    expect(connections.apiFor('https://a.test')).toBeDefined();
    expect(connections.apiFor('https://b.test')).toBeUndefined();
  });
});

describe('an API key', () => {
  it('is sent to its own origin only, even after the base URL changes (R9)', async () => {
    const [first, second] = [await serviceWith('key-of-first'), await serviceWith('key-of-second')];
    const { sources, connections, store } = openConnections();
    sources.url = first.origin;
    sources.keys.set(first.origin, 'key-of-first');
    await connections.refresh();
    await connections.apiFor(first.origin)?.getSession('s1');
    const firstApi = connections.apiFor(first.origin);
    sources.url = second.origin;
    await connections.refresh();
    expect(store.connection).toMatchObject({ kind: 'noKey', service: { origin: second.origin } });
    expect(connections.apiFor(second.origin)).toBeUndefined();
    expect(connections.apiFor(first.origin)).toBeUndefined();
    await expect(firstApi?.getSession('s1')).rejects.toMatchObject({ kind: 'cancelled' });
    expect(second.requests).toEqual([]);

    sources.keys.set(second.origin, 'key-of-second');
    await connections.refresh();
    await connections.apiFor(second.origin)?.getSession('s1');
    expect(first.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-of-first']);
    expect(second.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer key-of-second']);
  });

  it('is not sent by an existing client after it is removed', async () => {
    const server = await serviceWith('k');
    const { sources, connections } = openConnections();
    sources.url = server.origin;
    sources.keys.set(server.origin, 'k');
    await connections.refresh();
    const api = connections.apiFor(server.origin);
    sources.keys.clear();
    await expect(api?.getSession('s1')).rejects.toMatchObject({ code: 'NO_KEY', sent: 'no' });
    await connections.refresh();
    expect(connections.apiFor(server.origin)).toBeUndefined();
    expect(server.requests).toEqual([]);
  });

  it('is not used again after it is rejected, until it changes or the user retries (R12)', async () => {
    const { sources, connections, store, refuse, storm, announced } = openConnections();
    sources.url = 'https://a.test';
    sources.keys.set('https://a.test', 'old');
    await connections.refresh();
    refuse();
    announced.length = 0;
    await storm();
    expect(store.connection.kind).toBe('keyRejected');
    expect(connections.apiFor('https://a.test')).toBeUndefined();
    expect(announced).toEqual([]);
    await connections.refresh(true);
    expect(store.connection.kind).toBe('ready');
    refuse();
    sources.keys.set('https://a.test', 'new');
    await storm();
    expect(store.connection.kind).toBe('ready');
    refuse();
    sources.keys.delete('https://a.test');
    await storm();
    expect(store.connection.kind).toBe('noKey');
  });
});

describe('a response that rejects the API key', () => {
  /** Opens a connection with the key `old` to a service that accepts only `key`. */
  async function openWith(key: string, beforeAnswer?: () => Promise<void>) {
    const server = await serviceWith(key, beforeAnswer);
    const rig = openConnections();
    rig.sources.url = server.origin;
    rig.sources.keys.set(server.origin, 'old');
    await rig.connections.refresh();
    const api = rig.connections.apiFor(server.origin);
    if (!api) throw new Error('not connected');
    return { ...rig, server, api };
  }

  it.each<[string, (api: SessionsApi) => Promise<unknown>]>([
    ['reads a session', (api) => api.getSession('s1')],
    ['lists messages', (api) => api.listMessages('s1')],
    ['reads a message', (api) => api.getMessage('s1', 'm1')],
    ['adds a message', (api) => api.addMessage('s1', { text: 'hello' })],
    ['changes settings', (api) => api.updateSession('s1', {})],
  ])('is recorded for a request that %s (R12)', async (_, request) => {
    const { api, server, store, connections } = await openWith('another');
    await expect(request(api)).rejects.toMatchObject({ status: 401 });
    expect(store.connection).toMatchObject({ kind: 'keyRejected', failure: { status: 401, detail: 'no', at: 7 } });
    expect(connections.apiFor(server.origin)).toBeUndefined();
  });

  it('is not recorded if the key has changed since the request was sent', async () => {
    let beforeAnswer = () => Promise.resolve();
    const { api, server, sources, connections, store } = await openWith('new', () => beforeAnswer());
    beforeAnswer = () => {
      sources.keys.set(server.origin, 'new');
      return connections.refresh();
    };
    await expect(api.getSession('s1')).rejects.toMatchObject({ status: 401 });
    expect(store.connection.kind).toBe('ready');
    await connections.apiFor(server.origin)?.getSession('s1');
    expect(store.connection.kind).toBe('ready');
  });

  it('is recorded only for the service that sent it, and not for a trial', async () => {
    const { connections, store, server, sources } = await openWith('another');
    const other = await serviceWith('another');
    sources.services = { other: other.origin };
    sources.keys.set(other.origin, 'old');
    await connections.refresh();
    const trial = connections.openTrial({ origin: server.origin, baseUrl: server.origin }, 'tried');
    await expect(trial.getSession('s1')).rejects.toMatchObject({ status: 401 });
    trial.dispose();
    await expect(connections.apiFor(other.origin)?.getSession('s1')).rejects.toMatchObject({ status: 401 });
    expect(store.connectionOf(other.origin).kind).toBe('keyRejected');
    expect(store.connectionOf(server.origin).kind).toBe('ready');
  });
});

describe('a burst of change events (R11)', () => {
  it('creates no client, request, or announcement if nothing changed', async () => {
    const server = await serviceWith('k');
    const { sources, connections, storm, announced } = openConnections();
    sources.url = server.origin;
    sources.keys.set(server.origin, 'k');
    await connections.refresh();
    const api = connections.apiFor(server.origin);
    await api?.getSession('s1');
    await storm(200);
    expect(connections.apiFor(server.origin)).toBe(api);
    expect(announced).toEqual(['starting', 'ready']);
    expect(server.requests).toHaveLength(1);
    await api?.getSession('s1');
    expect(server.connectionCount).toBe(1);
  });

  it('applies a changed key, base URL, or route', async () => {
    const { sources, connections, storm, announced } = openConnections();
    sources.url = 'https://a.test';
    sources.keys.set('https://a.test', 'k');
    await storm(3);
    const first = connections.apiFor('https://a.test');
    sources.keys.set('https://a.test', 'k2');
    await storm(3);
    expect(connections.apiFor('https://a.test')).toBe(first);
    sources.way = 'editor';
    await storm(3);
    expect(connections.apiFor('https://a.test')).not.toBe(first);
    sources.url = 'https://a.test/prefix';
    await storm(3);
    expect(announced).toEqual(['starting', 'ready', 'ready', 'ready']);
  });
});

describe('several services', () => {
  it('have names that are shown only if there is more than one service', async () => {
    const { sources, connections, store, storm } = openConnections();
    sources.url = 'https://a.test';
    sources.keys.set('https://a.test', 'k');
    sources.services = { Work: 'https://a.test/' };
    await connections.refresh();
    expect(store.connection).toEqual({
      kind: 'ready',
      service: { origin: 'https://a.test', baseUrl: 'https://a.test' },
    });
    sources.services = { Work: 'https://a.test/', Home: 'https://b.test' };
    await storm();
    expect(store.connection).toMatchObject({ service: { name: 'Work' } });
    const api = connections.apiFor('https://a.test');
    sources.services = { Office: 'https://a.test', Home: 'https://b.test' };
    await storm();
    expect(store.connection).toMatchObject({ service: { name: 'Office' } });
    expect(connections.apiFor('https://a.test')).toBe(api);
    await connections.useTemporary({ baseUrl: 'http://127.0.0.1:9', key: 'd', name: 'Demo' });
    expect(store.connection).toMatchObject({ service: { name: 'Demo', isTemporary: true } });
  });
});

describe('a service that temporarily replaces the configured one', () => {
  it('uses its own key, reads no stored key, and restores the configured service afterward', async () => {
    const [own, demo] = [await serviceWith('own-key'), await serviceWith('demo-key')];
    const { sources, connections, store } = openConnections();
    sources.url = own.origin;
    sources.keys.set(own.origin, 'own-key');
    await connections.refresh();
    sources.reads.length = 0;
    await connections.useTemporary({ baseUrl: demo.origin, key: 'demo-key' });
    expect(connections.isTemporary).toBe(true);
    expect(store.connection).toMatchObject({ kind: 'ready', service: { origin: demo.origin, isTemporary: true } });
    await connections.apiFor(demo.origin)?.getSession('s1');
    expect(sources.reads).toEqual([]);
    expect(connections.apiFor(own.origin)).toBeUndefined();
    await connections.useTemporary(undefined);
    expect(connections.isTemporary).toBe(false);
    expect(store.connection).toMatchObject({ kind: 'ready', service: { origin: own.origin } });
    await connections.apiFor(own.origin)?.getSession('s1');
    expect(own.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer own-key']);
    expect(demo.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer demo-key']);
  });
});

describe('after dispose', () => {
  it('announces and sends nothing, and provides no client', async () => {
    const server = await serviceWith('k');
    const { sources, connections, storm, announced } = openConnections();
    sources.url = server.origin;
    sources.keys.set(server.origin, 'k');
    await connections.refresh();
    const api = connections.apiFor(server.origin);
    connections.dispose();
    sources.keys.set(server.origin, 'other');
    announced.length = 0;
    await storm();
    expect(connections.apiFor(server.origin)).toBeUndefined();
    await expect(api?.getSession('s1')).rejects.toMatchObject({ kind: 'cancelled' });
    expect(announced).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});
