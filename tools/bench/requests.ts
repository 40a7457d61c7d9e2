/**
 * Counts the requests that Lineside makes: per minute by the number of sessions, their status, and the number of
 * windows (with a fake clock and the real poller and history), and per refresh by the length and order of the history
 * (over HTTP, against the demo service). Prints the tables for docs/network.md.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSessionsClient } from '../../src/api/client.ts';
import { createDirectTransport } from '../../src/api/transport/directTransport.ts';
import type { SessionStatus } from '../../src/api/resources/session.ts';
import type { SessionsApi } from '../../src/api/sessionsApi.ts';
import { silentLog } from '../../src/shared/log.ts';
import { startDemoService } from '../../src/demoService/service.ts';
import { Store } from '../../src/state/store/store.ts';
import { memoryBodies } from '../../test/fakes/memoryBodies.ts';
import { HistoryLoader } from '../../src/sync/history/historyLoader.ts';
import { Poller } from '../../src/sync/polling/poller.ts';
import { FakeClock } from '../../test/fakes/clock.ts';
import { CacheWindow } from '../../test/unit/sync/cache/cacheRig.ts';
import { CountedApi } from '../../test/unit/sync/history/historyRig.ts';

const pace = { runningMs: 2_000, idleMs: 30_000 };
const origin = 'https://service.test';
const measuredMinutes = 10;

/** A service with one message per session. While the agent is running, the session and its message keep changing. */
function growingService(status: SessionStatus, clock: FakeClock, count: () => void): SessionsApi {
  const message = () => ({ id: 'm', role: 'assistant' as const, createdAt: 1, updatedAt: clock.now(), content: [] });
  const refuse = () => Promise.reject(new Error('not part of this'));
  return {
    getSession(sessionId) {
      count();
      const updatedAt = status === 'idle' ? 1 : clock.now();
      return Promise.resolve({ sessionId, status, messageCount: 1, createdAt: 1, updatedAt });
    },
    listMessages() {
      count();
      const messages = [message()];
      return Promise.resolve({ messages, listed: messages, skippedCount: 0, hasMore: false });
    },
    getMessage() {
      count();
      return Promise.resolve(message());
    },
    updateSession: refuse,
    addMessage: refuse,
    dispose: () => undefined,
  };
}

/** Opens a window that shows the tree and one conversation. */
function openWindow(sessionCount: number, api: SessionsApi, clock: FakeClock, isFocused: boolean): Poller {
  const store = new Store(memoryBodies());
  const history = new HistoryLoader(store, clock);
  const poller = new Poller({ store, history, apiFor: () => api, intervals: () => pace, clock, log: silentLog });
  store.setConnection({ kind: 'ready', service: { origin, baseUrl: origin } });
  poller.setFocused(isFocused);
  for (let place = 0; place < sessionCount; place++) {
    const key = { origin, sessionId: `s${place}` };
    store.addSession({ key, addedAt: 1 });
    poller.watch(key, false);
    if (place === 0) poller.watch(key, true);
  }
  return poller;
}

async function requestsPerMinute(sessionCount: number, status: SessionStatus, windowCount: number): Promise<number> {
  let state = 1;
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const clock = new FakeClock(1_760_000_000_000, random);
  let requests = 0;
  const api = growingService(status, clock, () => requests++);
  const windows = Array.from({ length: windowCount }, (_, place) => openWindow(sessionCount, api, clock, place === 0));
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await pass(60_000);
  requests = 0;
  await pass(measuredMinutes * 60_000);
  for (const window of windows) window.dispose();
  return requests / measuredMinutes;
}

async function printMinutes(): Promise<void> {
  console.log('| watched sessions | idle, 1 window | idle, 3 windows | running, 1 window | running, 3 windows |');
  console.log('| --- | --- | --- | --- | --- |');
  for (const count of [1, 10, 50]) {
    const cells: string[] = [];
    for (const status of ['idle', 'running'] as const) {
      for (const windows of [1, 3]) cells.push((await requestsPerMinute(count, status, windows)).toFixed(0));
    }
    console.log(`| ${count} | ${cells.join(' | ')} |`);
  }
}

/**
 * The number of requests for each step of opening and refreshing one session, including requests for the session
 * itself.
 */
async function refreshCosts(order: 'asc' | 'desc', messages: number): Promise<number[]> {
  const demoService = await startDemoService({ order, messages, agentDelayMs: 3_600_000 });
  const folder = await mkdtemp(join(tmpdir(), 'lineside-bench-'));
  const key = { origin: demoService.baseUrl, sessionId: demoService.sessionIdByName.history };
  const transport = createDirectTransport(demoService.baseUrl);
  const client = createSessionsClient({ baseUrl: demoService.baseUrl, key: () => demoService.token, transport });
  const api = new CountedApi(client);
  const costs: number[] = [];
  const open = async () => {
    const connection = { kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } } as const;
    const window = await CacheWindow.open(folder, { keys: [key], connection });
    const { store, history, clock } = window;
    const poller = new Poller({ store, history, apiFor: () => api, intervals: () => pace, clock, log: silentLog });
    const refresh = async (added = 0) => {
      for (let place = 0; place < added; place++) await client.addMessage(key.sessionId, { text: `new ${place}` });
      await poller.refresh(key);
      costs.push(api.takeCount());
    };
    poller.watch(key, true);
    const isRead = () => {
      const { session, isRemembered } = window.store.record(key)!;
      return session !== undefined && !isRemembered && history.isReadAt(key, session);
    };
    while (!isRead()) await new Promise((resolve) => setTimeout(resolve, 1));
    costs.push(api.takeCount());
    return { window, refresh, close: () => (poller.dispose(), window.close()) };
  };
  const first = await open();
  for (const added of [0, 1, 5, 150]) await first.refresh(added);
  await first.close();
  const second = await open();
  await second.refresh(1);
  await second.close();
  await demoService.dispose();
  client.dispose();
  await rm(folder, { recursive: true });
  return costs;
}

async function printRefreshes(): Promise<void> {
  const heads = ['open', 'unchanged', '1 new', '5 new', '150 new', 'new window', 'new window, 1 new'];
  console.log(`\n| messages, order | ${heads.join(' | ')} |`);
  console.log(`| --- |${' --- |'.repeat(heads.length)}`);
  for (const messages of [10, 1_000, 100_000]) {
    for (const order of ['desc', 'asc'] as const) {
      const costs = await refreshCosts(order, messages);
      const name = `${messages.toLocaleString('en')}, ${order === 'desc' ? 'newest' : 'oldest'} first`;
      console.log(`| ${name} | ${costs.join(' | ')} |`);
    }
  }
}

await printMinutes();
await printRefreshes();
