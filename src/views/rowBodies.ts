import { describeEntry } from '../state/describeEntry.ts';
import { describeMessage } from '../state/describeMessage.ts';
import type { ConversationRow } from '../state/conversationRows.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import type { Translate } from '../state/words.ts';
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
  const record = store.record(key);
  if (!record) return bodies;
  const roles = new Map(record.headers.map((header) => [header.messageId, header.role]));
  for (const message of messages) {
    const row = rowByMessageId.get(message.id);
    if (row) bodies.set(row.key, describeMessage(message, roles.get(message.id), row.key, t));
  }
  for (const entry of record.outbox) {
    if (!bodies.has(entry.entryId) && rows.some((row) => row.key === entry.entryId)) {
      bodies.set(entry.entryId, describeEntry(entry, t));
    }
  }
  return bodies;
}
