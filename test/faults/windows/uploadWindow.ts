/**
 * A window that can be killed: it copies large files to its folder and sends them over HTTP. Its service runs in the
 * parent process.
 */
import { createReadStream } from 'node:fs';
import { createSessionsClient } from '../../../src/api/client.ts';
import { createEditorTransport } from '../../../src/api/transport/editorTransport.ts';
import { openDirectTransport } from '../../../src/api/transport/openTransport.ts';
import type { RecordStore } from '../../../src/sync/storage/recordStore.ts';
import { largeFilePath } from './largeFile.ts';
import { seeded } from '../tally.ts';
import { type ClockTask, fastClock, origin, ProcessWindow } from './windowParts.ts';

/**
 * A report from the window. `copying`: it starts to copy the file with this number. `refused`: the file couldn't be
 * copied, or the message couldn't be saved; it stays in the composer. `typed`: the message must not be lost from now
 * on. `decides`: the user decides about the message, whose attachment is damaged or not.
 */
export type UploadReport =
  | { readonly copying: number }
  | { readonly refused: number }
  | { readonly typed: number }
  | { readonly decides: number; readonly isDamaged: boolean };

/** The reply to `decides`: whether the conversation contains the message. */
export interface UploadReply {
  readonly decides: number;
  readonly isThere: boolean;
}

/** The window's first argument, as JSON. */
export interface UploadTask extends ClockTask {
  readonly folder: string;
  readonly sources: string;
  /** The address of the service. */
  readonly baseUrl: string;
  readonly route: 'direct' | 'editor';
  readonly seed: number;
  /** The numbers of the files to send. */
  readonly files: readonly number[];
  /** The probability that a record can't be written. */
  readonly diskFaults: number;
}

const task = JSON.parse(process.argv[2] ?? '{}') as UploadTask;
const random = seeded(task.seed);
const sessionIds = ['s1', 's2'];
const lookEveryMs = 20;
const maxBytes = 50_000_000;

const api = createSessionsClient({
  baseUrl: task.baseUrl,
  transport: task.route === 'direct' ? await openDirectTransport(task.baseUrl) : createEditorTransport(),
  key: () => 'key-of-the-test',
  deadlines: { readMs: 2_000, writeMs: 2_000 },
});

/** A record store whose writes fail at random, as on a disk that is full from time to time. */
function failing(disk: RecordStore): RecordStore {
  const diskFull = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const write: RecordStore['write'] = (...parts) =>
    random() < task.diskFaults ? Promise.reject(diskFull) : disk.write(...parts);
  // The methods of a record store use private fields, so they run on the store itself instead of on the proxy.
  return new Proxy(disk, {
    get: (target, name): unknown => {
      const value: unknown = name === 'write' ? write : Reflect.get(target, name, target);
      return typeof value === 'function'
        ? (...given: unknown[]): unknown => Reflect.apply(value, target, given)
        : value;
    },
  });
}

const window = await ProcessWindow.open(task.folder, fastClock(task), api, { wrap: failing });
const { store, blobs, outbox } = window;
const decisions = new Map<number, (isThere: boolean) => void>();
process.on('message', ({ decides, isThere }: UploadReply) => decisions.get(decides)?.(isThere));
// Without its parent process, a window can't reach its service, so it exits.
process.on('disconnect', () => process.exit(1));
const report = (message: UploadReport) => process.send?.(message);

await window.load(sessionIds);

async function send(number: number): Promise<void> {
  report({ copying: number });
  const kind = number % 2 === 0 ? 'file' : 'image';
  const key = { origin, sessionId: sessionIds[number % sessionIds.length] ?? '' };
  try {
    const blob = await blobs.put(createReadStream(largeFilePath(task.sources, number)), maxBytes);
    const description = { name: `file ${number}`, mediaType: 'image/png', isUnsaved: false };
    const attachment = { attachmentId: `file ${number}`, kind, ...description, ...blob } as const;
    await outbox.enqueue(key, { text: `message ${number}`, attachments: [attachment] });
    report({ typed: number });
  } catch {
    report({ refused: number });
  }
}

async function poll(): Promise<void> {
  for (const sessionId of sessionIds) {
    const page = await api.listMessages(sessionId, { limit: 100 }).catch(() => undefined);
    if (page) store.takeMessages({ origin, sessionId }, page.messages);
  }
}

/**
 * Decides as a user would: discards what the conversation contains and what can't be sent, and sends the rest again.
 */
async function decide(): Promise<void> {
  for (const entry of store.records.flatMap((record) => record.outbox)) {
    if (entry.state !== 'notSent' && (entry.state !== 'unknown' || entry.isSearching)) continue;
    const intact = await Promise.all(entry.attachments.map((attachment) => blobs.isIntact(attachment)));
    const number = Number(entry.text.split(' ')[1]);
    const isDamaged = intact.includes(false);
    const isThere = await new Promise<boolean>((resolve) => {
      decisions.set(number, resolve);
      report({ decides: number, isDamaged });
    });
    const decision = isThere || isDamaged ? outbox.discard(entry.entryId) : outbox.sendAgain(entry.entryId);
    await decision.catch(() => undefined);
  }
}

/** Polls and decides while the user sends, until everything is sent. */
async function run(sends: Promise<void>): Promise<void> {
  const copying = new Set([sends]);
  void sends.then(() => copying.clear());
  while (copying.size > 0 || window.leftCount > 0) {
    await poll();
    await decide();
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

await run(task.files.reduce((before, number) => before.then(() => send(number)), Promise.resolve()));
await window.close();
process.exit(0);
