import { cutBlocks } from '../state/cutBlocks.ts';
import { describeEntry } from '../state/describeEntry.ts';
import { describeMessage, describePlace } from '../state/describeMessage.ts';
import type { ConversationRow } from '../state/conversationRows.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import { type ToolPairs, noPairs, pairCandidates, pairTools } from '../state/toolPairs.ts';
import type { Translate } from '../state/words.ts';
import type { Message } from '../api/message.ts';
import type { PageRow } from '../pageContent.ts';

/** The bodies of some rows as the page draws them, by row key; a row whose body is not there is left out. */
export async function readRowBodies(
  store: Store,
  key: SessionKey,
  rows: readonly ConversationRow[],
  t: Translate,
): Promise<ReadonlyMap<string, PageRow>> {
  const bodies = new Map<string, PageRow>();
  const rowByMessageId = new Map<string, ConversationRow>();
  for (const row of rows) {
    if ('messageId' in row.source) rowByMessageId.set(row.source.messageId, row);
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
    const badges = [...described.badges, ...describePlace(header, t)];
    bodies.set(row.key, { ...described, badges, ...cutBlocks(described.blocks, t) });
  }
  for (const entry of record.outbox) {
    if (!bodies.has(entry.entryId) && rows.some((row) => row.key === entry.entryId)) {
      const described = describeEntry(entry, t);
      bodies.set(entry.entryId, { ...described, ...cutBlocks(described.blocks, t) });
    }
  }
  return bodies;
}

/** Reads what other messages hold of the tool calls of these, and answers it for each. */
async function readToolPairs(
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
