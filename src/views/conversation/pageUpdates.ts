import { defined } from '../../shared/defined.ts';
import { DelayedTask } from '../../shared/delayedTask.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import type { HostMessage } from '../../shared/protocol/hostMessages.ts';
import type { PageState } from '../../shared/protocol/pageMessages.ts';
import type { PageTarget } from '../../shared/protocol/rowTypes.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import type { NewestMessages, SessionRecord } from '../../state/store/sessionRecord.ts';
import type { PageContext } from './pageContext.ts';
import { PageLifecycle } from './pageLifecycle.ts';
import { type PageSection, PageSections } from './pageSections.ts';
import { PageMessages } from './pageMessages.ts';
import { ConversationRowModel, type MessagePlace, type RowPlace } from './conversationRowModel.ts';

/** The minimum height of the newest messages, in lines of text, with which a page begins: more than it can show. */
const previewLines = 150;
/** The time after which all messages are read even if the page, for example a hidden one, hasn't drawn the newest. */
const previewMs = 2_000;

/** A message, a step, or a row to scroll to. */
interface RevealTarget {
  readonly place: RowPlace | MessagePlace;
  /** Creates the message to send once the row of the target is known. */
  readonly messageFor: (target: PageTarget) => HostMessage;
  /** Whether the message contains a match of a search. */
  readonly isMatch: boolean;
}

/** Delivers messages to a page, as `vscode.Webview` does. */
export interface MessageSink {
  /** Resolves to whether the page received the message. */
  postMessage(message: HostMessage): PromiseLike<boolean>;
}

/**
 * Tracks what a page has received, and sends it what it needs: the setup, then the whole state, then changes, then the
 * remaining bodies. Messages are sent one at a time, and the next one is determined after the delivery of the previous
 * one, so they keep their order and changes are combined. While the page loads, messages don't wait for deliveries.
 */
export class PageUpdates implements Disposable {
  readonly #context: PageContext;
  readonly #sink: MessageSink;
  readonly #changed = new Set<PageSection>();
  readonly #sections: PageSections;
  readonly #lifecycle = new PageLifecycle();
  readonly #messages: PageMessages;
  readonly #previewTimer = new DelayedTask(previewMs, () => this.restoreRest());
  #restoringKey: SessionKey | undefined;
  readonly rows: ConversationRowModel;
  #key: SessionKey | undefined;
  #isInEditor = false;
  #target: RevealTarget | undefined;
  #saved: PageState = {};
  #isConversation = false;
  #wantedFocus: { readonly takesFocus: boolean } | undefined;
  #requestedKeys: string[] = [];
  #pushed: HostMessage[] = [];
  #isSending = false;
  #isDue = false;
  #isDisposed = false;

  constructor(context: PageContext, sink: MessageSink) {
    this.#context = context;
    this.#sink = sink;
    this.#messages = new PageMessages(context.store);
    this.rows = new ConversationRowModel(context, this.#messages);
    this.#sections = new PageSections(context);
  }

  get key(): SessionKey | undefined {
    return this.#key;
  }

  /** Whether an editor tab shows the session instead of this page. */
  get isInEditor(): boolean {
    return this.#isInEditor;
  }

  /** The record of the session that the page shows; undefined if it isn't in the list, or if an editor tab shows it. */
  get record(): SessionRecord | undefined {
    return this.#key && !this.#isInEditor ? this.#messages.record(this.#key) : undefined;
  }

  /**
   * Call this while the page is loading. The first state is sent immediately, and everything else after {@link start}.
   */
  preload(): void {
    this.stop();
    this.#lifecycle.preload();
    this.rows.setTimeZone(undefined);
    this.#sendSoon();
  }

  /**
   * Call this when the page is ready. Schedules the whole state to be sent unless it was preloaded. `timeZone` is the
   * time zone of the page.
   */
  start(timeZone?: string): void {
    if (this.#lifecycle.start(timeZone)) {
      this.#clear();
      this.rows.setTimeZone(timeZone);
    } else this.#pushed.unshift({ type: 'preloadDone' });
    this.#sendSoon();
  }

  /** Call this when the page is gone or hidden. No message is due until the page starts again. */
  stop(): void {
    this.#lifecycle.stop();
    this.#leavePreview();
    this.#clear();
  }

  #clear(): void {
    this.#pushed = [];
    this.#requestedKeys = [];
    this.#sections.clear();
    this.#changed.clear();
  }

