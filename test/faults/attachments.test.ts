import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { undeliveredIn } from './leftFiles.ts';
import { temporaryFolder } from '../unit/sync/outbox/outboxRig.ts';
import { largeFilePath, writeLargeFile } from './windows/largeFile.ts';
import { counted, extent, keepTally, seed, seeded } from './tally.ts';
import { type UploadFault, UploadService } from './uploadService.ts';
import type { UploadReply, UploadReport, UploadTask } from './windows/uploadWindow.ts';

const speed = 50;
const filesPerWindow = 3;
const bodyBytes = 6_700_000;
/** With this limit, in blocks of 512 bytes, a window can write records, but no large file. */
const largestFileBlocks = 4_000;
/** Windows has no limit on the size of the files that a process writes. */
const canLimitFiles = process.platform !== 'win32';

/** The faults of a window, apart from those of its requests. */
interface WindowFaults {
  /** The report after which the window is killed, and the time in between, in ms. */
  readonly killAfter?: { readonly report: 'copying' | 'typed'; readonly ms: number };
  readonly diskFaults: number;
  readonly isDiskFull: boolean;
}
const noFaults: WindowFaults = { diskFaults: 0, isDiskFull: false };

/** With at least this number of windows on failing disks, the test expects that a file was refused. */
const manyWindows = 20;

/** Runs windows one after another, each in its own process. They send large files until they end or are killed. */
class UploadTrial {
  readonly #folder: string;
  readonly #random: () => number;
  readonly #service: UploadService;
  readonly #startedAt: number;
  /** The SHA-256 of each file, by its number. */
  readonly #files = new Map<number, string>();
  readonly #typed = new Set<number>();
  readonly #reported = new Set<number>();
  /** The messages whose attachment was damaged on disk. They were shown to the user, who discarded them. */
  readonly #damaged = new Set<number>();
  #damageCount = 0;
  #windowFaults = 0;
  #refusedCount = 0;
  kills = 0;

  constructor(folder: string, random: () => number, service: UploadService, startedAt: number) {
    this.#folder = folder;
    this.#random = random;
    this.#service = service;
    this.#startedAt = startedAt;
    service.nextFault = () => this.#fault();
    service.failsList = () => this.#random() < 0.1;
  }

