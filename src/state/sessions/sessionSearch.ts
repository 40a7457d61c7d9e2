import { isUnreadSession, needsYou } from './attention.ts';
import { keyText } from '../store/sessionKey.ts';
import { isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import type { FilterState, TreeFilter } from './sections.ts';

/** Splits the text of a search into lowercase words. */
export function searchWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * Searches sessions while the user types. Keeps each session's name, title, ID, computer, model, and tags in lowercase,
 * because each key press searches all sessions. The first lines of messages are converted on each search.
 */
export class SessionSearch {
  #texts: readonly { readonly record: SessionRecord; readonly text: string }[] = [];

  /** The sessions for which {@link matchesWords} returns true, in the same order. */
  matching(records: readonly SessionRecord[], words: readonly string[]): readonly SessionRecord[] {
    if (words.length === 0) return records;
    this.#texts = records.map((record, place) => {
      const known = this.#texts[place];
      return known?.record === record ? known : { record, text: ownText(record) };
    });
    return this.#texts.filter(({ record, text }) => matches(record, text, words)).map(({ record }) => record);
  }
}

/**
 * Whether a session's name, title, ID, tags, computer, model, and messages' first lines together contain all words. The
 * words must be in lowercase, as {@link searchWords} returns them.
 */
export function matchesWords(record: SessionRecord, words: readonly string[]): boolean {
  return matches(record, ownText(record), words);
}

function matches({ headers }: SessionRecord, text: string, words: readonly string[]): boolean {
  return words.every(
    (word) => text.includes(word) || headers.some(({ firstLine }) => firstLine.toLowerCase().includes(word)),
  );
}

const isIn: Readonly<Record<FilterState, (record: SessionRecord) => boolean>> = {
  needsYou,
  running: ({ session }) => isWorking(session),
  unread: isUnreadSession,
};

/** The sessions that match a filter. `foundInText` has the `keyText` of sessions whose messages contain the words. */
export function filteredRecords(
  records: readonly SessionRecord[],
  filter: TreeFilter,
  foundInText: ReadonlySet<string>,
): readonly SessionRecord[] {
  const words = searchWords(filter.text);
  const tags = new Set(filter.tags);
  return records.filter(
    (record) =>
      (filter.states.length === 0 || filter.states.some((state) => isIn[state](record))) &&
      (tags.size === 0 || record.session?.sessionSettings?.tags?.some(({ name }) => tags.has(name)) === true) &&
      (words.length === 0 || foundInText.has(keyText(record.listEntry.key)) || matchesWords(record, words)),
  );
}

/**
 * The texts of a session, except those of its messages, in lowercase. Line breaks separate them, so that no word
 * matches across two.
 */
function ownText({ listEntry, session }: SessionRecord): string {
  const tags = (session?.sessionSettings?.tags ?? []).map(({ name }) => name);
  const { model } = session?.sessionSettings ?? {};
  const texts = [listEntry.name, session?.title, listEntry.key.sessionId, session?.computerId, model, ...tags];
  return texts.join('\n').toLowerCase();
}
