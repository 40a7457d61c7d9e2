import * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { describeOlder } from '../../state/presentation/describeConversation.ts';
import { describeMessageRow } from '../../state/presentation/describeSession.ts';
import { describeChangedFile, describeChanges } from '../../state/presentation/describeChanges.ts';
import { describeBadge, describeFilter, describeService, describeTree } from '../../state/presentation/describeTree.ts';
import { filteredRecords } from '../../state/sessions/sessionSearch.ts';
import { isFiltering, sectionsOf, topRecords } from '../../state/sessions/sections.ts';
import {
  type ChangesRow,
  type SectionRow,
  type SessionRow,
  SessionTree,
  type TreeChange,
  type TreeRow,
} from '../../state/sessions/sessionTree.ts';
import { isWithoutSessions, serviceNames } from '../../state/store/connection.ts';
import { keyText, type SessionKey } from '../../state/store/sessionKey.ts';
import { childSessionIds, type SessionRecord } from '../../state/store/sessionRecord.ts';
import type { StoreChange } from '../../state/store/store.ts';
import { hasChanges } from '../../state/work/changes.ts';
import { AgeClock } from './ageClock.ts';
import { literalTooltip } from './literalTooltip.ts';
import { ChangesRows } from './changesRows.ts';
import { type Clicked, ClickedRow } from './clickedRow.ts';
import { RowDecorations } from './rowDecorations.ts';
import { SessionDrawings } from './sessionDrawings.ts';
import { isSameState, type SessionState, stateOf } from './sessionState.ts';
import {
  changedFileItem,
  changesItem,
  messageItem,
  moreChildrenItem,
  moreSessionsItem,
  olderItem,
  sectionItem,
  sessionItem,
} from './treeItems.ts';
import { drawTreeHead, type TreeHead } from './treeHead.ts';
import { TreeReads } from './treeReads.ts';
import { TreeReveal } from './treeReveal.ts';
import { TreeSubscriptions } from './treeSubscriptions.ts';
import type { ViewServices } from '../viewServices.ts';

/** Changes within this time are drawn together. */
const drawAfterMs = 20;
/**
 * VS Code draws a tree immediately, but then not again until the tree hasn't changed for 200 ms. With a shorter pause,
 * VS Code wouldn't draw while many sessions are polled one after another.
 */
const drawAgainAfterMs = 210;
/** The pause if only details changed, so that a new status and what the user does rarely have to wait. */
const drawDetailsAfterMs = 1_000;

/** The sessions that changed, by `keyText`, and whether their messages changed. */
type ChangedSessions = Map<string, { readonly key: SessionKey; readonly hasMessages: boolean }>;

/**
 * The Sessions tree: sections, sessions, their child sessions, changed files, and messages. Redraws only rows that
 * changed.
 */
export class SessionsView implements vscode.TreeDataProvider<TreeRow>, Disposable {
  readonly #services: ViewServices;
  readonly #tree = new SessionTree();
  readonly #changes = new vscode.EventEmitter<TreeRow[] | undefined>();
  readonly #view: vscode.TreeView<TreeRow>;
  readonly #subscriptions: TreeSubscriptions;
  readonly #disposables = new Disposables();
  /** The sessions that changed since the last draw. */
  readonly #changed: ChangedSessions = new Map();
  /** What was last known about each session, by `keyText`, except details that a refresh may change. */
  readonly #states = new Map<string, SessionState>();
  readonly #changesRows: ChangesRows;
  readonly #ages = new AgeClock(() => this.#drawRowsSoon());
  readonly #drawings: SessionDrawings;
  readonly #drawing = new DelayedTask(drawAfterMs, () => this.#draw());
  /** The head of the tree as arranged; undefined if something has changed since. */
  #head: TreeHead | undefined;
  #hasDecorations = false;
  /** Whether any row may have changed since the last draw. */
  #areRowsDue = false;
  /**
   * Follows sessions in a task of its own, because following and drawing 10,000 of them each take several milliseconds.
   */
  readonly #following = new DelayedTask(0, () => this.#followVisible());
  /** Whether the session list may have changed since the last draw. */
  #isFollowDue = false;
  /** Sections of which VS Code still shows earlier rows. */
  readonly #stale = new Set<SectionRow>();
  readonly #reveal: TreeReveal;
  readonly #reads: TreeReads;
  readonly #clicked: ClickedRow;
  /** Whether presences may have changed since the tree was hidden. */
  #hasOldPresences = false;

