import type * as vscode from 'vscode';
import { type Disposable, Disposables, type Event } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { type HostMessage, type PageMessage, pageMessageSchema } from '../../shared/protocol/pageMessages.ts';
import type { PageFind } from '../../shared/protocol/readingProtocol.ts';
import { sameSession, type SessionKey } from '../../state/store/sessionKey.ts';
import type { StoreChange } from '../../state/store/store.ts';
import { ConversationFind, type FindOptions } from './find.ts';
import type { FoundPlace } from './findMatches.ts';
import { PageHeartbeat } from './heartbeat.ts';
import { MessagePump } from './messagePump.ts';
import type { PageSection } from './pageSections.ts';
import { PageUpdateQueue, type PageSenderOptions } from './pageUpdates.ts';

/** The parts of a page that a change of its session touches. The page that typed a draft is not told its own words. */
export function changedParts(change: Extract<StoreChange, { key: unknown }>, page: unknown): readonly PageSection[] {
  switch (change.type) {
    case 'session':
      return ['header', 'older', 'composer'];
    case 'messages':
      return ['rows', 'older', 'header'];
    case 'outbox':
      return ['rows'];
    case 'draft':
      return change.source === page ? ['composer'] : ['composer', 'draft'];
  }
}

const types = ['wantRows', 'toggleGroup', 'revealMessage', 'find', 'findStep', 'findStop'] as const;

/** What a page asks about its own rows. */
export type RowRequest = Extract<PageMessage, { type: (typeof types)[number] }>;

/** Settles what a page asks about its own rows: which ones it has and shows, and what is found in them. */
export class RowRequests {
  readonly find: ConversationFind;
  readonly #sender: PageUpdateQueue;
  readonly #due: () => void;

  /** @param due something is to be sent. */
  constructor(sender: PageUpdateQueue, options: Omit<FindOptions, 'tell'>, due: () => void) {
    this.#sender = sender;
    this.#due = due;
    this.find = new ConversationFind({ ...options, tell: (...found) => this.#tellFound(...found) });
  }

  /** Whether a message is one of these. */
  static isOne(message: PageMessage): message is RowRequest {
    return types.some((type) => type === message.type);
  }

  handle(message: RowRequest): void {
    const { key, record, rows } = this.#sender;
    switch (message.type) {
      case 'wantRows':
        this.#sender.want(message.keys);
        return;
      case 'toggleGroup':
        if (record) rows.toggle(record, message.key);
        this.#sender.change('rows');
        return;
      case 'revealMessage':
        this.#sender.reveal(message.messageId);
        return;
      case 'find':
        if (key && record) this.find.start(key, message, rows.messageIdOf(record, message.fromKey ?? ''));
        return;
      case 'findStep':
        this.find.step(message.findId, message.by);
        return;
      case 'findStop':
        this.find.stop();
    }
  }

  /** What was found is told as it comes; a match is shown once its row is there. */
  #tellFound(find: PageFind, place?: FoundPlace): void {
    if (!place) this.#sender.tell({ type: 'found', find });
    else {
      const { messageId, ...match } = place;
      this.#sender.reveal(messageId, (key) => ({ type: 'found', find: { ...find, match: { key, ...match } } }));
    }
    this.#due();
  }
}

/** What the page asks of the host; its own affairs (which rows it has and shows) are settled here. */
export type PageRequest = Exclude<PageMessage, RowRequest | { type: 'ready' | 'alive' }>;

export interface ConversationPageOptions extends PageSenderOptions {
  readonly webview: vscode.Webview;
  /** Tells that `setup` may have changed: the page is told anew. */
  readonly onDidChangeSetup: (listen: () => void) => Disposable;
  readonly onDidChangeReading: Event<SessionKey>;
  readonly onRequest: (request: PageRequest, page: ConversationPage) => void;
  /** The page was rebuilt after it had died; what to tell the person who sees. */
  readonly onRevived?: (text: string) => void;
  /** Whether the window has the focus; absent: always. */
  readonly isFocused?: () => boolean;
  readonly log: Log;
}

/**
 * One page: a webview that shows a session, or why there is none to show. What the page posts is parsed here, at the one
 * door (R5); what it gets is sent one after the other, each piece awaited.
 */
export class ConversationPage implements Disposable {
  readonly #options: ConversationPageOptions;
  readonly #sender: PageUpdateQueue;
  readonly #requests: RowRequests;
  readonly #delivery: MessagePump;
  readonly #disposables = new Disposables();
  #heartbeat: PageHeartbeat | undefined;
  #anchorKey: string | undefined;

  constructor(options: ConversationPageOptions) {
    this.#options = options;
    this.#sender = new PageUpdateQueue(options);
    const post = (message: HostMessage) => options.webview.postMessage(message);
    this.#delivery = this.#disposables.add(new MessagePump(this.#sender, post, options.log));
    this.#requests = new RowRequests(this.#sender, options, () => this.#delivery.pump());
    this.#disposables.add(options.webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    this.#disposables.add(options.onDidChangeSetup(() => this.#setUpAnew()));
    this.#disposables.add(options.store.onDidChange((change) => this.#onChange(change)));
    this.#disposables.add(options.onDidChangeReading((key) => this.#onReading(key)));
  }

