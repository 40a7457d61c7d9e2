/**
 * A window that can be killed and suspended: a real outbox on a real folder, in its own process. Its service runs in
 * the parent process, which outlives the window and exchanges messages with it. The window's clock runs `speed` times
 * as fast as real time.
 */
import type { SendCondition } from '../../../src/shared/protocol/vocabulary.ts';
import { api, ask } from './playedApi.ts';
import { seeded } from '../tally.ts';
import { type ClockTask, fastClock, origin, ProcessWindow } from './windowParts.ts';

/**
 * A report from the window. `typed`: the message must not be lost from now on. `scheduled`: it is about to be typed,
 * and must not be sent before its condition is met. `reported`: the user decides about an entry with this text.
 */
export type WindowReport =
  | { readonly typed: string }
  | { readonly scheduled: string; readonly after: SendCondition }
  | { readonly reported: string; readonly text: string };

/** The window's first argument, as JSON. */
export interface WindowTask extends ClockTask {
  readonly folder: string;
  /** The numbers of the messages to type: `from` inclusive, `to` exclusive. */
  readonly from: number;
  readonly to: number;
  readonly seed: number;
}

const { folder, from, to, seed, ...clockTask } = JSON.parse(process.argv[2] ?? '{}') as WindowTask;
const random = seeded(seed);
const sessionIds = ['s1', 's2', 's3'];
/** A session without messages. Some scheduled messages of the other sessions wait until it is idle. */
const awaited = { origin, sessionId: 's4' };
/** The longest time by the window's clock for which a message is scheduled. */
const longestWaitMs = 40_000;
const lookEveryMs = 20;

const clock = fastClock(clockTask);

const window = await ProcessWindow.open(folder, clock, api);
const { store, blobs, outbox } = window;
await window.load([...sessionIds, awaited.sessionId]);

async function poll(): Promise<void> {
  for (const sessionId of sessionIds) {
    const page = await api.listMessages(sessionId).catch(() => undefined);
    if (page) store.takeMessages({ origin, sessionId }, page.messages);
  }
  const reply = await ask({ call: 'status', sessionId: awaited.sessionId }).catch(() => undefined);
  if (!reply || !('status' in reply)) return;
  const session = { ...awaited, status: reply.status, messageCount: 0, createdAt: 1, updatedAt: 1 };
  store.takeSession(awaited, session, clock.now(), store.countRequest());
}

/** Decides as a user would: discards messages that the conversation already contains and sends the others again. */
async function decide(): Promise<void> {
  for (const entry of store.records.flatMap((record) => record.outbox)) {
    if (entry.state !== 'notSent' && (entry.state !== 'unknown' || entry.isSearching)) continue;
    process.send?.({ reported: entry.entryId, text: entry.text } satisfies WindowReport);
    const reply = await ask({ call: 'has', sessionId: entry.key.sessionId, text: entry.text });
    void ('has' in reply && reply.has ? outbox.discard(entry.entryId) : outbox.sendAgain(entry.entryId));
  }
}

/** Half of the messages aren't scheduled. */
function randomCondition(): SendCondition | undefined {
  const chance = random();
  if (chance < 0.5) return undefined;
  return chance < 0.75
    ? { kind: 'time', at: clock.now() + random() * longestWaitMs }
    : { kind: 'sessionIdle', key: awaited };
}

async function type(text: string): Promise<void> {
  const bytes = async function* () {
    yield await Promise.resolve(new TextEncoder().encode(`bytes of ${text}`));
  };
  const blob = await blobs.put(bytes(), 1000);
  const common = { attachmentId: text, kind: 'file', name: text, mediaType: 'text/plain', isUnsaved: false } as const;
  const sessionId = sessionIds[Number(text.split(' ')[1]) % sessionIds.length] ?? '';
  const after = randomCondition();
  if (after) process.send?.({ scheduled: text, after } satisfies WindowReport);
  await outbox.enqueue({ origin, sessionId }, { text, attachments: [{ ...common, ...blob }], after });
  process.send?.({ typed: text } satisfies WindowReport);
}

for (let number = from; number < to; number++) await type(`message ${number} `);
for (let left = Infinity; left > 0; left = window.leftCount) {
  await poll();
  await decide();
  await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}
await window.close();
process.exit(0);
