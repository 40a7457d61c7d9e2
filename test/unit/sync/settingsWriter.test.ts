import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSessionsClient } from '../../../src/api/client.ts';
import type { SessionSettings } from '../../../src/api/resources/session.ts';
import { openDirectTransport } from '../../../src/api/transport/openTransport.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { SessionsApi } from '../../../src/api/sessionsApi.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { startDemoService } from '../../../src/demoService/service.ts';
import { settingNames } from '../../../src/state/sessions/sessionSettings.ts';
import { Store } from '../../../src/state/store/store.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { type RecordStore, openDisk } from '../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../src/sync/storage/recordStores.ts';
import { SettingsWriter, settingsRules } from '../../../src/sync/settingsWriter.ts';
import {
  type FaultRule,
  forwardTo,
  jsonAnswer,
  type LoggedRequest,
  startFaultServer,
} from '../../fakes/faultServer.ts';
import { temporaryFolder } from './outbox/outboxRig.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const end of ends.splice(0).reverse()) await end();
});

/** Connects a client to the demo service over HTTP. The session "login" of the service has every setting. */
async function open(patch: 'merge' | 'replace', isTemporary = false) {
  const folder = await temporaryFolder();
  const demoService = await startDemoService({ patch });
  let service = forwardTo(demoService.baseUrl);
  const server = await startFaultServer({ service: (request) => service(request) });
  const transport = await openDirectTransport(server.origin);
  const api = createSessionsClient({ baseUrl: server.origin, key: () => demoService.token, transport });
  const disk = await openDisk(folder.path, silentLog);
  const store = new Store(memoryBodies());
  const clock = new FakeClock();
  const key = { origin: server.origin, sessionId: demoService.sessionIdByName.login };
  store.addSession({ key, addedAt: 1 });
  ends.push(
    () => folder.remove(),
    () => demoService.dispose(),
    () => server.dispose(),
    () => api.dispose(),
  );
  const windowOn = (files: RecordStore) => {
    const records = new RecordStores(files);
    if (isTemporary) records.keepInMemory(key.origin);
    const rules = settingsRules(records, silentLog);
    return new SettingsWriter(store, rules, clock, silentLog);
  };
  return {
    key,
    api,
    store,
    clock,
    disk,
    /** Creates a writer as in a new window. */
    newWriter: () => windowOn(disk),
    settings: async (): Promise<SessionSettings> => (await api.getSession(key.sessionId)).sessionSettings ?? {},
    patches: () =>
      server.requests
        .filter(({ method }) => method === 'PATCH')
        .map(({ body }) => (JSON.parse(body.toString()) as { sessionSettings: unknown }).sessionSettings),
    /** Responds to all later requests with the JSON that `answer` returns, instead of the demo service. */
    answerWith: (answer: (request: LoggedRequest) => unknown) => {
      service = (request) => jsonAnswer(answer(request));
    },
    fail: (fault: FaultRule['fault']) => server.addFault({ method: 'PATCH', fault, times: 1 }),
  };
}

/** The requests of a client, some of which a test replaces. */
function delegating(api: SessionsApi): SessionsApi {
  return {
    addMessage: api.addMessage.bind(api),
    getMessage: api.getMessage.bind(api),
    getSession: api.getSession.bind(api),
    listMessages: api.listMessages.bind(api),
    updateSession: api.updateSession.bind(api),
    dispose: api.dispose.bind(api),
  };
}

describe('a service that merges settings', () => {
  it('receives only the changes, and nothing is lost', async () => {
    const { key, api, newWriter, patches, settings } = await open('merge');
    const before = await settings();
    const outcome = await newWriter().write(api, key, () => ({ model: 'haiku-small' }));
    expect(outcome).toMatchObject({ kind: 'answered', differing: [], lost: {} });
    expect(patches()).toEqual([{ model: 'haiku-small' }]);
    expect(await settings()).toEqual({ ...before, model: 'haiku-small' });
  });

  it('is recognized by later writes and in other windows', async () => {
    const { key, api, newWriter, disk, patches } = await open('merge');
    await newWriter().write(api, key, () => ({ model: 'a' }));
    await newWriter().write(api, key, () => ({ model: 'b' }));
    expect(patches()).toEqual([{ model: 'a' }, { model: 'b' }]);
    expect(await settingsRules(new RecordStores(disk), silentLog).read(key.origin)).toBe('merged');
  });
});