  get key(): SessionKey | undefined {
    return this.#sender.key;
  }

  /** Shows a session, at a message if one is named; undefined shows the screen that says what to do. */
  show(key: SessionKey | undefined, messageId?: string): void {
    if (messageId !== undefined) this.#sender.reveal(messageId);
    if (!sameSession(key, this.#sender.key)) {
      this.#requests.find.stop();
      this.#sender.setKey(key);
    }
    this.#delivery.pump();
  }

  /** The page was just given its HTML: what it needs first is on its way while it loads. */
  sendAhead(): void {
    this.#sender.startAhead();
    this.#delivery.pump();
  }

  /**
   * Has the page rebuilt when it does not answer any more while it can be seen: `reload` loads it again, `replace` is
   * asked for where that did not help. Then it says in a sentence what happened.
   */
  watchLife(reload: () => void, replace: () => void): void {
    const { log } = this.#options;
    this.#heartbeat = this.#disposables.add(
      new PageHeartbeat({
        isWatched: this.#options.isFocused ?? (() => true),
        ask: () => this.tell({ type: 'ask' }),
        reload: () => {
          log.warn('the page does not answer and is loaded again');
          this.#sender.stop();
          reload();
        },
        replace: () => {
          log.warn('the page does not answer and is replaced');
          replace();
        },
      }),
    );
  }

  /** The row that was at the top of the view when the page last answered; undefined at its end. */
  get anchorKey(): string | undefined {
    return this.#anchorKey;
  }

  /** Sends something besides the state, after what is already under way; dropped if the page is not there. */
  tell(message: HostMessage): void {
    this.#sender.tell(message);
    this.#delivery.pump();
  }

  /** Puts the caret into the composer, now or when the page is there. */
  focusComposer(): void {
    this.#sender.focusComposer();
    this.#delivery.pump();
  }

  /** Something in the composer changed that the store does not hold, or its draft is to be told again. */
  redrawComposer(part: 'composer' | 'draft' = 'composer'): void {
    this.#sender.change(part);
    this.#delivery.pump();
  }

  /** What the page told of its draft, up to this revision, is in the store: what it is told from now on is newer. */
  tookDraft(revision: number): void {
    this.#sender.tookDraft(revision);
  }

  /** This page stands in for one that died, and says so when it is there. */
  expectRevival(): void {
    this.#heartbeat?.expectRevival();
  }

  /** Tells the person, also one who does not see, that the page was rebuilt. */
  #sayRevived(): void {
    const text = this.#options.t('The conversation stopped answering and was loaded again. Your draft is kept.');
    this.tell({ type: 'announce', text });
    this.#options.onRevived?.(text);
  }

  /** The page is hidden; it says `ready` when it is back (R6). */
  silence(): void {
    this.#leaveComposer();
    this.#heartbeat?.stop();
    this.#requests.find.stop();
    this.#sender.stop();
  }

  dispose(): void {
    this.#leaveComposer();
    this.#requests.find.stop();
    this.#sender.stop();
    this.#disposables.dispose();
  }

  /** A page that is hidden or closed cannot say any more that nobody writes in it. */
  #leaveComposer(): void {
    this.#options.onRequest({ type: 'composerFocus', isFocused: false }, this);
  }

  #receive(raw: unknown): void {
    const parsed = pageMessageSchema.safeParse(raw);
    if (!parsed.success) {
      this.#options.log.warn('the page posted something that is not in the protocol; it was dropped');
      return;
    }
    const message = parsed.data;
    if (message.type === 'ready') this.#begin(message.timeZone);
    else if (message.type === 'alive') {
      this.#heartbeat?.hear();
      this.#anchorKey = message.anchorKey;
    } else if (RowRequests.isOne(message)) this.#requests.handle(message);
    else {
      if (message.type === 'setReading') this.#sender.rows.lookAt(message.anchorKey);
      this.#options.onRequest(message, this);
    }
    this.#delivery.pump();
  }

  #setUpAnew(): void {
    // What Send will do is a setting, too.
    this.#sender.change('composer');
    this.tell({ type: 'setup', ...this.#options.setup() });
  }

  #begin(timeZone: string | undefined): void {
    this.#requests.find.stop();
    this.#sender.start(timeZone);
    if (this.#heartbeat?.start()) this.#sayRevived();
  }

  #onChange(change: StoreChange): void {
    switch (change.type) {
      case 'current':
        return;
      case 'connection':
        this.#sender.change('header', 'older', 'composer');
        break;
      case 'sessionList':
        this.#sender.restartIfOther();
        break;
      default:
        if (!sameSession(change.key, this.#sender.key)) return;
        this.#sender.change(...changedParts(change, this));
        if (change.type === 'messages') this.#requests.find.update();
    }
    this.#delivery.pump();
  }

  #onReading(key: SessionKey): void {
    if (!sameSession(key, this.#sender.key)) return;
    this.#sender.reread();
    this.#delivery.pump();
  }
}
