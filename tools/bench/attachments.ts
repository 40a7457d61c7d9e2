/**
 * Measures what a large attachment costs the extension host. Compares the extension's method (copy to disk, check, and
 * stream as base64 into the request body) with the simple method (read, encode, and stringify the whole file), and with
 * an idle process, which shows how much of a stall the machine itself causes. Each run and the receiver use separate
 * processes. The methods alternate, so that other load on the machine affects all of them. Prints the table and the
 * goal results for docs/performance.md.
 *
 * Usage: node tools/bench/attachments.ts [rounds]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createSessionsClient } from '../../src/api/client.ts';
import { createDirectTransport } from '../../src/api/transport/directTransport.ts';
import { readLocalFile } from '../../src/host/files/localFile.ts';
import { silentLog } from '../../src/shared/log.ts';
import { Blobs, type StoredBlob } from '../../src/sync/storage/blobs.ts';

const usualRounds = 7;
const sizesMB = [10, 50] as const;
/** The goals in docs/performance.md: minimum speedup over the simple method, and maximum stall and memory. */
const goals = { ratio: 2, stallMs: 25, memoryMB: 20 } as const;
const bytesPerMB = 1_000_000;

const wayNames = {
  idle: 'nothing, for as long',
  whole: 'read, encode, stringify',
  attach: 'attach: copy to disk',
  send: 'send: check, stream',
} as const;
type Way = keyof typeof wayNames;

/** Duration of the idle run; approximately that of the slowest method. */
const idleMs = 1_000;

interface Figures {
  readonly durationMs: number;
  readonly stallMs: number;
  readonly memoryMB: number;
}

/** Accepts any upload, responds like the service, and reports the port it listens on. */
async function receive(): Promise<void> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"messageId":"m","status":"pending"}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
}

/** Runs `work` while measuring event loop stalls and memory. */
async function measured(work: () => Promise<unknown>): Promise<Figures> {
  globalThis.gc?.();
  const memory = () => process.memoryUsage().rss;
  const before = memory();
  let [peak, stallMs, lastMs] = [before, 0, performance.now()];
  const look = () => {
    const nowMs = performance.now();
    [stallMs, lastMs] = [Math.max(stallMs, nowMs - lastMs - 1), nowMs];
    peak = Math.max(peak, memory());
  };
  const watch = setInterval(look, 1);
  const startedMs = performance.now();
  await work();
  const durationMs = performance.now() - startedMs;
  await new Promise((resolve) => setTimeout(resolve, 1));
  look();
  clearInterval(watch);
  return { durationMs, stallMs, memoryMB: (peak - before) / bytesPerMB };
}

/** Sends the file with the simple method, which holds the whole file in memory. */
async function sendWhole(origin: string, file: string): Promise<void> {
  const data = (await readFile(file)).toString('base64');
  const body = JSON.stringify({
    text: 'A large file',
    files: [{ type: 'base64', mediaType: 'text/plain', name: 'f', data }],
  });
  const headers = { 'content-type': 'application/json', authorization: 'Bearer key' };
  await (await fetch(`${origin}/api/v0/sessions/s/messages`, { method: 'POST', headers, body })).text();
}

async function measure(way: Way, port: number, file: string, folder: string): Promise<Figures> {
  const origin = `http://127.0.0.1:${port}`;
  const maxBytes = 1_024 * bytesPerMB;
  const transport = createDirectTransport(origin);
  const api = createSessionsClient({ baseUrl: origin, key: () => Promise.resolve('key'), transport });
  const blobs = new Blobs(folder, silentLog);
  const attach = () => blobs.put(readLocalFile(file), maxBytes);
  // Load and compile the code first, so that this cost isn't attributed to the file.
  await api.addMessage('s', { text: 'Warm' });
  if (way === 'idle') return measured(() => new Promise((resolve) => setTimeout(resolve, idleMs)));
  if (way === 'whole') return measured(() => sendWhole(origin, file));
  if (way === 'attach') return measured(async () => writeFile(`${file}.blob`, JSON.stringify(await attach())));
  // The attachment was copied in a separate process, so the memory for copying it isn't counted here.
  const blob = JSON.parse(await readFile(`${file}.blob`, 'utf8')) as StoredBlob;
  return measured(async () => {
    await blobs.isIntact(blob);
    const bytes = blobs.open(blob.blobId, blob.sizeBytes);
    await api.addMessage('s', { text: 'A large file', files: [{ bytes, mediaType: 'text/plain', name: 'f' }] });
    api.dispose();
  });
}