describe('a service that replaces settings', () => {
  it('drops the other settings on the first write, and they can be restored', async () => {
    const { key, api, newWriter, settings } = await open('replace');
    const before = await settings();
    const writer = newWriter();
    const outcome = await writer.write(api, key, () => ({ model: 'haiku-small' }));
    if (outcome.kind !== 'answered') throw new Error(outcome.kind);
    const others = settingNames.filter((name) => name !== 'model' && before[name] !== undefined);
    expect(Object.keys(outcome.lost).sort()).toEqual(others.toSorted());
    expect((await settings()).tags).toBeUndefined();
    expect(await writer.write(api, key, () => outcome.lost)).toMatchObject({ kind: 'answered', lost: {} });
    expect(await settings()).toEqual({ ...before, model: 'haiku-small' });
  });

  it('loses nothing once it is recognized, even in another window', async () => {
    const { key, api, newWriter, settings } = await open('replace');
    const first = await newWriter().write(api, key, () => ({ runInWorktree: true }));
    if (first.kind !== 'answered') throw new Error(first.kind);
    await newWriter().write(api, key, () => first.lost);
    const before = await settings();
    const outcome = await newWriter().write(api, key, () => ({ model: 'other' }));
    expect(outcome).toMatchObject({ kind: 'answered', differing: [], lost: {} });
    expect(await settings()).toEqual({ ...before, model: 'other' });
  });

  it('leaves nothing on disk if it is temporary', async () => {
    const { key, api, newWriter, disk } = await open('replace', true);
    await newWriter().write(api, key, () => ({ model: 'other' }));
    expect(await disk.names('settingsRules')).toEqual([]);
  });
});