  /**
   * Changes the session that the page shows. A page whose session is shown in an editor tab keeps its session, because
   * the last changes to its draft may arrive later.
   */
  setKey(key: SessionKey | undefined, isInEditor: boolean): void {
    if (!sameSession(key, this.#key)) {
      this.#target = undefined;
      this.#leavePreview();
    }
    this.#key = key;
    this.#isInEditor = isInEditor;
    this.rows.reset();
    this.restart();
  }

  /** Sends the whole state again. */
  restart(): void {
    this.#lifecycle.restart();
    this.#sendSoon();
  }

  /**
   * Call this when the session list has changed. Sends the whole state again if a screen must be replaced by a
   * conversation or vice versa.
   */
  sessionListChanged(): void {
    if ((this.record !== undefined) !== this.#isConversation) this.restart();
    else this.#sendSoon();
  }

  /** Call this with the state that VS Code saved for the page. The page will begin at the position in that state. */
  expectPosition(saved: PageState): void {
    this.#saved = saved;
  }

  /** Scrolls to a message, a step, or a row as soon as it is available. */
  reveal(place: RowPlace | MessagePlace): void {
    this.#target = { place, messageFor: (target) => ({ type: 'reveal', ...target }), isMatch: false };
    this.#sendSoon();
  }

  /** Scrolls to a match of a search in a message. */
  revealMatch(messageId: string, messageFor: RevealTarget['messageFor']): void {
    this.#target = { place: { messageId }, messageFor, isMatch: true };
    this.#sendSoon();
  }

  /** Call this when the filter of the conversation has changed. */
  filterChanged(): void {
    this.rows.filterChanged();
    this.markChanged('header', 'rows');
  }

  /** Moves the caret into the composer once there is one. Without `takesFocus`, the page waits for the focus. */
  focusComposer(takesFocus: boolean): void {
    this.#wantedFocus = { takesFocus };
    this.#sendSoon();
  }

  /** Records that the store has the page's draft up to this revision. */
  acknowledgeDraft(revision: number): void {
    this.#sections.acknowledgeDraft(revision);
  }

  /** Records that the store has the page's comments up to this revision, and sends the comments with that revision. */
  acknowledgeComments(revision: number): void {
    this.#sections.acknowledgeComments(revision);
    this.markChanged('comments');
  }

  markChanged(...sections: PageSection[]): void {
    for (const section of sections) this.#changed.add(section);
    this.#sendSoon();
  }

  requestRows(rowKeys: readonly string[]): void {
    for (const rowKey of rowKeys) this.#requestedKeys.push(rowKey);
    this.#sendSoon();
  }

  /** Adds a message that isn't part of the state. If there is no page, drops the message and returns false. */
  push(message: HostMessage): boolean {
    if (this.#lifecycle.phase === 'silent') return false;
    this.#pushed.push(message);
    this.#sendSoon();
    return true;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#leavePreview();
  }

  /** Sends everything that is due. If that is in progress already, what has become due since is sent too. */
  #sendSoon(): void {
    this.#isDue = true;
    if (this.#isSending) return;
    this.#isSending = true;
    void this.#sendDue().finally(() => {
      this.#isSending = false;
      // A message may have become due after the last check of the loop.
      if (this.#isDue && !this.#isGone()) this.#sendSoon();
    });
  }

  async #sendDue(): Promise<void> {
    // Changes made in the same turn of the event loop are sent together.
    await Promise.resolve();
    while (this.#isDue && !this.#isGone()) {
      this.#isDue = false;
      const { load } = this.#lifecycle;
      try {
        const message = await this.#next();
        // The page may have been closed, hidden, or reloaded meanwhile.
        if (!message || this.#isGone() || !this.#lifecycle.receives(load)) continue;
        this.#isDue = true;
        const delivery = this.#deliver(message, load);
        // Delivery to a page that is still loading takes a long time, so prepare the next message in the meantime.
        if (!this.#lifecycle.isPreloading) await delivery;
      } catch (error) {
        this.#fail(error, load);
      }
    }
  }

  async #deliver(message: HostMessage, load: symbol): Promise<void> {
    try {
      if (!(await this.#sink.postMessage(message))) this.#stopLoad(load);
    } catch (error) {
      this.#fail(error, load);
    }
  }

  #fail(error: unknown, load: symbol): void {
    this.#context.log.error(`could not update the page: ${reasonOf(error)}`);
    this.#stopLoad(load);
  }

  /** Stops the updates of a page that is gone, unless it has loaded again since. */
  #stopLoad(load: symbol): void {
    if (load === this.#lifecycle.load) this.stop();
  }

  #isGone(): boolean {
    return this.#isDisposed;
  }

  /** The message to send next; undefined if nothing is due. */
  async #next(): Promise<HostMessage | undefined> {
    if (this.#lifecycle.phase === 'silent') return undefined;
    if (this.#lifecycle.phase === 'new') {
      this.#lifecycle.setupSent();
      return { type: 'setup', ...this.#context.setup() };
    }
    if (this.#lifecycle.phase === 'stale' && !(await this.#isPrepared())) return undefined;
    const { record } = this;
    if (this.#lifecycle.phase === 'stale') {
      this.#lifecycle.stateSent();
      this.#changed.clear();
      this.#sections.clear();
      this.#isConversation = record !== undefined;
      return record ? this.#conversation(record) : this.#screenIfChanged();
    }
    if (this.#lifecycle.isPreloading) return undefined;
    const earlier = record && this.rows.earlierStubs(record);
    if (earlier) return { type: 'earlier', ...earlier };
    const pushed = this.#pushed.shift();
    if (pushed) return pushed;
    const wanted = this.#wantedFocus;
    if (wanted && record) {
      this.#wantedFocus = undefined;
      return { type: 'focusComposer', ...wanted };
    }
    if (!record) return this.#screenIfChanged();
    return (await this.#change(record)) ?? this.#moreRows(record);
  }

  /**
   * Reads the saved messages of the session, or only the newest if they are enough for the first state. Resolves to
   * whether the page is still waiting for the state of this session afterward.
   */
  async #isPrepared(): Promise<boolean> {
    const { load } = this.#lifecycle;
    const key = this.#key;
    const isStale = () => !this.#isGone() && this.#lifecycle.receives(load) && this.#lifecycle.phase === 'stale';
    const isAwaited = () => isStale() && sameSession(key, this.#key);
    if (!key) return isAwaited();
    const newest = await this.#context.sessions.readNewest(key);
    const restores = !isAwaited() || !newest || !this.#isEnough(key, newest);
    // Refreshes of the session wait for this call, even if the page no longer does.
    const restored = restores ? this.#context.sessions.restoreFromCache(key) : undefined;
    if (isAwaited()) await restored;
    return isAwaited();
  }

  /** Shows the newest messages and returns true if they fill the page and it needs nothing from earlier ones. */
  #isEnough(key: SessionKey, newest: NewestMessages): boolean {
    if (!this.#messages.preview(key, newest, this.#target?.place.messageId)) return false;
    const { record } = this;
    if (record && this.rows.lineCount(record) >= previewLines && this.rows.hasSaved(record, this.#saved)) {
      this.#previewTimer.request();
      return true;
    }
    this.#messages.endPreview();
    this.rows.reset();
    return false;
  }

  /** Reads all messages if the page shows only the newest. Call this after they are drawn, so as not to delay them. */
  restoreRest(): void {
    const { previewKey } = this.#messages;
    if (!previewKey || sameSession(previewKey, this.#restoringKey)) return;
    this.#previewTimer.dispose();
    this.#restoringKey = previewKey;
    void this.#context.sessions.restoreFromCache(previewKey).finally(() => {
      if (sameSession(previewKey, this.#restoringKey)) this.#restoringKey = undefined;
      if (!sameSession(previewKey, this.#messages.previewKey)) return;
      this.#messages.endPreview();
      this.markChanged('rows', 'header', 'older', 'comments', 'bookmarks');
    });
  }

  /** Ends the preview, if there is one, because the page is gone, hidden, or shows another session. */
  #leavePreview(): void {
    const { previewKey } = this.#messages;
    this.#previewTimer.dispose();
    this.#messages.endPreview();
    // Refreshes of the session wait for this call.
    if (previewKey) void this.#context.sessions.restoreFromCache(previewKey);
  }

  async #conversation(record: SessionRecord): Promise<HostMessage> {
    const reveal = this.#takeTarget(record)?.found;
    const sections = this.#sections.whole(record, this.rows);
    const newKey = this.rows.newKey(record);
    const draft = this.#sections.draft(record);
    const rows = await this.rows.start(record);
    return {
      type: 'conversation',
      conversation: { ...record.listEntry.key, ...sections, ...rows, draft, ...defined({ reveal, newKey }) },
    };
  }

  /** The target and its row. Undefined if that row isn't loaded yet; the target is then kept for later. */
  #takeTarget(record: SessionRecord): { readonly found: PageTarget; readonly target: RevealTarget } | undefined {
    const target = this.#target;
    const found = target && this.rows.find(record, { ...target.place, isMatch: target.isMatch });
    if (found) this.#target = undefined;
    return found && { found, target };
  }

  #screenIfChanged(): HostMessage | undefined {
    const screen = this.#sections.screen(this.#key, this.#isInEditor);
    const message = { type: 'screen', screen, ...defined({ session: this.#key }) } as const;
    return this.#sections.differs('screen', message) ? message : undefined;
  }

  async #change(record: SessionRecord): Promise<HostMessage | undefined> {
    const taken = this.#takeTarget(record);
    if (taken) {
      // If the filter hides the row, a patch must add it first.
      this.#pushed.push(taken.target.messageFor(taken.found));
      this.markChanged('rows', 'header');
    }
    if (this.#changed.delete('rows')) {
      const patch = await this.rows.update(record);
      if (patch.patches.length > 0) return { type: 'patch', ...patch };
    }
    if (taken) return this.#pushed.shift();
    // Get the current record, because the store may have changed while bodies were read: an old draft must not be sent
    // with a newer revision.
    const now = this.#messages.record(record.listEntry.key);
    return now && this.#sections.nextChange(this.#changed, now, this.rows);
  }

  async #moreRows(record: SessionRecord): Promise<HostMessage | undefined> {
    const rows = await this.rows.more(record, this.#requestedKeys.splice(0));
    return rows && { type: 'rows', rows };
  }
}
