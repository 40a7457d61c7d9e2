/**
 * Measures loading a long conversation over HTTP the way a window does: with the real engine and cache, the rows of an
 * open page, polling, an export, and a search. The demo service and each window run in separate processes. Prints a
 * table for docs/performance.md: the pages per second, and the memory that the window needs in addition to an idle one.
 *
 *   npm run bench:history -- [messages] [latency of the service in ms]
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { translator } from '../../src/shared/translate.ts';
import { unfiltered } from '../../src/state/conversation/filter.ts';
import { showConversation } from '../../src/state/conversation/rows.ts';
import { exportPieces } from '../../src/state/documents/export.ts';
import type { SessionKey } from '../../src/state/store/sessionKey.ts';
import type { Store } from '../../src/state/store/store.ts';
import { ConversationFind } from '../../src/views/conversation/conversationFind.ts';
import { startDemoServiceProgram } from '../editor/demoServiceProgram.ts';
import { HeadlessWindow } from './service/headlessWindow.ts';

interface Figures {
  readonly pages: number;
  readonly seconds: number;
  readonly polls: number;
  readonly heldMB: number;
  readonly exportedMB: number;
  readonly searchedMB: number;
  readonly peakRssMB: number;
}

interface WindowTask {
  readonly baseUrl: string;
  readonly token: string;
  readonly sessionId: string;
  readonly isCached: boolean;
}

const t = translator('en');

function memoryMB(): { readonly held: number; readonly rss: number } {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: (heapUsed + external) / 1e6, rss: rss / 1e6 };
}

/** Opens a window on a new folder, loads the whole conversation, exports it, and searches it. */
async function measureWindow({ baseUrl, token, sessionId, isCached }: WindowTask): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-bench-'));
  const window = await HeadlessWindow.open({ folder, baseUrl, token, isCached });
  const { messages, store, sync } = window;
  const key = await window.add(sessionId);
  const record = () => store.record(key)!;
  let polls = 0;
  let asOf: number | undefined;
  let shown: ReturnType<typeof showConversation> | undefined;
  let isDue = false;
  store.onDidChange((change) => {
    if (change.type === 'session' && record().asOf !== asOf) {
      asOf = record().asOf;
      polls += 1;
    }
    if (isDue) return;
    isDue = true;
    // An open page computes its rows again after each message that was delivered to it.
    setTimeout(() => {
      isDue = false;
      shown = showConversation(record(), view, shown);
    }, 5);
  });
  const view = { filter: unfiltered, openedIds: new Set<string>(), openRuns: new Set<string>(), collapseUntil: 0 };
  const idle = memoryMB();
  let peakRssMB = 0;
  const sampler = setInterval(() => (peakRssMB = Math.max(peakRssMB, process.memoryUsage().rss / 1e6)), 20);
  const watching = sync.watch(key, true);
  const startedAt = performance.now();
  let reportedAt = startedAt;
  const reporter = store.onDidChange(() => {
    if (performance.now() - reportedAt < 5_000) return;
    reportedAt = performance.now();
    process.stderr.write(`${record().headers.length} messages, ${Math.round(process.memoryUsage().rss / 1e6)} MB\n`);
  });
  await sync.refresh(key);
  await sync.loadRest(key);
  if (record().history.completeness !== 'complete') throw new Error('messages are missing');
  const seconds = (performance.now() - startedAt) / 1_000;
  reporter.dispose();
  const pages = record().headers.length / 100;
  await messages.flush();
  const held = memoryMB();
  const readBodies = (messageIds: readonly string[]) => store.readBodies(key, messageIds);
  const words = { t, time: String, dateTime: String };
  const plan = { format: 'json', isRedacted: false, record: record(), connection: store.connection } as const;
  let missing = 0;
  for await (const piece of exportPieces({ ...plan, filter: unfiltered, words, readBodies })) missing = piece.missing;
  if (missing > 0) throw new Error(`${missing} messages are missing in the export`);
  const exported = memoryMB();
  await searchAll(store, key);
  const searched = memoryMB();
  clearInterval(sampler);
  watching.dispose();
  await window.close();
  await rm(folder, { recursive: true });
  return {
    ...{ pages, seconds, polls, heldMB: held.held - idle.held, exportedMB: exported.held - idle.held },
    ...{ searchedMB: searched.held - idle.held, peakRssMB: peakRssMB - idle.rss },
  };
}

/** Searches all messages for a text that none contains. */
async function searchAll(store: Store, key: SessionKey): Promise<void> {
  await new Promise<void>((resolve) => {
    const find = new ConversationFind(store, t, ({ isSearching }) => {
      if (isSearching) return;
      find.stop();
      resolve();
    });
    const query = { text: 'no message contains this', isCase: false, isWord: false, isRegex: false };
    find.start(key, { ...query, findId: 1 }, undefined);
  });
}

async function measureAll(count: number, latencyMs: number): Promise<void> {
  const run = promisify(execFile);
  const rows: string[] = [];
  for (const [order, isCached] of [
    ['desc', true],
    ['asc', true],
    ['desc', false],
  ] as const) {
    const options = { messages: count, order, 'latency-ms': latencyMs, 'fail-one-in': 0 };
    const demo = await startDemoServiceProgram(Object.entries(options).map(([name, value]) => `--${name}=${value}`));
    const task: WindowTask = { ...demo, sessionId: demo.sessionIds[4] ?? '', isCached };
    const args = ['--expose-gc', import.meta.filename, '--window', JSON.stringify(task)];
    const child = run(process.execPath, args, { maxBuffer: 1e8 });
    child.child.stderr?.pipe(process.stderr);
    const figures = JSON.parse((await child).stdout) as Figures;
    await demo.dispose();
    const { pages, seconds, polls, heldMB, exportedMB, searchedMB, peakRssMB } = figures;
    const name = `${order === 'desc' ? 'newest' : 'oldest'} first, ${isCached ? 'cache on disk' : 'no cache'}`;
    const memory = [heldMB, exportedMB, searchedMB, peakRssMB].map((value) => value.toFixed(0));
    rows.push(
      `| ${name} | ${(pages / seconds).toFixed(1)} | ${polls} in ${seconds.toFixed(0)} s | ${memory.join(' | ')} |`,
    );
  }
  console.log(`\n${count} messages, ${latencyMs} ms latency\n`);
  console.log('| list | pages/s | status polls | held, MB | after export, MB | after search, MB | peak RSS, MB |');
  console.log('| --- | --- | --- | --- | --- | --- | --- |');
  console.log(rows.join('\n'));
}

const [first, second] = process.argv.slice(2);
if (first === '--window')
  process.stdout.write(JSON.stringify(await measureWindow(JSON.parse(second ?? '') as WindowTask)));
else await measureAll(Number(first ?? 100_000), Number(second ?? 0));