describe('a settings change', () => {
  it.each([
    [
      { kind: 'answer', status: 422 },
      { kind: 'status', status: 422 },
    ],
    [
      { kind: 'answer', status: 499 },
      { kind: 'status', status: 499 },
    ],
    [{ kind: 'answer', status: 307, headers: { location: 'https://other.test/' } }, { kind: 'redirect' }],
  ] as const)('that the service rejected (%j) is an error, and nothing is read again', async (fault, error) => {
    const { key, api, newWriter, fail } = await open('merge');
    fail(fault);
    await expect(newWriter().write(api, key, () => ({ model: 'a' }))).rejects.toMatchObject(error);
  });

  it('that was not sent is an error', async () => {
    const { key, api, newWriter } = await open('merge');
    const error = new ApiError('unreachable', 'refused', { sent: 'no' });
    const unreachable = { getSession: api.getSession.bind(api), updateSession: () => Promise.reject(error) };
    const offline = unreachable as unknown as typeof api;
    await expect(newWriter().write(offline, key, () => ({ model: 'a' }))).rejects.toBe(error);
  });

  it.each([408, 500])('with an unknown outcome (status %d) is read again', async (status) => {
    const { key, api, newWriter, fail } = await open('merge');
    fail({ kind: 'answer', status, when: 'after' });
    const outcome = await newWriter().write(api, key, () => ({ model: 'a' }));
    expect(outcome).toMatchObject({ kind: 'reread', differing: [], error: { status } });
  });

  it('is based on the current settings on the service', async () => {
    const { key, api, newWriter, settings } = await open('merge');
    await api.updateSession(key.sessionId, { tags: [{ name: 'new', metadata: { a: [1, { b: null }] } }] });
    await newWriter().write(api, key, ({ tags = [] }) => ({ tags: [...tags, { name: 'mine' }] }));
    expect((await settings()).tags).toEqual([{ name: 'new', metadata: { a: [1, { b: null }] } }, { name: 'mine' }]);
  });

  it('keeps the one before it if the service responds from a copy that lacks it (R39)', async () => {
    const { key, api, clock, newWriter, settings } = await open('merge');
    const old = await api.getSession(key.sessionId);
    const lagging: SessionsApi = { ...delegating(api), getSession: () => Promise.resolve(old) };
    const writer = newWriter();
    const add = (name: string) => writer.write(lagging, key, ({ tags = [] }) => ({ tags: [...tags, { name }] }));
    await add('first');
    await add('second');
    const names = ((await settings()).tags ?? []).map(({ name }) => name);
    expect(names.slice(-2)).toEqual(['first', 'second']);
    clock.advance(60_000);
    expect(await writer.read(lagging, key)).toEqual(old.sessionSettings);
  });

  it('is based on what this window knows if the response has no settings', async () => {
    const { key, api, store, newWriter, settings } = await open('merge');
    const { sessionSettings, ...rest } = await api.getSession(key.sessionId);
    store.takeSession(key, { ...rest, sessionSettings }, 1, 1);
    const silent: SessionsApi = { ...delegating(api), getSession: () => Promise.resolve(rest) };
    await newWriter().write(silent, key, ({ tags = [] }) => ({ tags: [...tags, { name: 'mine' }] }));
    expect((await settings()).tags).toEqual([...(sessionSettings?.tags ?? []), { name: 'mine' }]);
  });

  it('has an unknown outcome if the service returns no settings', async () => {
    const { key, api, newWriter } = await open('merge');
    const silent: SessionsApi = {
      ...delegating(api),
      getSession: async () => ({ ...(await api.getSession(key.sessionId)), sessionSettings: undefined }),
      updateSession: async (...args) => ({ ...(await api.updateSession(...args)), sessionSettings: undefined }),
    };
    const outcome = await newWriter().write(silent, key, () => ({ model: 'a' }));
    expect(outcome).toMatchObject({ kind: 'unknown', error: undefined });
  });

  it('sends nothing if there is nothing to change', async () => {
    const { key, api, newWriter, patches } = await open('merge');
    expect(await newWriter().write(api, key, () => undefined)).toEqual({ kind: 'unchanged' });
    expect(await newWriter().write(api, key, () => ({}))).toEqual({ kind: 'unchanged' });
    expect(patches()).toEqual([]);
  });

  it('clears the archive date with an empty string', async () => {
    const { key, api, newWriter, settings } = await open('merge');
    const at = new Date().toISOString();
    await newWriter().write(api, key, () => ({ archivedAt: at }));
    expect((await settings()).archivedAt).toBe(at);
    expect(await newWriter().write(api, key, () => ({ archivedAt: '' }))).toMatchObject({ differing: [] });
    expect((await settings()).archivedAt).toBeUndefined();
  });
});

