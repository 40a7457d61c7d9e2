import { type AgeSection, ageSection } from './describeAge.ts';
import { type SessionKey, keyText } from './sessionKey.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** A row of the Sessions tree. The same row is the same object for as long as it is there. */
export type TreeRow =
  | { readonly kind: 'section'; readonly rowId: string; readonly section: AgeSection }
  | { readonly kind: 'session'; readonly rowId: string; readonly key: SessionKey }
  | { readonly kind: 'message'; readonly rowId: string; readonly key: SessionKey; readonly messageId: string }
  | { readonly kind: 'older'; readonly rowId: string; readonly key: SessionKey };

/** How many messages a session shows before "Load older" is asked for, and how many each asking adds. */
export const messagesPerPage = 100;

const sectionOrder: readonly AgeSection[] = ['today', 'yesterday', 'lastWeek', 'older', 'archived'];

/** Makes the rows of the tree from the records, and keeps their identity, which the editor goes by. */
export class SessionTree {
  readonly #rows = new Map<string, TreeRow>();
  readonly #shownMessages = new Map<string, number>();

  /** The sections that hold a session, in order. `now` is Unix ms. */
  sections(records: readonly SessionRecord[], now: number): TreeRow[] {
    const present = new Set(records.map((record) => sectionOf(record, now)));
    return sectionOrder
      .filter((section) => present.has(section))
      .map((section) => this.#row({ kind: 'section', rowId: `section ${section}`, section }));
  }

  /** The sessions of a section, the latest first; of one age, the one added last first. */
  sessions(records: readonly SessionRecord[], section: AgeSection, now: number): TreeRow[] {
    return records
      .filter((record) => sectionOf(record, now) === section)
      .sort((a, b) => lastTouched(b) - lastTouched(a) || b.deck.addedAt - a.deck.addedAt)
      .map((record) => this.session(record.deck.key));
  }

  session(key: SessionKey): TreeRow {
    return this.#row({ kind: 'session', rowId: `session ${keyText(key)}`, key });
  }

  /** The messages of a session, the newest first, and "Load older" where there are more. */
  messages(record: SessionRecord): TreeRow[] {
    const { key } = record.deck;
    const shown = this.#shownMessages.get(keyText(key)) ?? messagesPerPage;
    const rows = record.headers
      .slice(-shown)
      .reverse()
      .map((header) => this.message(key, header.messageId));
    const hasOlder = record.headers.length > shown || record.history.extent === 'partial';
    if (hasOlder) rows.push(this.#row({ kind: 'older', rowId: `older ${keyText(key)}`, key }));
    return rows;
  }

  message(key: SessionKey, messageId: string): TreeRow {
    return this.#row({ kind: 'message', rowId: `message ${keyText(key)}\n${messageId}`, key, messageId });
  }

  /** Shows one page more of a session. Returns whether the service has to be asked for it. */
  showOlder(record: SessionRecord): boolean {
    const text = keyText(record.deck.key);
    const shown = (this.#shownMessages.get(text) ?? messagesPerPage) + messagesPerPage;
    this.#shownMessages.set(text, shown);
    return record.headers.length < shown && record.history.extent === 'partial';
  }

  #row(row: TreeRow): TreeRow {
    const known = this.#rows.get(row.rowId);
    if (known) return known;
    this.#rows.set(row.rowId, row);
    return row;
  }
}

/** The section a session stands in; one never read stands with those of the day it was added. */
export function sectionOf(record: SessionRecord, now: number): AgeSection {
  const archivedAt = record.session?.sessionSettings?.archivedAt;
  if (archivedAt !== undefined && archivedAt !== '') return 'archived';
  return ageSection(lastTouched(record), now);
}

function lastTouched(record: SessionRecord): number {
  return record.session?.updatedAt ?? record.deck.addedAt;
}