  readonly onDidChangeTreeData = this.#changes.event;

  constructor(treeView: vscode.TreeView<TreeRow>, services: ViewServices) {
    this.#services = services;
    this.#subscriptions = new TreeSubscriptions(services.sessions);
    this.#changesRows = new ChangesRows(services);
    this.#drawings = new SessionDrawings(services, this.#ages);
    this.#view = treeView;
    this.#reveal = new TreeReveal(treeView, this.#tree, services.store, (section) => this.#fire([section]));
    this.#reads = new TreeReads(treeView, (rows) => this.#fire(rows));
    this.#clicked = new ClickedRow(treeView, () => this.#fire(undefined));
    for (const item of [
      this.#changes,
      this.#subscriptions,
      services.store.onDidChange((change) => this.#onChange(change)),
      services.treeOptions.onDidChange(() => this.#drawRowsSoon()),
      this.#view.onDidChangeVisibility(() => {
        this.#followVisible();
        this.#reveal.revealDue();
        if (!this.#view.visible || !this.#hasOldPresences) return;
        this.#hasOldPresences = false;
        this.#drawChanges(undefined);
      }),
      services.presence.onDidChange((key) => this.#drawChanges(key)),
      this.#view.onDidExpandElement(({ element }) => this.#onExpand(element)),
      this.#view.onDidCollapseElement(({ element }) => this.#onCollapse(element)),
      this.#ages,
      this.#drawing,
      this.#following,
      this.#reveal,
      this.#reads,
      this.#clicked,
    ]) {
      this.#disposables.add(item);
    }
  }

  getChildren(row?: TreeRow): TreeRow[] | Promise<TreeRow[]> {
    const { store } = this.#services;
    this.#reads.read(row);
    this.#clicked.read();
    if (!row) {
      void this.#services.lifecycle.start();
      drawTreeHead(this.#view, this.#head ?? this.#arrange().head);
      // VS Code asks for the rows of these sections next. A change in the next 200 ms would delay them.
      if (this.#tree.sections.length > 0) this.#drawing.pause();
      this.#followVisible();
      return [...this.#tree.sections];
    }
    if (row.kind === 'section') return [...this.#tree.sectionRows(row)];
    if (row.kind === 'changes') return this.#changedFiles(row);
    const record = row.kind === 'session' ? store.record(row.key) : undefined;
    return row.kind === 'session' && record ? this.#openRow(row, record) : [];
  }

  getParent(row: TreeRow): TreeRow | undefined {
    return this.#tree.parentOf(row);
  }

  getTreeItem(row: TreeRow): vscode.TreeItem {
    const { store, t } = this.#services;
    switch (row.kind) {
      case 'section':
        return sectionItem(row, t);
      case 'moreSessions': {
        const hiddenCount = this.#tree.hiddenCount(row.parent);
        // While VS Code reads rows, it can miss that they change. This row is then still there, but nothing is hidden.
        if (hiddenCount === 0) {
          this.#stale.add(row.parent);
          this.#drawing.request(drawDetailsAfterMs);
        }
        return moreSessionsItem(row, hiddenCount, t);
      }
      case 'older': {
        const record = store.record(row.key);
        return olderItem(row, record ? describeOlder(record, store.connectionOf(row.key.origin), t) : undefined, t);
      }
      case 'moreChildren':
        return moreChildrenItem(row, t);
      case 'session': {
        const drawing = this.#drawings.draw(row);
        if (!drawing) return new vscode.TreeItem('');
        if (drawing.description.unsentCount !== undefined) this.#decorateRows();
        return sessionItem(row, drawing.description, drawing.flags, t);
      }
      case 'changes': {
        const record = store.record(row.key);
        const found = this.#changesRows.presenceOf(row);
        return record ? changesItem(row, describeChanges(record, found, t), t) : new vscode.TreeItem('');
      }
      case 'changedFile': {
        const file = this.#changesRows.changedFile(row.parent, row.path);
        const known = this.#changesRows.presenceOf(row.parent).presences.get(row.path);
        return file ? changedFileItem(row, describeChangedFile(file, known, t), t) : new vscode.TreeItem('');
      }
      case 'message': {
        const header = store.header(row.key, row.messageId);
        if (!header) return new vscode.TreeItem('');
        const headers = store.record(row.key)?.headers ?? [];
        return messageItem(row, describeMessageRow(header, headers, Date.now(), t), t);
      }
    }
  }

  /** Adds the tooltip of a session when the pointer is on its row. VS Code keeps it until the row is drawn again. */
  resolveTreeItem(item: vscode.TreeItem, row: TreeRow): vscode.TreeItem {
    if (row.kind !== 'session') return item;
    return Object.assign(item, { tooltip: literalTooltip(this.#drawings.drawTooltip(row)) });
  }

  /** Shows one more page of a session's messages. Returns whether they must be loaded from the service. */
  showOlder(key: SessionKey): boolean {
    const record = this.#services.store.record(key);
    if (!record) return false;
    const isNeeded = this.#tree.showOlder(record);
    this.#fire([...this.#tree.rowsOf(key)]);
    return isNeeded;
  }

  /** The row that was clicked. Call this when its command is run. */
  clickedRow(): Promise<Clicked> {
    return this.#clicked.find();
  }

  /** Shows more sessions of a section, and focuses the first of them, which replaces the row "Show More Sessions". */
  showMoreSessions(section: SectionRow): void {
    const first = this.#tree.showMoreSessions(section);
    if (!first) return;
    this.#fire([section]);
    this.#reveal.focus(first);
  }

  showMoreChildren(key: SessionKey): void {
    this.#tree.showMoreChildren(key);
    this.#fire([...this.#tree.rowsOf(key)]);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #openRow(row: SessionRow, record: SessionRecord): TreeRow[] {
    const children = this.#tree.children(row, childSessionIds(record));
    const sessions = children.filter((child) => child.kind === 'session');
    this.#services.sessionList.showTransientSessions(
      row.key,
      sessions.map(({ key }) => key.sessionId),
    );
    this.#subscriptions.open(row, sessions);
    const changes = hasChanges(record.headers) ? [this.#tree.changes(row)] : [];
    return [...changes, ...children, ...this.#tree.messages(row, record)];
  }

  /** Draws a Changes row again, because it may have shown nothing about the workspace while it was collapsed. */
  #onExpand(row: TreeRow): void {
    if (row.kind !== 'changes') return;
    this.#changesRows.open(row);
    if (this.#changesRows.presenceOf(row).presences.size > 0) this.#fire([row]);
  }

  #onCollapse(row: TreeRow): void {
    this.#reads.close(row);
    this.#changesRows.close(row);
    if (row.kind === 'session') this.#subscriptions.close(row);
  }

  async #changedFiles(row: ChangesRow): Promise<TreeRow[]> {
    this.#changesRows.open(row);
    this.#decorateRows();
    return this.#tree.changedFiles(row, await this.#changesRows.readPaths(row));
  }

  /**
   * Registers the decorations once they are needed, because VS Code asks each provider about every file that it shows.
   */
  #decorateRows(): void {
    if (!this.#hasDecorations) this.#disposables.add(new RowDecorations());
    this.#hasDecorations = true;
  }

  /** Draws the changed files of a session, or of all sessions, because their presence may have changed. */
  #drawChanges(key: SessionKey | undefined): void {
    // VS Code asks for the rows of a hidden tree too, and each answer would compare files.
    if (!this.#view.visible) {
      this.#hasOldPresences = true;
      return;
    }
    const rows = this.#tree.changesRows(key);
    if (rows.length > 0) this.#fire([...rows]);
  }

  #onChange(change: StoreChange): void {
    if (change.type === 'current') {
      this.#reveal.selectCurrent();
      return;
    }
    this.#head = undefined;
    if (!('key' in change)) {
      this.#drawAllSoon();
      return;
    }
    const text = keyText(change.key);
    const hasMessages = change.type === 'messages' || this.#changed.get(text)?.hasMessages === true;
    this.#changed.set(text, { key: change.key, hasMessages });
    const state = stateOf(this.#services.store.record(change.key));
    const isDetail = change.type === 'session' && isSameState(this.#states.get(text), state);
    this.#states.set(text, state);
    this.#drawing.request(isDetail ? drawDetailsAfterMs : drawAgainAfterMs);
  }

  #drawAllSoon(): void {
    const { records, transientSessions } = this.#services.store;
    this.#states.clear();
    for (const record of [...records, ...transientSessions]) {
      this.#states.set(keyText(record.listEntry.key), stateOf(record));
    }
    this.#isFollowDue = true;
    this.#drawRowsSoon();
  }

  #drawRowsSoon(): void {
    this.#head = undefined;
    this.#areRowsDue = true;
    this.#drawing.request(drawAgainAfterMs);
  }

  #draw(): void {
    const changed = new Map(this.#changed);
    this.#changed.clear();
    const { change, head } = this.#arrange();
    const isArranged = change === 'everything' || change.length > 0;
    if (this.#isFollowDue || isArranged) this.#following.request();
    this.#isFollowDue = false;
    if (change === 'everything') this.#fire(undefined);
    else this.#drawRows(changed, [...change, ...this.#stale]);
    this.#areRowsDue = false;
    this.#stale.clear();
    // VS Code would delay the rows if the message changed first.
    drawTreeHead(this.#view, head);
    this.#reveal.revealDue();
  }

  #drawRows(changed: ChangedSessions, sections: readonly TreeRow[]): void {
    const due = this.#areRowsDue
      ? this.#tree.sessionRows
      : [...changed.values()].flatMap(({ key }) => this.#tree.rowsOf(key));
    const hasMessages = ({ key }: SessionRow) => changed.get(keyText(key))?.hasMessages === true;
    const rows = due.filter(
      (row) => (hasMessages(row) && this.#subscriptions.isOpen(row)) || this.#drawings.isOutdated(row),
    );
    if (sections.length + rows.length > 0) this.#fire([...sections, ...rows]);
  }

  #fire(rows: TreeRow[] | undefined): void {
    this.#drawing.pause();
    if (!rows) this.#drawings.forget();
    this.#changes.fire(rows);
    this.#reads.changed(rows);
  }

  /** Arranges the sessions. Returns what must be drawn. */
  #arrange(): { readonly change: TreeChange; readonly head: TreeHead } {
    const { store, treeOptions, t } = this.#services;
    const { connection, connections, records } = store;
    const { groupBy, sortBy, filter } = treeOptions.options;
    // With a filter, list matching child sessions at the top level too, because their parents may be hidden.
    const candidates = isFiltering(filter) ? records : topRecords(store);
    const shown = filteredRecords(candidates, filter, treeOptions.textMatches);
    const recordsOf = (origin: string) => records.filter(({ listEntry }) => listEntry.key.origin === origin);
    // If no session was ever loaded, because no service can be reached or all of them reject their keys, the tree stays
    // empty, so that a welcome view is shown.
    const isEmpty = isWithoutSessions(connections, recordsOf);
    const names = serviceNames(connections);
    const change = this.#tree.arrange(isEmpty ? [] : sectionsOf(shown, groupBy, sortBy, Date.now(), names));
    const others = connections.filter((other) => other !== connection);
    const state = describeTree(connection, records, t, others);
    const lines = [state, describeFilter(filter, shown.length, records.length, t)];
    const message = lines.filter((line) => line !== '').join(' ');
    this.#head = { message, description: describeService(connection), badge: describeBadge(records, t) };
    return { change, head: this.#head };
  }

  #followVisible(): void {
    const { store, sessionList } = this.#services;
    const onTop = this.#tree.sections.flatMap((section) => this.#tree.sessions(section));
    const keys = [...onTop.map(({ key }) => key), ...store.records.map(({ listEntry }) => listEntry.key)];
    this.#subscriptions.follow(keys, this.#view.visible);
    // A session that was removed from the list can still be shown below its parent.
    for (const { row, children } of this.#subscriptions.openRows) {
      const missing = children.filter(({ key }) => !store.record(key)).map(({ key }) => key.sessionId);
      if (missing.length > 0 && store.record(row.key)) sessionList.showTransientSessions(row.key, missing);
    }
  }
}
