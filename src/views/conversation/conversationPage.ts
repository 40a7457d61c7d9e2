import { type Disposable, Disposables, Emitter, type Event, firesWithin } from '../../shared/lifecycle.ts';
import type { HostMessage } from '../../shared/protocol/hostMessages.ts';
import {
  askIdOf,
  type PageAnswers,
  parsePageMessage,
  type PageMessageHandlers,
  type PageMessages,
  type PageMessage,
  type PageState,
} from '../../shared/protocol/pageMessages.ts';
import type { PageFind } from '../../shared/protocol/pageModel.ts';
import { plainLine } from '../../shared/text.ts';
import { nextBookmark } from '../../state/conversation/bookmarks.ts';
import { keyText, namedSession, sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { StoreChange } from '../../state/store/store.ts';
import { ConversationFind } from './conversationFind.ts';
import type { FoundPlace } from './findMatches.ts';
import { type PageFrame, PageHeartbeat } from './pageHeartbeat.ts';
import type { ComposerPort, PageContext } from './pageContext.ts';
import type { PageSection } from './pageSections.ts';
import type { MessagePlace, RowPlace } from './conversationRowModel.ts';
import { type MessageSink, PageUpdates } from './pageUpdates.ts';
import type { PageWebview } from './pageWebview.ts';

/** Handlers for the messages that need only the page itself, for example about readiness, rows, and find. */
export const pageHandlers = {
  ready: ({ timeZone }, page) => page.begin(timeZone),
  drawn: (_message, page) => page.drawn(),
  pong: ({ anchorKey }, page) => page.pong(anchorKey),
  saved: (_message, page) => page.onSaved(),
  wantRows: ({ keys }, page) => page.requestRows(keys),
  getBookmark: ({ from, by }, page) => Promise.resolve(page.bookmarkFrom(from, by)),
  toggleSteps: ({ key }, page) => page.toggleSteps(key),
  find: (query, page) => page.startFind(query),
  findStep: ({ findId, by }, page) => page.find.step(findId, by),
  findStop: (_message, page) => page.find.stop(),
} satisfies Partial<PageMessageHandlers<ConversationPage>>;

/** The longest time to wait for a page to save what was typed on it. */
const maxSaveMs = 1_000;

/** The channel to a page. */
type PageChannel = Pick<PageWebview, 'postMessage' | 'onDidReceiveMessage'>;

/** Handles the requests of pages. Implemented in commands/page. */
export interface PageRequestPort extends ComposerPort {
  /** Fires when paths in the messages of a session may lead to other files; undefined for all sessions. */
  readonly onDidChangeFiles: Event<SessionKey | undefined>;
  /**
   * Handles a message from a page. Never rejects: a failure is logged, and shown in the composer of the session that
   * the message is about, or else of the page's session, if there is one.
   */
  handle(message: PageMessage, page: ConversationPage): Promise<void>;
}

/**
 * One page: a webview that shows a session, or a screen if there is no session to show. Messages from the page are
 * parsed here, and only here (R5). Messages to the page are sent in order.
 */
export class ConversationPage implements Disposable {
  readonly #context: PageContext;
  readonly #requests: PageRequestPort;
  readonly #updates: PageUpdates;
  /** The search in the conversation. */
  readonly find: ConversationFind;
  /** The newest state of the search. */
  #found: PageFind | undefined;
  readonly #disposables = new Disposables();
  readonly #saved = this.#disposables.add(new Emitter<void>());
  #heartbeat: PageHeartbeat | undefined;
  #anchorKey: string | undefined;
  /** The sessions that the page has shown, by `keyText`. */
  readonly #shown = new Set<string>();

  constructor(channel: PageChannel, context: PageContext, requests: PageRequestPort) {
    const { store, filters, t } = context;
    this.#context = context;
    this.#requests = requests;
    this.#updates = this.#disposables.add(new PageUpdates(context, this.#sinkOf(channel)));
    this.find = new ConversationFind(store, t, (find, place) => this.#showFound(find, place));
    this.#disposables.add(context.onDidChangeSetup(() => this.#sendSetup()));
    this.#disposables.add(store.onDidChange((change) => this.#onChange(change)));
    this.#disposables.add(filters.onDidChange((key) => this.#onFilterChange(key)));
    this.#disposables.add(
      requests.onDidChangeFiles((key) => {
        if (!key || sameSession(key, this.key)) this.post({ type: 'filesChanged' });
      }),
    );
    this.#disposables.add(channel.onDidReceiveMessage((message) => this.#receive(message)));
  }

  get key(): SessionKey | undefined {
    return this.#updates.key;
  }

  /** Whether the page only says that an editor tab shows its session. */
  get isInEditor(): boolean {
    return this.#updates.isInEditor;
  }

  /**
   * The row at the top of the view when the page last answered a ping. Undefined if the page was scrolled to the end,
   * and before its first answer.
   */
  get anchor(): RowPlace | undefined {
    const { record, rows } = this.#updates;
    const rowKey = this.#anchorKey;
    return rowKey === undefined ? undefined : { rowKey, messageId: record && rows.messageIdOf(record, rowKey) };
  }

  /**
   * Shows a session, and scrolls to `place` if given. Without a session, or if an editor tab shows the session
   * (`isInEditor`), shows a screen that explains why.
   */
  show(key: SessionKey | undefined, place?: MessagePlace, isInEditor = false): void {
    if (!sameSession(key, this.#updates.key) || isInEditor !== this.#updates.isInEditor) {
      this.find.stop();
      this.#updates.setKey(key, isInEditor);
    }
    if (key) this.#shown.add(keyText(key));
    if (place) this.#updates.reveal(place);
  }

  /** Call this with the state that VS Code saved for the page. The page will begin at the position in that state. */
  expectPosition(saved: PageState): void {
    this.#updates.expectPosition(saved);
  }

  /** Sends the first state while the page is still loading. */
  preload(): void {
    this.#updates.preload();
  }

  /** Reloads the page if it stops responding while it is visible, and replaces its frame if reloading doesn't help. */
  startHeartbeat(frame: PageFrame): void {
    const { log } = this.#context;
    this.#heartbeat = this.#disposables.add(
      new PageHeartbeat({
        isWatched: () => this.#context.isFocused(),
        ping: () => this.post({ type: 'ping' }),
        reload: () => {
          log.warn('the page does not respond; reloading it');
          this.#updates.stop();
          frame.reload();
        },
        replace: () => {
          log.warn('the page does not respond after a reload; replacing its frame');
          frame.replace();
        },
      }),
    );
  }

  /**
   * Sends a message after the ones already queued. If there is no page to receive it, drops the message and returns
   * false.
   */
  post(message: HostMessage): boolean {
    return this.#updates.push(message);
  }

  /**
   * Resolves when the store has what was typed on the page, the page is hidden or closed, or it doesn't respond. Call
   * this before closing it.
   */
  async save(): Promise<void> {
    if (this.post({ type: 'save' })) await firesWithin(this.#saved.event, maxSaveMs);
  }

  /** Call this when the page has sent everything that wasn't saved. */
  onSaved(): void {
    this.#saved.fire();
  }

  /**
   * Moves the caret into the composer, now or as soon as the page has one. Without `takesFocus`, the page doesn't take
   * the focus itself: the caller has focused the view or tab, and the page waits until VS Code gives it the focus.
   */
  focusComposer(takesFocus = false): void {
    this.#updates.focusComposer(takesFocus);
  }

  /** Sends the composer or the draft again, after a change that isn't in the store. */
  refreshComposer(section: 'composer' | 'draft' = 'composer'): void {
    this.#updates.markChanged(section);
  }

  /** Records that the store has the page's draft up to this revision. Drafts sent to the page from now on are newer. */
  acknowledgeDraft(revision: number): void {
    this.#updates.acknowledgeDraft(revision);
  }

  /** Records that the store has the page's comments up to this revision. The page ignores comments sent before. */
  acknowledgeComments(revision: number): void {
    this.#updates.acknowledgeComments(revision);
  }

  /** After the next filter change, sends the bodies of the rows from this one on first. */
  preferRowsAfter(rowKey: string | undefined): void {
    this.#updates.rows.preferRowsAfter(rowKey);
  }

  /** Marks the page as the replacement of one that stopped responding. The page announces this when it has loaded. */
  expectReload(): void {
    this.#heartbeat?.expectReload();
  }

  /** Call this when the page is hidden. The page sends `ready` when it is visible again (R6). */
  onHidden(): void {
    this.#leave();
    this.#heartbeat?.stop();
    this.find.stop();
    this.#updates.stop();
    this.#saved.fire();
  }

  dispose(): void {
    this.#leave();
    this.#saved.fire();
    this.find.stop();
    this.#disposables.dispose();
  }

  /** Call this when the page has loaded. `timeZone` is the time zone of the page. */
  begin(timeZone: string | undefined): void {
    this.find.stop();
    this.#updates.start(timeZone);
    if (this.#heartbeat?.start()) this.#announceReload();
  }

  /** Call this when the page has drawn the conversation. */
  drawn(): void {
    this.#updates.restoreRest();
  }

  /**
   * Call this when the page has answered a ping. `anchorKey` is the key of the row at the top of its view; undefined if
   * the page is scrolled to the end.
   */
  pong(anchorKey: string | undefined): void {
    this.#anchorKey = anchorKey;
  }

  /** Sends the bodies of these rows next. */
  requestRows(keys: readonly string[]): void {
    this.#updates.requestRows(keys);
  }

  /** Expands or collapses a run of steps. */
  toggleSteps(rowKey: string): void {
    const { record, rows } = this.#updates;
    if (record) rows.toggle(record, rowKey);
    this.#updates.markChanged('rows');
  }

  /** Scrolls to a row of another page with the same session as soon as it is available. */
  revealRow(place: RowPlace): void {
    this.#updates.reveal(place);
  }

  /** Scrolls to a message as soon as it is available. */
  revealMessage(messageId: string): void {
    this.#updates.reveal({ messageId });
  }

  /** The next bookmark after a row or, with -1, the previous one before it; undefined if there is none. */
  bookmarkFrom(rowKey: string | undefined, by: 1 | -1): PageAnswers['getBookmark'] | undefined {
    const { record, rows } = this.#updates;
    const found = record && nextBookmark(record, rows.messageIdOf(record, rowKey), by);
    if (!found) return undefined;
    const { messageId, note } = found.bookmark;
    const key = record.entryIdByMessageId.get(messageId) ?? messageId;
    return { messageId, key, text: note ?? plainLine(found.header?.firstLine ?? '', 120) };
  }

  startFind(query: PageMessages['find']): void {
    const { record, rows } = this.#updates;
    if (record) this.find.start(record.listEntry.key, query, rows.messageIdOf(record, query.fromKey));
  }

  /** Announces the reload to screen readers, and shows it in the status bar. */
  #announceReload(): void {
    const text = this.#context.t('The conversation stopped responding and was reloaded. Your draft is saved.');
    this.post({ type: 'announce', text });
    this.#context.showReloaded(text);
  }

  /** Reports that page and composer lost the focus, because a hidden or closed page can't report it. */
  #leave(): void {
    void this.#requests.handle({ type: 'focused', isFocused: false }, this);
    void this.#requests.handle({ type: 'composerFocus', isFocused: false }, this);
  }

  #sinkOf(channel: PageChannel): MessageSink {
    return {
      postMessage: (message) => {
        if (message.type !== 'ping') this.#heartbeat?.exchanged();
        return channel.postMessage(message);
      },
    };
  }

  #receive(data: unknown): void {
    const { log } = this.#context;
    try {
      const message = parsePageMessage(data);
      this.#heartbeat?.heard();
      if (message.type !== 'pong') this.#heartbeat?.exchanged();
      if (this.#isMeant(message)) void this.#requests.handle(message, this);
      else this.#refuse(data);
    } catch {
      log.warn('dropped a message from the page that is not in the protocol');
      this.#refuse(data);
    }
  }

  /** Answers a dropped question with undefined, because the page waits for the answer. */
  #refuse(data: unknown): void {
    const askId = askIdOf(data);
    if (askId !== undefined) this.post({ type: 'answer', askId, answer: undefined });
  }

  /**
   * Whether a message is about a session that this page has shown. A message that only the page itself handles must be
   * about the session that it shows: the page may have sent it before the session was switched.
   */
  #isMeant(message: PageMessage): boolean {
    const key = namedSession(message);
    if (!key) return true;
    return message.type in pageHandlers ? sameSession(key, this.key) : this.#shown.has(keyText(key));
  }

  #sendSetup(): void {
    // Also send the composer again, because its hint depends on settings.
    this.#updates.markChanged('composer');
    this.post({ type: 'setup', ...this.#context.setup() });
  }

  /** Sends the state of the search. A match is shown as soon as its row is available. */
  #showFound(find: PageFind, place?: FoundPlace): void {
    this.#found = find;
    if (!place) {
      this.#updates.push({ type: 'found', find });
      return;
    }
    const { messageId, ...match } = place;
    this.#updates.revealMatch(messageId, ({ key }) => {
      // Newer states may have been sent since.
      const newest = this.#found?.findId === find.findId ? this.#found : find;
      const { matchKeys: _, ...state } = newest;
      return { type: 'found', find: { ...state, match: { key, ...match } } };
    });
  }

  #onChange(change: StoreChange): void {
    if ('key' in change) {
      if (change.type === 'session' && this.#isAwaited(change.key)) this.#updates.markChanged('rows');
      if (!sameSession(change.key, this.#updates.key)) return;
      this.#updates.markChanged(...changedSections(change, this));
      if (change.type === 'messages' || change.type === 'session') this.find.update();
    } else if (change.type === 'connection') this.#updates.markChanged('header', 'older', 'composer');
    else this.#updates.sessionListChanged();
  }

  /** Whether a scheduled message of the page waits for this session, whose title its row shows. */
  #isAwaited(key: SessionKey): boolean {
    const outbox = this.#updates.record?.outbox ?? [];
    return outbox.some(({ after }) => after?.kind === 'sessionIdle' && sameSession(after.key, key));
  }

  #onFilterChange(key: SessionKey): void {
    if (!sameSession(key, this.#updates.key)) return;
    this.#updates.filterChanged();
  }
}

/**
 * The sections of a page that a change to its session affects. A page doesn't receive a draft that it changed itself.
 */
function changedSections(change: Extract<StoreChange, { key: unknown }>, page: unknown): readonly PageSection[] {
  switch (change.type) {
    case 'session':
      return ['header', 'older', 'composer', 'bookmarks'];
    case 'messages':
      return ['rows', 'older', 'header', 'bookmarks'];
    case 'outbox':
      return ['rows', 'composer', 'bookmarks'];
    case 'draft':
      return change.source === page ? ['composer', 'comments'] : ['composer', 'comments', 'draft'];
  }
}
