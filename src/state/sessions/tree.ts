import { type SessionKey, keyText } from '../store/sessionKey.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import type { SessionSection } from './sections.ts';

export interface SectionRow {
  readonly kind: 'section';
  readonly rowId: string;
  readonly section: Omit<SessionSection, 'records'>;
}
export interface SessionRow {
  readonly kind: 'session';
  readonly rowId: string;
  readonly key: SessionKey;
  /** The session it stands below as a child; absent directly below a section. */
  readonly parent?: SessionRow;
}
interface InnerRow<Kind extends string> {
  readonly kind: Kind;
  readonly rowId: string;
  readonly key: SessionKey;
  readonly parent: SessionRow;
}
export type MessageRow = InnerRow<'message'> & { readonly messageId: string };

/** A row of the Sessions tree. The same row is the same object for as long as it is there. */
export type TreeRow = SectionRow | SessionRow | MessageRow | InnerRow<'older'> | InnerRow<'moreChildren'>;

/** How many messages a session shows before "Load older" is asked for, and how many each asking adds. */
export const messagesPerPage = 100;
/** How many child sessions a session shows at first, and how many "Show more" adds. */
export const childrenPerPage = 25;

/** What has to be drawn anew: everything, or these sections. */
export type TreeChange = 'everything' | readonly SectionRow[];

/** Makes the rows of the tree, and keeps their identity, which the editor goes by. */
export class SessionTree {
  readonly #rows = new Map<string, TreeRow>();
  readonly #rowsByKey = new Map<string, Set<SessionRow>>();
  readonly #shownMessages = new Map<string, number>();
  readonly #shownChildren = new Map<string, number>();
  #sections: readonly { readonly row: SectionRow; readonly sessions: readonly SessionRow[] }[] = [];

