import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import type { HostMessageOf } from '../../shared/protocol/hostMessages.ts';
import type { PageComment, PageComments } from '../../shared/protocol/pageModel.ts';
import { element, setText } from '../dom/element.ts';
import { listen } from '../dom/listen.ts';
import { icon } from '../icons/icon.ts';
import type { Quote } from '../content/quotes.ts';
import type { Strings } from '../strings.ts';
import { CommentEntry, type CommentList } from './commentEntry.ts';
import type { ComposerActions } from './composerActions.ts';

/** The draft's comments, above the composer: one line that expands to a list in which the comments are edited. */
export class CommentStrip implements CommentList, Disposable {
  readonly node = element('div', { class: 'comments', hidden: '' });
  readonly #strings: Strings;
  readonly #actions: ComposerActions;
  readonly #label = element('span', { dir: 'auto' });
  readonly #button = element('button', { type: 'button', class: 'plan-button', 'aria-expanded': 'false' });
  readonly #list = element('ul', { class: 'comment-items', role: 'list', hidden: '' });
  readonly #disposables = new Disposables();
  readonly #changes = this.#disposables.add(new Emitter<void>());
  readonly #exits = this.#disposables.add(new Emitter<void>());
  readonly #revealed = this.#disposables.add(new Emitter<PageComment>());
  /** Fires when the comments have changed. */
  readonly onDidChange = this.#changes.event;
  /** Fires when the focus should move to the composer. */
  readonly onDidLeave = this.#exits.event;
  /** Fires when the user wants to see the commented part of a message. */
  readonly onDidReveal = this.#revealed.event;
  #items: readonly PageComment[] = [];
  /** Entries are created when the list is expanded, because a draft can have many comments. */
  #entries: readonly CommentEntry[] = [];
  /** The IDs of the comments whose messages no longer contain their quotes. */
  #outdatedIds: ReadonlySet<string> = new Set();
  /** The comment that gets the focus when the host has added it. */
  #addedId: string | undefined;
  /** The last revision that was sent to the host; 0 if none was sent. */
  #revision = 0;