  /** Runs one window that sends some more files, with random faults, until it ends or is killed. */
  async window(): Promise<void> {
    const chance = this.#random();
    const ms = this.#random() * 60;
    const report = chance < 0.15 ? 'copying' : 'typed';
    await this.#run(filesPerWindow, {
      ...(chance < 0.4 && { killAfter: { report, ms } }),
      diskFaults: this.#random() < 0.5 ? 0.15 : 0,
      isDiskFull: canLimitFiles && chance > 0.95,
    });
    if (this.#random() < 0.3) await this.#damageBlob();
  }

  /** Runs a final window without faults, and checks what the service received. */
  async check(part: string, order: number): Promise<void> {
    this.#service.nextFault = () => undefined;
    this.#service.failsList = () => false;
    await this.#run(0, noFaults);
    const { uploads, faultCount } = this.#service;
    const counts = counted(uploads.map(({ text }) => text));
    const texts = [...this.#typed].map((number) => `message ${number}`);
    const lost = [...this.#typed].filter((number) => !counts.has(`message ${number}`) && !this.#damaged.has(number));
    const doubled = [...counts].filter(([, count]) => count > 1).map(([text]) => text);
    keepTally({
      ...{ part, order, typed: this.#typed.size, reported: this.#reported.size },
      faults: faultCount + this.#windowFaults + this.kills + this.#damageCount,
      delivered: texts.filter((text) => counts.get(text) === 1).length,
      ...{ lost: lost.length, doubled: doubled.length },
    });
    expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
    const sent = uploads.map(({ text, sha256s }) => [text, ...sha256s]);
    expect(sent).toEqual(uploads.map(({ text }) => [text, this.#files.get(Number(text.split(' ')[1]))]));
    expect(this.#damaged.size).toBeLessThanOrEqual(this.#damageCount);
    // If only a few disks failed, they may have failed for other records, or not before the window was killed.
    expect(this.#refusedCount > 0 || this.#windowFaults < manyWindows).toBe(true);
    expect(await undeliveredIn(this.#path('data'))).toEqual([]);
  }

  async #run(count: number, faults: WindowFaults): Promise<void> {
    if (faults.isDiskFull || faults.diskFaults > 0) this.#windowFaults++;
    const files = Array.from({ length: count }, (_, index) => this.#files.size + index);
    for (const number of files) this.#files.set(number, await writeLargeFile(this.#path('files'), number));
    const child = this.#start(files, faults);
    const end = new Promise<void>((resolve) => child.on('close', () => resolve()));
    this.#service.kill = () => this.#kill(child);
    child.on('message', (message: UploadReport) => {
      this.#take(child, message);
      if (faults.killAfter && faults.killAfter.report in message) this.#killSoon(child, faults.killAfter.ms);
    });
    await end;
    await Promise.all(files.map((number) => rm(largeFilePath(this.#path('files'), number))));
  }

  #start(files: readonly number[], { diskFaults, isDiskFull }: WindowFaults): ChildProcess {
    const task: UploadTask = {
      ...{ speed, startedAt: this.#startedAt, files, diskFaults },
      folder: this.#path('data'),
      sources: this.#path('files'),
      baseUrl: this.#service.baseUrl,
      route: this.#random() < 0.7 ? 'direct' : 'editor',
      seed: Math.floor(this.#random() * 2 ** 31),
    };
    const program = [process.execPath, '--no-warnings', join(import.meta.dirname, 'windows', 'uploadWindow.ts')];
    const limited = ['sh', '-c', `ulimit -f ${largestFileBlocks}; exec "$0" "$@"`, ...program];
    const [command = '', ...parameters] = isDiskFull ? limited : program;
    return spawn(command, [...parameters, JSON.stringify(task)], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  }

  #take(child: ChildProcess, message: UploadReport): void {
    if ('typed' in message) this.#typed.add(message.typed);
    if ('refused' in message) this.#refusedCount++;
    if (!('decides' in message)) return;
    const { decides, isDamaged } = message;
    this.#reported.add(decides);
    const isThere = this.#service.uploads.some(({ text }) => text === `message ${decides}`);
    if (isDamaged && !isThere) this.#damaged.add(decides);
    child.send({ decides, isThere } satisfies UploadReply, () => undefined);
  }

  #kill(child: ChildProcess): void {
    if (child.kill('SIGKILL')) this.kills++;
  }

  #killSoon(child: ChildProcess, ms: number): void {
    setTimeout(() => this.#kill(child), ms);
  }

  #fault(): UploadFault | undefined {
    const chance = this.#random();
    const atBytes = this.#random() * bodyBytes;
    if (chance < 0.1) return { kind: 'kill', atBytes };
    if (chance < 0.2) return { kind: 'reset', atBytes };
    if (chance < 0.24) return { kind: 'stall', atBytes };
    if (chance < 0.28) return { kind: 'killAfter' };
    if (chance < 0.32) return { kind: 'resetAfter' };
    if (chance < 0.36) return { kind: 'truncate' };
    if (chance < 0.4) return { kind: 'busy' };
    if (chance < 0.44) return { kind: 'error', isProcessed: this.#random() < 0.5 };
    return chance < 0.48 ? { kind: 'refused' } : undefined;
  }

  /** Damages the copy of an attachment that still has to be sent, as a failing disk would. */
  async #damageBlob(): Promise<void> {
    const folder = this.#path('data', 'outbox');
    const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'));
    const entries = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const blobIds = entries.flatMap((entry) => [...entry.matchAll(/"blobId":"([^"]+)"/g)].map(([, id = '']) => id));
    const blobId = blobIds[Math.floor(this.#random() * blobIds.length)];
    const path = this.#path('data', 'blobs', blobId ?? '');
    if (blobId === undefined || !existsSync(path)) return;
    this.#damageCount++;
    const bytes = await readFile(path);
    const at = Math.floor(this.#random() * bytes.byteLength);
    bytes[at] = 255 - (bytes[at] ?? 0);
    await writeFile(path, this.#random() < 0.7 ? bytes : bytes.subarray(0, at));
  }

  #path(...names: readonly string[]): string {
    return join(this.#folder, ...names);
  }
}

it(
  `sends 5 MB attachments byte for byte, although windows are killed ${extent.uploads} times, SEED=${seed}`,
  { timeout: 60_000 + extent.uploads * 15_000 },
  async () => {
    const folder = await temporaryFolder();
    for (const name of ['data', 'files']) await mkdir(join(folder.path, name));
    const startedAt = Date.now();
    const service = await UploadService.start(() => startedAt + (Date.now() - startedAt) * speed);
    try {
      const trial = new UploadTrial(folder.path, seeded(seed + 2), service, startedAt);
      while (trial.kills < extent.uploads) await trial.window();
      await trial.check(
        'A window killed (SIGKILL) while it copies or sends 5 MB attachments, on failing disks and connections',
        7,
      );
    } finally {
      await service.stop();
      await folder.remove();
    }
  },
);