  /** Takes over how the sessions are arranged now; returns what has changed by that. */
  arrange(sections: readonly SessionSection[]): TreeChange {
    const before = this.#sections;
    this.#sections = sections.map(({ sectionId, kind, tag, records }) => ({
      row: this.#sectionRow(sectionId, { sectionId, kind, ...(tag === undefined ? {} : { tag }) }),
      sessions: records.map(({ listEntry }) => this.#topRow(listEntry.key, tag)),
    }));
    const hasSameSections = sameItems(rowsOf(before), rowsOf(this.#sections));
    const changed = this.#sections.flatMap(({ row, sessions }, place) =>
      sameItems(sessions, before[place]?.sessions ?? []) ? [] : [row],
    );
    if (!hasSameSections || changed.length > 0) this.#forgetRows();
    return hasSameSections ? changed : 'everything';
  }

  get sections(): readonly SectionRow[] {
    return rowsOf(this.#sections);
  }

  sessions(section: SectionRow): readonly SessionRow[] {
    return this.#sections.find(({ row }) => row === section)?.sessions ?? [];
  }

  parentOf(row: TreeRow): TreeRow | undefined {
    if (row.kind === 'section') return undefined;
    return row.parent ?? this.#sections.find(({ sessions }) => sessions.some((session) => session === row))?.row;
  }

  /** The rows of a session, wherever it stands. */
  rowsOf(key: SessionKey): readonly SessionRow[] {
    return [...(this.#rowsByKey.get(keyText(key)) ?? [])];
  }

  /** The child sessions below a row; one that already stands above it is left out, or there would be no end. */
  children(row: SessionRow, childIds: readonly string[]): TreeRow[] {
    const above = new Set<string>();
    for (let at: SessionRow | undefined = row; at; at = at.parent) above.add(at.key.sessionId);
    const ids = childIds.filter((sessionId) => !above.has(sessionId));
    const shown = this.#shownChildren.get(row.rowId) ?? childrenPerPage;
    const rows: TreeRow[] = ids.slice(0, shown).map((sessionId) => {
      const key = { origin: row.key.origin, sessionId };
      return this.#sessionRow({ kind: 'session', rowId: `${row.rowId} > ${sessionId}`, key, parent: row });
    });
    if (ids.length > shown) rows.push(this.#innerRow('moreChildren', row));
    return rows;
  }

  /** The messages of a session, the newest first, and "Load older" where there are more. */
  messages(row: SessionRow, record: SessionRecord): TreeRow[] {
    const shown = this.#shownMessages.get(keyText(row.key)) ?? messagesPerPage;
    const rows: TreeRow[] = record.headers
      .slice(-shown)
      .reverse()
      .map(({ messageId }) => this.#messageRow(row, messageId));
    const hasOlder = record.headers.length > shown || record.history.completeness === 'partial';
    if (hasOlder) rows.push(this.#innerRow('older', row));
    return rows;
  }

  /** Shows one page of messages more. Returns whether the service has to be asked for it. */
  showOlder(record: SessionRecord): boolean {
    const text = keyText(record.listEntry.key);
    const shown = (this.#shownMessages.get(text) ?? messagesPerPage) + messagesPerPage;
    this.#shownMessages.set(text, shown);
    return record.headers.length < shown && record.history.completeness === 'partial';
  }

  /** Shows more child sessions below every row of a session. */
  showMoreChildren(key: SessionKey): void {
    for (const { rowId } of this.rowsOf(key)) {
      this.#shownChildren.set(rowId, (this.#shownChildren.get(rowId) ?? childrenPerPage) + childrenPerPage);
    }
  }

  #sectionRow(sectionId: string, section: SectionRow['section']): SectionRow {
    const rowId = `section ${sectionId}`;
    const known = this.#rows.get(rowId);
    return known?.kind === 'section' ? known : this.#keep({ kind: 'section', rowId, section });
  }

  /** Where a session may stand below several tags, each place is a row of its own. */
  #topRow(key: SessionKey, tag: string | undefined): SessionRow {
    const rowId = `session ${keyText(key)}${tag === undefined ? '' : `\n${tag}`}`;
    return this.#sessionRow({ kind: 'session', rowId, key });
  }

  #sessionRow(row: SessionRow): SessionRow {
    const known = this.#rows.get(row.rowId);
    if (known?.kind === 'session') return known;
    const text = keyText(row.key);
    this.#rowsByKey.set(text, (this.#rowsByKey.get(text) ?? new Set<SessionRow>()).add(row));
    return this.#keep(row);
  }

  #messageRow(parent: SessionRow, messageId: string): TreeRow {
    const rowId = `${parent.rowId} message ${messageId}`;
    return this.#rows.get(rowId) ?? this.#keep({ kind: 'message', rowId, key: parent.key, messageId, parent });
  }

  #innerRow(kind: 'older' | 'moreChildren', parent: SessionRow): TreeRow {
    const rowId = `${parent.rowId} ${kind}`;
    return this.#rows.get(rowId) ?? this.#keep({ kind, rowId, key: parent.key, parent });
  }

  #keep<Row extends TreeRow>(row: Row): Row {
    this.#rows.set(row.rowId, row);
    return row;
  }

  /** Rows of sessions that are not in the tree any more, with all that stood below them. */
  #forgetRows(): void {
    const tops = new Set<TreeRow>(this.#sections.flatMap(({ row, sessions }) => [row, ...sessions]));
    for (const row of this.#rows.values()) {
      if (tops.has(topOf(row))) continue;
      this.#rows.delete(row.rowId);
      if (row.kind === 'session') this.#rowsByKey.get(keyText(row.key))?.delete(row);
    }
  }
}

function topOf(row: TreeRow): TreeRow {
  let top = row;
  while (top.kind !== 'section' && top.parent) top = top.parent;
  return top;
}

function rowsOf(sections: readonly { readonly row: SectionRow }[]): SectionRow[] {
  return sections.map(({ row }) => row);
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, place) => item === b[place]);
}
