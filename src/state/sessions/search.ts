import { isUnreadSession, needsYou } from './attention.ts';
import { keyText } from '../store/sessionKey.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import type { TreeFilter } from './sections.ts';

/** Splits the text of a search into lowercase words. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether a session's name, title, ID, tags, computer, model, and messages' first lines together contain all words. */
export function matchesWords(record: SessionRecord, words: readonly string[]): boolean {
  const texts = ownTexts(record);
  return words.every(
    (word) =>
      texts.some((text) => text.toLowerCase().includes(word)) ||
      record.headers.some(({ firstLine }) => firstLine.toLowerCase().includes(word)),
  );
}

/** The sessions that match a filter. `foundInText` contains the keys of sessions whose messages contain the words. */
export function filteredRecords(
  records: readonly SessionRecord[],
  filter: TreeFilter,
  foundInText: ReadonlySet<string>,
): readonly SessionRecord[] {
  const words = searchWords(filter.text);
  return records.filter(
    (record) =>
      (filter.only !== 'unread' || isUnreadSession(record)) &&
      (filter.only !== 'needsYou' || needsYou(record)) &&
      (words.length === 0 || foundInText.has(keyText(record.listEntry.key)) || matchesWords(record, words)),
  );
}

function ownTexts({ listEntry, session }: SessionRecord): string[] {
  const tags = (session?.sessionSettings?.tags ?? []).map(({ name }) => name);
  const { model } = session?.sessionSettings ?? {};
  return [listEntry.name, session?.title, listEntry.key.sessionId, session?.computerId, model, ...tags].filter(
    (text) => text !== undefined,
  );
}
