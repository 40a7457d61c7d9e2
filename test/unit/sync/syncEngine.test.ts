import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Emitter, onDispose } from '../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../src/shared/log.ts';
import type { DemoService } from '../../../src/demoService/options.ts';
import { startDemoService } from '../../../src/demoService/service.ts';
import { Store } from '../../../src/state/store/store.ts';
import { type Clock, systemClock } from '../../../src/sync/storage/clock.ts';
import { MessageCache } from '../../../src/sync/cache/messageCache.ts';
import { cacheFolder } from '../../../src/sync/cache/cacheRecord.ts';
import { withChecksum } from '../../../src/sync/storage/checksum.ts';
import { sessionRecordName } from '../../../src/sync/storage/recordNames.ts';
import { SyncEngine } from '../../../src/sync/syncEngine.ts';
import { type FaultServer, forwardTo, startFaultServer } from '../../fakes/faultServer.ts';
import { until } from '../../fakes/until.ts';
import { temporaryFolder } from './outbox/outboxRig.ts';

/** A real clock that tracks its pending timers. */
class WatchedClock implements Clock {
  readonly timers = new Set<{ readonly delayMs: number; readonly task: () => void }>();
  readonly now = systemClock.now;
  readonly random = systemClock.random;

  after(delayMs: number, task: () => void) {
    const timer = { delayMs, task };
    this.timers.add(timer);
    const handle = systemClock.after(delayMs, () => {
      this.timers.delete(timer);
      task();
    });
    return onDispose(() => {
      this.timers.delete(timer);
      handle.dispose();
    });
  }
}