describe('a write without a valid response (R26)', () => {
  it.each([
    ['a connection that broke after the service acted', { kind: 'reset', when: 'after' }, []],
    ['a connection that broke before', { kind: 'reset', when: 'before' }, ['model']],
    ['an error after the service acted', { kind: 'answer', when: 'after', status: 502 }, []],
    ['an answer that never came', { kind: 'hang', when: 'after' }, []],
    ['an answer that is no JSON', { kind: 'answer', when: 'after', body: '<html>' }, []],
  ] as const)('rereads the session and sends nothing again: %s', async (_name, fault, differing) => {
    const { key, api, newWriter, patches, settings, fail } = await open('merge');
    fail(fault);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const writing = newWriter().write(api, key, () => ({ model: 'haiku-small' }));
    if (fault.kind === 'hang') {
      await expect.poll(async () => (await settings()).model).toBe('haiku-small');
      vi.advanceTimersByTime(120_000);
    }
    expect(await writing).toMatchObject({ kind: 'reread', differing, lost: {} });
    expect(patches()).toHaveLength(1);
  });

  it('is also assumed if the response has no settings', async () => {
    const { key, api, newWriter, fail } = await open('replace');
    const { sessionId } = key;
    const body = JSON.stringify({ sessionId, status: 'idle', messageCount: 1, createdAt: 1, updatedAt: 2 });
    fail({ kind: 'answer', when: 'after', body });
    const outcome = await newWriter().write(api, key, () => ({ model: 'haiku-small' }));
    if (outcome.kind !== 'reread') throw new Error(outcome.kind);
    expect(outcome.error).toBeUndefined();
    expect(outcome.lost.tags).toHaveLength(2);
  });

  it('has an unknown outcome if the session can’t be reread either', async () => {
    const { key, api, newWriter, patches, fail } = await open('merge');
    fail({ kind: 'reset', when: 'after' });
    let readings = 0;
    const getSession: typeof api.getSession = (...parts) =>
      readings++ === 0 ? api.getSession(...parts) : Promise.reject(new Error('the network is gone'));
    const outcome = await newWriter().write({ ...api, getSession }, key, () => ({ model: 'haiku-small' }));
    expect(outcome).toMatchObject({ kind: 'unknown', change: { model: 'haiku-small' } });
    expect(patches()).toHaveLength(1);
  });

  it('is not assumed if the service rejected the request', async () => {
    const { key, api, newWriter, fail } = await open('merge');
    fail({ kind: 'answer', status: 422, body: '{"detail":"no such model"}' });
    await expect(newWriter().write(api, key, () => ({ model: 'x' }))).rejects.toMatchObject({ status: 422 });
  });
});

describe.each(['merge', 'replace'] as const)('a service with settings that Lineside cannot read, %s', (patch) => {
  const received = {
    model: { id: 'sonnet' },
    tags: [{ name: 'bug' }, { label: 'no name' }, 'plain'],
    enabledToolIds: [7],
    runInWorktree: 'when asked',
  };

  /** A service that stores what it receives, and a writer that knows nothing about it. */
  async function openRaw() {
    let stored: Record<string, unknown> = { ...received };
    const rig = await open(patch);
    rig.answerWith(({ method, body }) => {
      if (method === 'PATCH') {
        const { sessionSettings } = JSON.parse(body.toString()) as { sessionSettings: Record<string, unknown> };
        stored = patch === 'merge' ? { ...stored, ...sessionSettings } : sessionSettings;
      }
      const { sessionId } = rig.key;
      return { sessionId, status: 'idle', messageCount: 1, createdAt: 1, updatedAt: 2, sessionSettings: stored };
    });
    return { ...rig, stored: () => stored };
  }

  it('keeps all of them when others are changed, in the first write and in later ones', async () => {
    const { api, key, newWriter, stored } = await openRaw();
    const writer = newWriter();
    await writer.write(api, key, () => ({ compactionModel: 'small' }));
    expect(stored()).toEqual({ ...received, compactionModel: 'small' });
    await writer.write(api, key, ({ tags = [] }) => ({ tags: [...tags, { name: 'new' }] }));
    expect(stored()).toEqual({ ...received, compactionModel: 'small', tags: [...received.tags, { name: 'new' }] });
    await writer.write(api, key, () => ({ model: 'haiku' }));
    expect(stored()).toMatchObject({ model: 'haiku', enabledToolIds: [7], runInWorktree: 'when asked' });
  });
});

it('an error that the API client doesn’t know is passed on without reading the settings again', async () => {
  const { api, key, newWriter } = await open('merge');
  let reads = 0;
  const broken: SessionsApi = {
    ...api,
    getSession: (...given) => {
      reads++;
      return api.getSession(...given);
    },
    updateSession: () => Promise.reject(new TypeError('broken')),
  };
  await expect(newWriter().write(broken, key, () => ({ model: 'a' }))).rejects.toThrow('broken');
  expect(reads).toBe(1);
});
