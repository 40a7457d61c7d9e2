import { describeEntry } from '../state/describeEntry.ts';
import { describeMessage, describePlace } from '../state/describeMessage.ts';
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
  for (const message of messages) {
    const row = rowByMessageId.get(message.id);
    const header = store.header(key, message.id);
    if (!row) continue;
    const described = describeMessage(message, header?.role, row.key, t);
    bodies.set(row.key, { ...described, badges: [...described.badges, ...describePlace(header, t)] });
  }
  for (const entry of record.outbox) {
    if (!bodies.has(entry.entryId) && rows.some((row) => row.key === entry.entryId)) {
      bodies.set(entry.entryId, describeEntry(entry, t));
    }
  }
  return bodies;
}
