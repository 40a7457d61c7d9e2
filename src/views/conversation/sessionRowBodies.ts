import { defined } from '../../shared/defined.ts';
import { cutBlocks } from '../../state/conversation/truncate.ts';
import { describeEntry } from '../../state/presentation/describeOutbox.ts';
import {
  describeFault,
  describeMessage,
  describePlace,
  withContext,
  withoutTools,
} from '../../state/presentation/describeMessage.ts';
import { describeRowPlace } from '../../state/presentation/describeFilter.ts';
import { describeSteps } from '../../state/presentation/describeSteps.ts';
import type { ConversationRow } from '../../state/conversation/row.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { isBlocked } from '../../state/store/outboxEntry.ts';
import { type ToolPairs, noPairs, pairCandidates, pairTools } from '../../state/conversation/toolPairs.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import type { Translate } from '../../shared/text.ts';
import type { Message } from '../../api/resources/message.ts';
import type { PageRow } from '../../shared/protocol/rowTypes.ts';
import { Answers } from './answers.ts';
import type { MessageSource } from './pageMessages.ts';

/** Reads the bodies of rows. */
export interface RowBodies {
  /** Resolves to the bodies by row key. Rows whose bodies aren't available are missing from the map. */
  read(rows: readonly ConversationRow[]): Promise<ReadonlyMap<string, PageRow>>;
}

/** Reads the bodies of a session's rows. */
export class SessionRowBodies implements RowBodies {
  readonly #store: MessageSource;
  readonly #key: SessionKey;
  readonly #t: Translate;

  constructor(store: MessageSource, key: SessionKey, t: Translate) {
    this.#store = store;
    this.#key = key;
    this.#t = t;
  }

  read(rows: readonly ConversationRow[]): Promise<ReadonlyMap<string, PageRow>> {
    return readRowBodies(this.#store, this.#key, rows, this.#t);
  }
}

/** The bodies of rows as the page renders them, by row key. Rows whose bodies aren't available are missing. */
export async function readRowBodies(
  store: MessageSource,
  key: SessionKey,
  rows: readonly ConversationRow[],
  t: Translate,
): Promise<ReadonlyMap<string, PageRow>> {
  const bodies = new Map<string, PageRow>();
  const rowByMessageId = new Map<string, ConversationRow>();
  const rowByEntryId = new Map<string, ConversationRow>();
  const add = (row: ConversationRow, described: PageRow) => {
    const place = describeRowPlace(row, t);
    bodies.set(row.key, { ...described, ...cutBlocks(described.blocks, t), ...defined({ place }) });
  };
  for (const row of rows) {
    if ('messageId' in row.source) rowByMessageId.set(row.source.messageId, row);
    else if ('entryId' in row.source) rowByEntryId.set(row.source.entryId, row);
    else add(row, describeSteps(row.key, row.source.steps, t));
  }
  function* describeAll(): PausableWork<void> {
    for (const message of messages) {
      const row = rowByMessageId.get(message.id);
      const header = store.header(key, message.id);
      if (!row) continue;
      try {
        const others = contextOf(row, contextById);
        if (!others) continue;
        const whole = yield* describeMessage(message, header, row.key, t, pairsOf(message), answers.in(row));
        const context = yield* describeContext(others, store, key, t);
        const described = isTextOnlyRow(row) ? withoutTools(whole) : withContext(whole, context, t);
        add(row, { ...described, badges: [...described.badges, ...describePlace(header, t)] });
      } catch (error) {
        // One message must not hide the others.
        bodies.set(row.key, yield* describeFault(error, message, header, row.key, t));
      }
      yield;
    }
  }
  const contextIds = [...rowByMessageId.values()].flatMap(contextIdsOf);
  const messages = await store.readBodies(key, [...rowByMessageId.keys(), ...contextIds]);
  const contextById = new Map(contextIds.length === 0 ? [] : messages.map((message) => [message.id, message]));
  const answers = await Answers.read(store, key, rows);
  const pairsOf = await readToolPairs(
    store,
    key,
    messages.filter(({ id }) => !isTextOnlyRow(rowByMessageId.get(id))),
  );
  await inSlices(describeAll());
  const record = store.record(key);
  if (!record) return bodies;
  for (const entry of record.outbox) {
    const row = rowByEntryId.get(entry.entryId);
    const awaited = entry.after?.kind === 'sessionIdle' ? store.record(entry.after.key) : undefined;
    if (row) add(row, describeEntry(entry, t, isBlocked(entry, record.outbox), awaited));
  }
  return bodies;
}

function isTextOnlyRow(row: ConversationRow | undefined): boolean {
  return row !== undefined && 'messageId' in row.source && row.source.isTextOnly === true;
}

function contextIdsOf({ source }: ConversationRow): readonly string[] {
  return 'messageId' in source ? (source.contextIds ?? []) : [];
}

function* describeContext(
  messages: readonly Message[],
  store: MessageSource,
  key: SessionKey,
  t: Translate,
): PausableWork<PageRow[]> {
  const rows: PageRow[] = [];
  for (const message of messages)
    rows.push(yield* describeMessage(message, store.header(key, message.id), message.id, t));
  return rows;
}

/** The messages that a row shows besides its own; undefined if one isn't available. */
function contextOf(row: ConversationRow, messages: ReadonlyMap<string, Message>): readonly Message[] | undefined {
  const ids = contextIdsOf(row);
  const others = ids.flatMap((id) => messages.get(id) ?? []);
  return others.length === ids.length ? others : undefined;
}

/**
 * Reads the messages that contain the other half of tool calls: results for calls, and calls for results. Resolves to a
 * function that returns the pairs of one of the `messages`.
 */
export async function readToolPairs(
  store: MessageSource,
  key: SessionKey,
  messages: readonly Message[],
): Promise<(message: Message) => ToolPairs> {
  const headers = store.record(key)?.headers ?? [];
  const candidates = new Map(messages.map((message) => [message.id, pairCandidates(message, headers)]));
  const known = new Map(messages.map((message) => [message.id, message]));
  const otherIds = [...new Set([...candidates.values()].flat())].filter((messageId) => !known.has(messageId));
  const read = otherIds.length === 0 ? [] : await store.readBodies(key, otherIds);
  for (const message of read) known.set(message.id, message);
  return (message) => {
    const near = (candidates.get(message.id) ?? []).flatMap((messageId) => known.get(messageId) ?? []);
    return near.length === 0 ? noPairs : pairTools([message, ...near]);
  };
}