describe('the sync engine', () => {
  let folder: string;
  let removeFolder: () => Promise<void>;
  let demoService: DemoService;
  let server: FaultServer;

  beforeEach(async () => {
    ({ path: folder, remove: removeFolder } = await temporaryFolder());
    demoService = await startDemoService({ agentDelayMs: 5, failOneIn: 0 });
    server = await startFaultServer({ service: forwardTo(demoService.baseUrl) });
  });
  afterEach(async () => {
    await server.dispose();
    await demoService.dispose();
    await removeFolder();
  });

  /** Opens a window on the folder. It connects to the service unless it is started with the demo. */
  function openWindow({ isCacheEnabled = true, idleMs = 20 } = {}) {
    const clock = new WatchedClock();
    const data = join(folder, 'data');
    const messages = new MessageCache({ folder: join(data, cacheFolder), clock, log: silentLog });
    const store = new Store(messages);
    const changes = new Emitter<void>();
    const sources = {
      baseUrl: () => server.origin,
      services: () => ({}),
      network: () => ({ route: 'direct' as const, httpProxy: '' }),
      readKey: () => Promise.resolve(demoService.token),
      onDidChange: changes.event,
    };
    const sync = new SyncEngine({
      ...{ store, messages, clock },
      settings: {
        ...sources,
        pace: () => ({ runningMs: 20, idleMs }),
        whileRunning: () => 'now',
        isCacheEnabled: () => isCacheEnabled,
        readsInBackground: () => true,
      },
      folder: data,
      syncedMemory: { read: () => undefined, write: () => Promise.resolve() },
      log: silentLog,
    });
    return { clock, store, sync };
  }

  const key = () => ({ origin: server.origin, sessionId: demoService.sessionIdByName.login });
  const files = async () => (await readdir(folder, { recursive: true }).catch(() => [])).length;

  it('does nothing before it is started or after it has stopped', async () => {
    const { clock, store, sync } = openWindow();
    expect([await files(), clock.timers.size, server.requests.length]).toEqual([0, 0, 0]);
    expect(await sync.runningAtStart()).toBeUndefined();

    await sync.start(undefined, () => expect.fail('a file was unreadable'));
    await sync.sessionList.add(key());
    sync.watch(key(), true);
    await until(() => (store.record(key())?.headers.length ?? 0) > 10);
    sync.drafts.setText(key(), { text: 'A draft', selectionStart: 0, selectionEnd: 0 });
    await sync.outbox.enqueue(key(), { text: 'A message', attachments: [] });
    await until(() => store.record(key())?.headers.some(({ firstLine }) => firstLine === 'A message') === true);
    expect(clock.timers.size).toBeGreaterThan(0);

    await sync.stopWriting();
    // The server may not have received the engine's last request yet, but receives it before this one.
    await fetch(server.origin);
    const seen = server.requests.length;
    expect(clock.timers.size).toBe(0);
    const filesAtEnd = await files();
    sync.drafts.setText(key(), { text: 'Too late', selectionStart: 0, selectionEnd: 0 });
    await sync.poller.refresh(key());
    store.setConnection({ kind: 'noService' });
    expect([clock.timers.size, server.requests.length, await files()]).toEqual([0, seen, filesAtEnd]);
    sync.dispose();
  });

  it.each([
    ['keeps attachments that a draft of a newer version may need', true],
    ['removes attachments that nothing needs', false],
  ])('%s', async (_, isNewer) => {
    const data = join(folder, 'data');
    const blob = join(data, 'blobs', '00000000-0000-4000-8000-000000000000');
    await mkdir(join(data, 'blobs'), { recursive: true });
    await mkdir(join(data, 'drafts'), { recursive: true });
    await writeFile(blob, 'content');
    await utimes(blob, 1, 1);
    const draft = withChecksum({ version: 99, record: {} });
    if (isNewer) await writeFile(join(data, sessionRecordName('drafts', key())), draft);
    const { sync } = openWindow();
    const causes: string[] = [];
    await sync.start(undefined, (unreadable) => causes.push(...unreadable.map(({ cause }) => cause)));
    expect(causes).toEqual(isNewer ? ['newer'] : []);
    expect(existsSync(blob)).toBe(isNewer);
    await sync.stopWriting();
    sync.dispose();
  });

  it('restores the state of the previous window while the service is unreachable', async () => {
    const first = openWindow();
    await first.sync.start(undefined, () => undefined);
    await first.sync.sessionList.add(key());
    first.sync.watch(key(), true);
    await until(() => first.store.record(key())?.history.completeness === 'complete');
    first.sync.drafts.setText(key(), { text: 'A draft', selectionStart: 3, selectionEnd: 3 });
    await first.sync.stopWriting();
    const known = first.store.record(key());
    await server.refuseConnections();

    const second = openWindow();
    const titles: unknown[] = [];
    second.store.onDidChange(({ type }) => {
      if (type === 'sessionList') titles.push(...second.store.records.map(({ session }) => session?.title));
    });
    await second.sync.start(undefined, () => expect.fail('a file was unreadable'));
    expect(titles).toEqual([known?.session?.title]);
    await second.sync.restoreFromCache(key());
    const record = second.store.record(key());
    expect(record?.headers).toEqual(known?.headers);
    expect(record?.draft).toMatchObject({ text: 'A draft', selectionStart: 3 });
    expect(record).toMatchObject({ isRemembered: true, session: { title: known?.session?.title } });
    await second.sync.stopWriting();
  });

  it('removes old files 15 s after the start, and at once if the cache is turned off', async () => {
    const { pid: endedPid } = spawnSync(process.execPath, ['--version']);
    const unfinished = join(folder, 'data', `a.json.${endedPid}-01234567-89ab-4cde-8f01-23456789abcd.tmp`);
    const cached = join(folder, 'data', cacheFolder, 'of a session');
    await mkdir(cached, { recursive: true });
    await writeFile(unfinished, '');
    const first = openWindow();
    await first.sync.start(undefined, () => undefined);
    expect(existsSync(unfinished)).toBe(true);
    const [tidying] = [...first.clock.timers].filter(({ delayMs }) => delayMs === 15_000);
    expect(tidying).toBeDefined();
    tidying?.task();
    await until(() => !existsSync(unfinished));
    await first.sync.stopWriting();
    expect(existsSync(cached)).toBe(true);

    const second = openWindow({ isCacheEnabled: false });
    await second.sync.start(undefined, () => undefined);
    await until(() => !existsSync(cached));
    await second.sync.stopWriting();
  });

  it('has removed old files when it has stopped, if it had begun to', async () => {
    const { pid: endedPid } = spawnSync(process.execPath, ['--version']);
    const data = join(folder, 'data');
    await mkdir(data);
    const unfinished = Array.from({ length: 1_000 }, (_, index) =>
      join(data, `a.json.${endedPid}-01234567-89ab-4cde-8f01-${String(index).padStart(12, '0')}.tmp`),
    );
    for (const path of unfinished) await writeFile(path, '');
    const { clock, sync } = openWindow();
    await sync.start(undefined, () => undefined);
    [...clock.timers].find(({ delayMs }) => delayMs === 15_000)?.task();
    await sync.stopWriting();
    expect(unfinished.filter((path) => existsSync(path))).toEqual([]);
  });

  it('is not writing when it has stopped, even if a session was read meanwhile', async () => {
    const { store, sync } = openWindow();
    await sync.start(undefined, () => undefined);
    await sync.sessionList.add(key());
    const read = (inputTokens: number) => {
      const at = Date.now() + inputTokens;
      const sessionSettings = { tokenUsage: { inputTokens } };
      const { sessionId } = key();
      const session = {
        sessionId,
        status: 'idle',
        messageCount: 1,
        createdAt: 1,
        updatedAt: at,
        sessionSettings,
      } as const;
      store.takeSession(key(), session, at, store.countRequest());
    };
    read(1);
    read(2);
    const flush = sync.usage.flush.bind(sync.usage);
    sync.usage.flush = async () => {
      await flush();
      read(3);
    };
    await sync.stopWriting();
    const usage = () => readFile(join(folder, 'data', sessionRecordName('usage', key())), 'utf8');
    const atEnd = await usage();
    expect(atEnd).toContain('"inputTokens":2');
    // A write that was still running would end before these.
    for (let count = 0; count < 20; count++) await writeFile(join(folder, 'other'), 'x', { flush: true });
    expect(await usage()).toBe(atEnd);
  });

  it('knows which sessions were running when the last window closed', async () => {
    const first = openWindow();
    await first.sync.start(undefined, () => undefined);
    await first.sync.sessionList.add(key());
    const session = {
      sessionId: key().sessionId,
      status: 'running',
      messageCount: 1,
      createdAt: 1,
      updatedAt: 1,
    } as const;
    first.store.takeSession(key(), session, 1, 1);
    await first.sync.stopWriting();
    const running = await openWindow().sync.runningAtStart();
    expect(running).toEqual([key()]);
  });

  it('reports what the list of a service lacks, and reads every answer without a refresh (R39)', async () => {
    await demoService.dispose();
    let aheadMs = 0;
    const lag = { listLagMs: 60_000, now: () => Date.now() + aheadMs };
    demoService = await startDemoService({ agentDelayMs: 5, failOneIn: 0, ...lag });
    await server.dispose();
    server = await startFaultServer({ service: forwardTo(demoService.baseUrl) });
    const { store, sync } = openWindow({ idleMs: 600_000 });
    await sync.start(undefined, () => undefined);
    await sync.sessionList.add(key());
    sync.watch(key(), true);
    const record = () => store.record(key());
    await until(() => record()?.history.completeness === 'complete');
    const missing: number[] = [];
    store.onDidChange(() => {
      const { session, history } = record() ?? {};
      if (session?.status === 'idle' && history?.missingCount) missing.push(history.missingCount);
    });
    await sync.outbox.enqueue(key(), { text: 'Is the list complete?', attachments: [] });
    await until(() => missing.length > 0);
    aheadMs = lag.listLagMs;
    await until(() => record()?.history.missingCount === undefined);
    const path = `${demoService.baseUrl}/api/v0/sessions/${key().sessionId}/messages?limit=2`;
    const answer = await fetch(path, { headers: { authorization: `Bearer ${demoService.token}` } });
    const { messages } = (await answer.json()) as { messages: { id: string; role: string }[] };
    expect(record()?.headers.at(-1)).toMatchObject({ messageId: messages[0]?.id, role: 'assistant' });
    expect(record()?.headers.filter(({ firstLine }) => firstLine === 'Is the list complete?')).toHaveLength(1);
    await sync.stopWriting();
  });

  it('keeps the attachments of a demo in another window', async () => {
    const first = openWindow();
    const sessionIds = [demoService.sessionIdByName.login];
    const demo = { baseUrl: demoService.baseUrl, key: demoService.token, sessionIds };
    await first.sync.start(demo, () => undefined);
    const bytes = async function* () {
      await Promise.resolve();
      yield Buffer.from('attached');
    };
    const { blobId, sizeBytes, sha256 } = await first.sync.blobs.put(bytes(), 100);
    const age = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(folder, 'data', 'blobs', blobId), age, age);
    const second = openWindow();
    await second.sync.start(undefined, () => undefined);
    expect(await first.sync.blobs.isIntact({ blobId, sizeBytes, sha256 })).toBe(true);
    await first.sync.stopWriting();
    await second.sync.stopWriting();
    const third = openWindow();
    await third.sync.start(undefined, () => undefined);
    expect(await readdir(join(folder, 'data', 'blobs'))).toEqual([]);
    await third.sync.stopWriting();
  });

  it('leaves nothing of a demo on disk', async () => {
    const { store, sync } = openWindow();
    const demo = {
      baseUrl: demoService.baseUrl,
      key: demoService.token,
      sessionIds: [demoService.sessionIdByName.login],
    };
    const demoKey = { origin: demoService.baseUrl, sessionId: demoService.sessionIdByName.login };
    await sync.start(demo, () => undefined);
    sync.watch(demoKey, true);
    await until(() => store.record(demoKey)?.history.completeness === 'complete');
    await sync.outbox.enqueue(demoKey, { text: 'A message', attachments: [] });
    await until(() => store.record(demoKey)?.headers.some(({ firstLine }) => firstLine === 'A message') === true);
    sync.drafts.setText(demoKey, { text: 'A draft', selectionStart: 0, selectionEnd: 0 });
    // Messages that arrive between the end of the demo and the end of the window aren't saved either.
    await sync.connections.useTemporary(undefined);
    store.takeMessages(demoKey, [
      { id: 'late', createdAt: 1, updatedAt: 1, content: [{ type: 'text', text: 'late' }] },
    ]);
    await sync.stopWriting();
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    const contents = await Promise.all(
      names.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
    );
    for (const content of contents) {
      expect(content).not.toContain(new URL(demoService.baseUrl).port);
      expect(content).not.toContain(demoKey.sessionId);
    }
  });
});