  constructor(strings: Strings, actions: ComposerActions) {
    this.#strings = strings;
    this.#actions = actions;
    this.#list.setAttribute('aria-label', strings.get('comments'));
    this.#button.append(icon('chevronRight', 'fold-mark'), icon('comment'), this.#label);
    this.#button.addEventListener('click', () => this.#setOpen(this.#list.hidden === true));
    this.node.append(this.#button, this.#list);
    listen(this.#disposables, document, 'visibilitychange', () => this.flush());
    listen(this.#disposables, window, 'pagehide', () => this.flush());
  }

  get count(): number {
    return this.#items.length;
  }

  get comments(): readonly PageComment[] {
    return this.#items;
  }

  /** Marks the comments whose messages no longer contain their quotes. */
  showOutdated(commentIds: ReadonlySet<string>): void {
    this.#outdatedIds = commentIds;
    for (const entry of this.#entries) entry.isOutdated = commentIds.has(entry.commentId);
  }

  /**
   * Shows the host's comments. In the same session, ignores comments that the host sent before it received this page's
   * last change. Collapses the list when the session changes, and expands it to focus a comment that was just added
   * here.
   */
  show({ items, revision = 0 }: PageComments, isSameSession: boolean): void {
    if (!isSameSession) {
      this.#addedId = undefined;
      for (const entry of this.#entries) entry.dispose();
      this.#entries = [];
      this.#items = [];
      this.#setOpen(false);
    } else if (revision < this.#revision) return;
    else if (items.some(({ commentId }) => !this.#isKnown(commentId))) this.#actions.noteAddition();
    this.#put(items);
    const addedId = this.#addedId;
    if (!items.some(({ commentId }) => commentId === addedId)) return;
    this.#addedId = undefined;
    this.#setOpen(true);
    this.#entries.find(({ commentId }) => commentId === addedId)?.focus();
  }

  /** Adds a comment on a part of a row's message, and focuses it when the host has added it. */
  add(key: string, quote: Quote): void {
    this.flush();
    this.#addedId = crypto.randomUUID();
    this.#actions.addComment({ commentId: this.#addedId, key, ...quote, revision: this.#nextRevision() });
  }

  /** If the user is writing a comment, handles a custom keyboard shortcut of the composer, and returns true. */
  pressed(press: Exclude<HostMessageOf<'composerKey'>['press'], 'sendLater'>): boolean {
    const entry = this.#entries.find(({ isWriting }) => isWriting);
    if (!entry) return false;
    if (press === 'send') this.leave();
    else entry.insertLine();
    return true;
  }

  /** Saves the changed comments on the host now. */
  flush(): void {
    for (const entry of this.#entries) entry.flush();
  }

  /** Moves the focus to the composer. */
  leave(): void {
    this.#exits.fire();
  }

  /** Saves the text of a comment on the host. */
  save(commentId: string, text: string): void {
    this.#actions.changeComment({ commentId, text, revision: this.#nextRevision() });
  }

  /**
   * Removes a comment without waiting for the host. If it had the focus, the focus moves to another comment or, if it
   * was the only one, to the composer.
   */
  remove(entry: CommentEntry): void {
    if (!this.#entries.includes(entry)) return;
    this.#items = this.#items.filter(({ commentId }) => commentId !== entry.commentId);
    this.#actions.removeComment({ commentId: entry.commentId, revision: this.#nextRevision() });
    this.#drop([entry]);
  }

  reveal(comment: PageComment): void {
    this.#revealed.fire(comment);
  }

  dispose(): void {
    this.flush();
    for (const entry of this.#entries) entry.dispose();
    this.#disposables.dispose();
  }

  /** Whether the comment is shown, or was added here. */
  #isKnown(commentId: string): boolean {
    return commentId === this.#addedId || this.#items.some((item) => item.commentId === commentId);
  }

  #put(items: readonly PageComment[]): void {
    const itemById = new Map(items.map((item) => [item.commentId, item]));
    this.#items = items;
    this.#drop(this.#entries.filter(({ commentId }) => !itemById.has(commentId)));
    for (const entry of this.#entries) {
      const item = itemById.get(entry.commentId);
      if (item) entry.show(item);
    }
    if (!this.#list.hidden) this.#showEntries();
    this.#update();
  }

  #showEntries(): void {
    const known = new Map(this.#entries.map((entry) => [entry.commentId, entry]));
    this.#entries = this.#items.map((item) => known.get(item.commentId) ?? this.#newEntry(item));
    const focused = document.activeElement;
    for (const [index, { node }] of this.#entries.entries()) {
      const there = this.#list.children[index];
      if (there !== node) this.#list.insertBefore(node, there ?? null);
    }
    // Moving an entry takes the focus away.
    if (focused instanceof HTMLElement && this.#list.contains(focused) && document.activeElement !== focused) {
      focused.focus();
    }
  }

  #newEntry(item: PageComment): CommentEntry {
    const entry = new CommentEntry(item, this.#strings, this.#actions, this);
    entry.show(item);
    entry.isOutdated = this.#outdatedIds.has(item.commentId);
    return entry;
  }

  /**
   * Removes entries. If one of them has the focus, the focus moves to the next remaining entry or, if none follows, to
   * the last one. If no entry is left, `FocusRestorer` moves the focus to the composer.
   */
  #drop(dropped: readonly CommentEntry[]): void {
    if (dropped.length === 0) return;
    const focused = this.#entries.findIndex(({ hasFocus }) => hasFocus);
    const rest = this.#entries.filter((entry) => !dropped.includes(entry));
    const isLost = dropped.some(({ hasFocus }) => hasFocus);
    const next = this.#entries.slice(focused + 1).find((entry) => rest.includes(entry)) ?? rest.at(-1);
    this.#entries = rest;
    if (isLost && next) next.focusRemove();
    for (const entry of dropped) entry.dispose();
    this.#update();
  }

  #update(): void {
    setText(this.#label, this.#strings.get('commentCount', this.count));
    this.node.hidden = this.count === 0;
    if (this.count === 0) this.#setOpen(false);
    this.#changes.fire();
  }

  #setOpen(isOpen: boolean): void {
    if (isOpen) this.#showEntries();
    this.#list.hidden = !isOpen;
    this.#button.setAttribute('aria-expanded', String(isOpen));
  }

  /** Revisions are based on the clock, so that they keep growing across page reloads, unless the clock is set back. */
  #nextRevision(): number {
    this.#revision = Math.max(Date.now(), this.#revision + 1);
    return this.#revision;
  }
}
