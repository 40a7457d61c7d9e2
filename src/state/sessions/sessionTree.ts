import { defined } from '../../shared/defined.ts';
import { sameItems } from '../../shared/equality.ts';
import { type SessionKey, keyText, sameSession } from '../store/sessionKey.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
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
  /** The parent session's row; absent for a row directly below a section. */
  readonly parent?: SessionRow;
}
interface InnerRow<Kind extends string> {
  readonly kind: Kind;
  readonly rowId: string;
  readonly key: SessionKey;
  readonly parent: SessionRow;
}
export type MessageRow = InnerRow<'message'> & { readonly messageId: string };
/** The row above the files that the agent changed. */
export type ChangesRow = InnerRow<'changes'>;
export interface ChangedFileRow {
  readonly kind: 'changedFile';
  readonly rowId: string;
  readonly key: SessionKey;
  readonly parent: ChangesRow;
  readonly path: string;
}

/** The last row of a section that shows only a part of its sessions. */
export interface MoreSessionsRow {
  readonly kind: 'moreSessions';
  readonly rowId: string;
  readonly parent: SectionRow;
}

/** A row in the Sessions tree. A row remains the same object as long as it is in the tree. */
export type TreeRow =
  | SectionRow
  | SessionRow
  | MoreSessionsRow
  | MessageRow
  | ChangesRow
  | ChangedFileRow
  | InnerRow<'older'>
  | InnerRow<'moreChildren'>;

/**
 * The number of sessions shown in a section at first, and added by each "Show More Sessions". It is limited because
 * VS Code creates, transfers, and compares every row of an expanded section, whether it is in view or not.
 */
export const sessionsPerPage = 100;

/** The number of messages shown below a session at first, and added by each "Load Older Messages". */
export const messagesPerPage = 100;
/** The number of child sessions shown below a session at first, and added by each "Show More Child Sessions". */
export const childrenPerPage = 25;

/** The part of the tree to refresh: everything, or only these rows with their children. */
export type TreeChange = 'everything' | readonly (SectionRow | MoreSessionsRow)[];

/** A section with all of its sessions, of which only some have rows. */
interface ArrangedSection {
  readonly row: SectionRow;
  readonly records: readonly SessionRecord[];
  readonly sessions: readonly SessionRow[];
}

/** Creates the rows of the tree and preserves their identity, which VS Code relies on. */
export class SessionTree {
  readonly #rows = new Map<string, TreeRow>();
  readonly #rowsByKey = new Map<string, Set<SessionRow>>();
  readonly #shownMessages = new Map<string, number>();
  readonly #shownChildren = new Map<string, number>();
  readonly #shownSessions = new Map<string, number>();
  #revealed: SessionKey | undefined;
  #sections: readonly ArrangedSection[] = [];

