/**
 * A window that can be killed: a real outbox on a real folder, in a process of its own. Its service is in the parent,
 * which outlives it and is reached by messages between the processes. Time runs a hundred times faster.
 */
import { type Disposable, onDispose } from '../../../src/events.ts';
import { ApiError } from '../../../src/api/errors.ts';
import type { AddedMessage, MessagePage, SessionsApi } from '../../../src/api/sessionsApi.ts';
import { silentLog } from '../../../src/log.ts';
import { Store } from '../../../src/state/store.ts';
import { Blobs } from '../../../src/sync/blobs.ts';
import { memoryBodies } from '../../../src/sync/bodies.ts';
import type { Clock } from '../../../src/sync/clock.ts';
import { openDisk } from '../../../src/sync/disk.ts';
import { Outbox } from '../../../src/sync/outbox.ts';

/** What the child asks of the service in the parent. */
export type ServiceCall =
  | {
      readonly callId: number;
      readonly call: 'add';
      readonly sessionId: string;
      readonly text: string;
      readonly files: string[];
    }
  | { readonly callId: number; readonly call: 'list'; readonly sessionId: string; readonly cursor: string | undefined };

/** What the child tells. `typed`: from here on the message must not get lost. */
export interface ChildReport {
  readonly typed: string;
}

export type ServiceReply =
  | { readonly callId: number; readonly added: AddedMessage }
  | { readonly callId: number; readonly page: MessagePage }
  | { readonly callId: number; readonly fails: 'reset' | 'refused' | 'rejected' };

const [folder = '', firstNumber = '0', lastNumber = '0'] = process.argv.slice(2);
const origin = 'https://service.test';
const sessionIds = ['s1', 's2', 's3'];
const speed = 100;

const clock: Clock = {
  now: Date.now,
  random: Math.random,
  after(delayMs, task): Disposable {
    const timer = setTimeout(task, delayMs / speed);
    return onDispose(() => clearTimeout(timer));
  },
};

const waiting = new Map<number, (reply: ServiceReply) => void>();
let lastCallId = 0;
type CallWithoutId = ServiceCall extends infer Call ? (Call extends ServiceCall ? Omit<Call, 'callId'> : never) : never;

async function ask(call: CallWithoutId): Promise<ServiceReply> {
  const callId = ++lastCallId;
  const reply = await new Promise<ServiceReply>((resolve) => {
    waiting.set(callId, resolve);
    process.send?.({ ...call, callId });
  });
  if (!('fails' in reply)) return reply;
  if (reply.fails === 'rejected') throw new ApiError('status', '422', { sent: 'maybe', status: 422 });
  throw new ApiError('unreachable', reply.fails, { sent: reply.fails === 'refused' ? 'no' : 'maybe' });
}
process.on('message', (reply: ServiceReply) => waiting.get(reply.callId)?.(reply));

const api: SessionsApi = {
  async addMessage(sessionId, message) {
    const files: string[] = [];
    for (const file of message.files ?? []) {
      let text = '';
      for await (const chunk of file.bytes.read()) text += new TextDecoder().decode(chunk);
      files.push(text);
    }
    const reply = await ask({ call: 'add', sessionId, text: message.text, files });
    if (!('added' in reply)) throw new Error('no answer to a POST');
    return reply.added;
  },
  async listMessages(sessionId, { cursor } = {}) {
    const reply = await ask({ call: 'list', sessionId, cursor });
    if (!('page' in reply)) throw new Error('no answer to a list');
    return reply.page;
  },
  getSession: () => Promise.reject(new Error('not used')),
  updateSession: () => Promise.reject(new Error('not used')),
  getMessage: () => Promise.reject(new Error('not used')),
  dispose: () => undefined,
};

const disk = await openDisk(folder, silentLog, clock);
const blobs = new Blobs(folder, silentLog, clock);
const store = new Store(memoryBodies());
const outbox = new Outbox({ disk, blobs, store, clock, log: silentLog, apiFor: () => api });
for (const sessionId of sessionIds) store.addSession({ key: { origin, sessionId }, addedAt: 1 });
await outbox.load();
await blobs.sweep();

async function poll(): Promise<void> {
  for (const sessionId of sessionIds) {
    const page = await api.listMessages(sessionId).catch(() => undefined);
    if (page) store.takeMessages({ origin, sessionId }, page.messages);
  }
}

/** The person: what is left to decide after it was looked for is sent again. */
function decide(): void {
  for (const { outbox: entries } of store.records) {
    for (const { entryId, state, isSearching } of entries) {
      if (state === 'notSent' || (state === 'unknown' && !isSearching)) void outbox.sendAgain(entryId);
    }
  }
}

async function type(text: string): Promise<void> {
  const bytes = async function* () {
    yield await Promise.resolve(new TextEncoder().encode(`bytes of ${text}`));
  };
  const blob = await blobs.put(bytes(), 1000);
  const attachment = {
    attachmentId: text,
    kind: 'file',
    name: text,
    mediaType: 'text/plain',
    isUnsaved: false,
    ...blob,
  } as const;
  const sessionId = sessionIds[Number(text.split(' ')[1]) % sessionIds.length] ?? '';
  await outbox.enqueue({ origin, sessionId }, { text, attachments: [attachment] });
  process.send?.({ typed: text } satisfies ChildReport);
}

for (let number = Number(firstNumber); number < Number(lastNumber); number++) await type(`message ${number}`);
for (let left = Infinity; left > 0;) {
  await poll();
  decide();
  left = store.records.reduce((sum, record) => sum + record.outbox.length, 0);
}
await disk.flush();
process.exit(0);