async function fill(file: string, sizeBytes: number): Promise<void> {
  const handle = await open(file, 'w');
  const piece = Buffer.from('Nothing repeats itself like a line that repeats itself.\n'.repeat(1_000));
  for (let written = 0; written < sizeBytes;) {
    written += (await handle.write(piece, 0, Math.min(piece.byteLength, sizeBytes - written))).bytesWritten;
  }
  await handle.close();
}

async function inOwnProcess(words: readonly string[]): Promise<unknown> {
  const child = fork(import.meta.filename, words, { execArgv: ['--expose-gc'] });
  const [answer] = (await once(child, 'message')) as [unknown];
  child.kill();
  return answer;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Runs each method once per round. */
async function measureRounds(rounds: number, port: number, file: string, folder: string) {
  const found: Record<Way, Figures[]> = { idle: [], whole: [], attach: [], send: [] };
  for (let round = 0; round < rounds; round++) {
    for (const way of Object.keys(wayNames) as Way[]) {
      found[way].push((await inOwnProcess(['measure', way, String(port), file, folder])) as Figures);
    }
  }
  return found;
}

function medianOf(all: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(all.map((figures) => figures[name]));
  return { durationMs: of('durationMs'), stallMs: of('stallMs'), memoryMB: of('memoryMB') };
}

function row(sizeMB: number, way: Way, { durationMs, stallMs, memoryMB }: Figures): string {
  const speed = way === 'idle' ? '' : String(Math.round((sizeMB * 1_000) / durationMs));
  return `| ${sizeMB} MB | ${wayNames[way]} | ${speed} | ${Math.round(stallMs)} ms | ${Math.round(memoryMB)} MB |`;
}

/**
 * Describes whether the goals are met. Compares the methods within each round, so that a load spike affects both sides.
 */
function verdict(sizeMB: number, found: Record<Way, Figures[]>): string {
  const ratio = median(found.whole.map(({ durationMs }, round) => durationMs / (found.send[round]?.durationMs ?? NaN)));
  const { stallMs, memoryMB } = medianOf(found.send);
  const isMet = ratio >= goals.ratio && stallMs <= goals.stallMs && memoryMB <= goals.memoryMB;
  const facts = `${ratio.toFixed(1)} times as fast, stall ${Math.round(stallMs)} ms, ${Math.round(memoryMB)} MB`;
  return `${sizeMB} MB: ${isMet ? 'goals met' : 'goals missed'} (${facts})`;
}

async function compare(rounds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-bench-'));
  const receiver = fork(import.meta.filename, ['receive']);
  const [port] = (await once(receiver, 'message')) as [number];
  const verdicts: string[] = [];
  console.log('| file | way | MB/s | longest stall | memory added |\n| --- | --- | --- | --- | --- |');
  for (const sizeMB of sizesMB) {
    const file = join(folder, `${sizeMB}.txt`);
    await fill(file, sizeMB * bytesPerMB);
    const found = await measureRounds(rounds, port, file, folder);
    for (const way of Object.keys(wayNames) as Way[]) console.log(row(sizeMB, way, medianOf(found[way])));
    verdicts.push(verdict(sizeMB, found));
  }
  console.log(`\n${verdicts.join('\n')}`);
  receiver.kill();
  await rm(folder, { recursive: true, force: true });
}

const [task, way, port, file = '', folder = ''] = process.argv.slice(2);
if (task === 'receive') await receive();
else if (task === 'measure') process.send?.(await measure(way as Way, Number(port), file, folder));
else await compare(Number(task ?? usualRounds));