  /** Sets the sections of the tree. Returns the part that must be refreshed. */
  arrange(sections: readonly SessionSection[]): TreeChange {
    const before = this.#sections;
    this.#sections = sections.map(({ sectionId, kind, tag, service, records }) =>
      this.#arranged(this.#sectionRow(sectionId, { sectionId, kind, ...defined({ tag, service }) }), records),
    );
    const hasSameSections = sameItems(rowsOf(before), rowsOf(this.#sections));
    const changed = this.#sections.flatMap((section, place) => this.#changedRow(section, before[place]) ?? []);
    if (!hasSameSections || changed.some(({ kind }) => kind === 'section')) this.#forgetRows();
    return hasSameSections ? changed : 'everything';
  }

  get sections(): readonly SectionRow[] {
    return rowsOf(this.#sections);
  }

  /** The sessions of a section that have rows. */
  sessions(section: SectionRow): readonly SessionRow[] {
    return this.#find(section)?.sessions ?? [];
  }

  /** The rows below a section: its first sessions, the revealed one, and "Show More Sessions" if there are more. */
  sectionRows(section: SectionRow): readonly TreeRow[] {
    const isWhole = this.hiddenCount(section) === 0;
    return [...this.sessions(section), ...(isWhole ? [] : [this.#moreSessionsRow(section)])];
  }

  /** The number of sessions of a section that have no row. */
  hiddenCount(section: SectionRow): number {
    const { records = [], sessions = [] } = this.#find(section) ?? {};
    return records.length - sessions.length;
  }

  /** Shows more sessions of a section. Returns the first one of them. */
  showMoreSessions(section: SectionRow): SessionRow | undefined {
    const shown = this.#shownCount(section);
    this.#shownSessions.set(section.rowId, shown + sessionsPerPage);
    const records = this.#find(section)?.records ?? [];
    const arranged = this.#arranged(section, records);
    this.#sections = this.#sections.map((known) => (known.row === section ? arranged : known));
    return arranged.sessions[shown];
  }

  /**
   * Keeps a row for the session, even if it comes after the shown ones of its section, until another session is
   * revealed. Returns the section to refresh; undefined if none lists the session, or if it already has a row.
   */
  reveal(key: SessionKey): SectionRow | undefined {
    this.#revealed = key;
    if (this.rowsOf(key).length > 0) return undefined;
    const listed = this.#sections.find(({ records }) =>
      records.some(({ listEntry }) => sameSession(listEntry.key, key)),
    );
    if (!listed) return undefined;
    const arranged = this.#arranged(listed.row, listed.records);
    this.#sections = this.#sections.map((known) => (known === listed ? arranged : known));
    return listed.row;
  }

  parentOf(row: TreeRow): TreeRow | undefined {
    if (row.kind === 'section') return undefined;
    return row.parent ?? this.#sections.find(({ sessions }) => sessions.some((session) => session === row))?.row;
  }

  /** All rows of sessions, below sections and below other sessions. */
  get sessionRows(): readonly SessionRow[] {
    return [...this.#rowsByKey.values()].flatMap((rows) => [...rows]);
  }

  /** All rows of a session. */
  rowsOf(key: SessionKey): readonly SessionRow[] {
    return [...(this.#rowsByKey.get(keyText(key)) ?? [])];
  }

  /**
   * The child sessions of a row, followed by "Show More Child Sessions" if there are more. The row's own session and
   * its ancestors are omitted to prevent endless nesting.
   */
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

  /** The messages of a session, newest first, followed by "Load Older Messages" if there are more. */
  messages(row: SessionRow, record: SessionRecord): TreeRow[] {
    const shown = this.#shownMessages.get(keyText(row.key)) ?? messagesPerPage;
    const listed = listedMessages(record);
    const rows: TreeRow[] = listed
      .slice(-shown)
      .reverse()
      .map(({ messageId }) => this.#messageRow(row, messageId));
    const hasOlder = listed.length > shown || record.history.completeness === 'partial';
    if (hasOlder) rows.push(this.#innerRow('older', row));
    return rows;
  }

  /** The row above the changed files of a session. */
  changes(parent: SessionRow): ChangesRow {
    const rowId = `${parent.rowId} changes`;
    const known = this.#rows.get(rowId);
    return known?.kind === 'changes' ? known : this.#keep({ kind: 'changes', rowId, key: parent.key, parent });
  }

  /** The rows above the changed files of a session, or of all sessions. */
  changesRows(key: SessionKey | undefined): readonly ChangesRow[] {
    return [...this.#rows.values()].flatMap((row) => {
      return row.kind === 'changes' && (!key || sameSession(row.key, key)) ? [row] : [];
    });
  }

  /** The rows of changed files with these paths. */
  changedFiles(parent: ChangesRow, paths: readonly string[]): TreeRow[] {
    return paths.map((path) => {
      const rowId = `${parent.rowId} ${path}`;
      return this.#rows.get(rowId) ?? this.#keep({ kind: 'changedFile', rowId, key: parent.key, parent, path });
    });
  }

  /**
   * Shows one more page of messages: loaded ones, or the next ones to be loaded. Further calls before these are loaded
   * don't add pages. Returns whether more messages must be loaded from the service.
   */
  showOlder(record: SessionRecord): boolean {
    const text = keyText(record.listEntry.key);
    const listedCount = listedMessages(record).length;
    const shown = Math.min(this.#shownMessages.get(text) ?? messagesPerPage, listedCount) + messagesPerPage;
    this.#shownMessages.set(text, shown);
    return listedCount < shown && record.history.completeness === 'partial';
  }

  /** Shows more child sessions below every row of a session. */
  showMoreChildren(key: SessionKey): void {
    for (const { rowId } of this.rowsOf(key)) {
      this.#shownChildren.set(rowId, (this.#shownChildren.get(rowId) ?? childrenPerPage) + childrenPerPage);
    }
  }

  #arranged(row: SectionRow, records: readonly SessionRecord[]): ArrangedSection {
    const shown = this.#shownCount(row);
    const isShown = ({ listEntry }: SessionRecord, place: number) =>
      place < shown || sameSession(listEntry.key, this.#revealed);
    const sessions = records.filter(isShown).map(({ listEntry }) => this.#topRow(listEntry.key, row.section.tag));
    return { row, records, sessions };
  }

  /**
   * The row to refresh in a section: the section itself, or only its last row if only the number of hidden sessions
   * changed. Undefined if nothing changed.
   */
  #changedRow({ row, records, sessions }: ArrangedSection, before: ArrangedSection | undefined) {
    if (!sameItems(sessions, before?.sessions ?? [])) return row;
    const [hidden, hiddenBefore] = [records.length - sessions.length, (before?.records.length ?? 0) - sessions.length];
    if (hidden === hiddenBefore) return undefined;
    return hidden > 0 && hiddenBefore > 0 ? this.#moreSessionsRow(row) : row;
  }

  #find(section: SectionRow): ArrangedSection | undefined {
    return this.#sections.find(({ row }) => row === section);
  }

  #shownCount({ rowId }: SectionRow): number {
    return this.#shownSessions.get(rowId) ?? sessionsPerPage;
  }

  #moreSessionsRow(parent: SectionRow): MoreSessionsRow {
    const rowId = `${parent.rowId} more`;
    const known = this.#rows.get(rowId);
    return known?.kind === 'moreSessions' ? known : this.#keep({ kind: 'moreSessions', rowId, parent });
  }

  #sectionRow(sectionId: string, section: SectionRow['section']): SectionRow {
    const rowId = `section ${sectionId}`;
    const known = this.#rows.get(rowId);
    return known?.kind === 'section' ? known : this.#keep({ kind: 'section', rowId, section });
  }

  /** Returns a session's row below a section. When grouped by tag, a session has a separate row for each tag. */
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

  /** Drops the rows of sections and sessions that are no longer in the tree, with their descendants. */
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

/** The messages that have rows: all but results of tools, which are part of the call that they belong to. */
function listedMessages({ headers }: SessionRecord): readonly MessageHeader[] {
  return headers.filter(({ role, toolCount, hasText }) => toolCount === 0 || hasText || role === 'assistant');
}
