import { cutBlocks } from '../../state/conversation/truncate.ts';
import { describeEntry } from '../../state/presentation/outbox.ts';
import { describeMessage, describePlace } from '../../state/presentation/message.ts';
import { describeGroup, describeRowPlace } from '../../state/presentation/filter.ts';
import type { ConversationRow } from '../../state/conversation/rows.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { isBlocked } from '../../state/store/outboxEntry.ts';
import type { Store } from '../../state/store/store.ts';
import { type ToolPairs, noPairs, pairCandidates, pairTools } from '../../state/conversation/toolPairs.ts';
import type { Translate } from '../../shared/text.ts';
import type { Message } from '../../api/resources/message.ts';
import type { PageRow } from '../../shared/protocol/pageModel.ts';

/** The bodies of some rows as the page draws them, by row key; a row whose body is not there is left out. */
export async function readRowBodies(
  store: Store,
  key: SessionKey,
  rows: readonly ConversationRow[],
  t: Translate,
): Promise<ReadonlyMap<string, PageRow>> {
  const bodies = new Map<string, PageRow>();
  const rowByMessageId = new Map<string, ConversationRow>();
  const rowByEntryId = new Map<string, ConversationRow>();
  const take = (row: ConversationRow, described: PageRow) => {
    const place = describeRowPlace(row, t);
    bodies.set(row.key, { ...described, ...cutBlocks(described.blocks, t), ...(place ? { place } : {}) });
  };
  for (const row of rows) {
    if ('messageId' in row.source) rowByMessageId.set(row.source.messageId, row);
    else if ('entryId' in row.source) rowByEntryId.set(row.source.entryId, row);
    else take(row, describeGroup(row.key, row.source.group, t));
  }
  const messages = await store.readBodies(key, [...rowByMessageId.keys()]);
  const pairsOf = await readToolPairs(store, key, messages);
  const record = store.record(key);
  if (!record) return bodies;
  for (const message of messages) {
    const row = rowByMessageId.get(message.id);
    const header = store.header(key, message.id);
    if (!row) continue;
    const described = describeMessage(message, header?.role, row.key, t, pairsOf(message));
    take(row, { ...described, badges: [...described.badges, ...describePlace(header, t)] });
  }
  for (const entry of record.outbox) {
    const row = rowByEntryId.get(entry.entryId);
    if (row) take(row, describeEntry(entry, t, isBlocked(entry, record.outbox)));
  }
  return bodies;
}

/** Reads what other messages hold of the tool calls of these, and answers it for each. */
export async function readToolPairs(
  store: Store,
  key: SessionKey,
  messages: readonly Message[],
): Promise<(message: Message) => ToolPairs> {
  const headers = store.record(key)?.headers ?? [];
  const candidates = new Map(messages.map((message) => [message.id, pairCandidates(message, headers)]));
  const known = new Map(messages.map((message) => [message.id, message]));
  const elsewhere = [...new Set([...candidates.values()].flat())].filter((messageId) => !known.has(messageId));
  const read = elsewhere.length === 0 ? [] : await store.readBodies(key, elsewhere);
  for (const message of read) known.set(message.id, message);
  return (message) => {
    const near = (candidates.get(message.id) ?? []).flatMap((messageId) => known.get(messageId) ?? []);
    return near.length === 0 ? noPairs : pairTools([message, ...near]);
  };
}
