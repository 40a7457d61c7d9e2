import type { HostMessage, PageConversation, PageSetup, PageState } from '../shared/protocol/pageMessages.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { listen } from './dom/listen.ts';
import type { Announcer } from './dom/announcer.ts';
import { ComposerActions, isForComposer } from './composer/composerActions.ts';
import { ComposerView } from './composer/composerView.ts';
import { IdleQueue } from './content/idleQueue.ts';
import type { Formatters } from './content/lazyFormatters.ts';
import { PathLinks } from './content/paths.ts';
import { element } from './dom/element.ts';
import { HeaderView } from './header/headerView.ts';
import type { HostChannel } from './hostChannel.ts';
import type { ScrollMemory } from './scrollMemory.ts';
import { ConversationTools } from './conversationTools.ts';
import { MessageAnnouncements } from './rows/announcements.ts';
import { ConversationRows } from './rows/conversationRows.ts';
import { MessageActions } from './rows/messageActions.ts';
import { ShownSession } from './shownSession.ts';
import { makeWords, type Words } from './strings.ts';

/** A conversation on the page: its header, its messages and the composer. */
export class ConversationView implements Disposable {
  readonly node = element('main', { class: 'conversation' });
  readonly #channel: HostChannel;
  readonly #announcer: Announcer;
  readonly #scrollMemory: ScrollMemory;
  readonly #words: Words;
  readonly #disposables = new Disposables();
  readonly #idle = this.#disposables.add(new IdleQueue());
  readonly #paths: PathLinks;
  readonly #header: HeaderView;
  readonly #announcements: MessageAnnouncements;
  readonly #messageActions: MessageActions;
  readonly #rows: ConversationRows;
  readonly #tools: ConversationTools;
  readonly #composer: ComposerView;
  readonly #folds = new Map<string, boolean>();
  readonly #session = new ShownSession();
  #isRunning = false;
  #filterSummary: string | undefined;
  /** Whether the session was loaded at least once. */
  #isLoaded = false;

  constructor(
    setup: PageSetup,
    formatters: Formatters,
    channel: HostChannel,
    announcer: Announcer,
    scrollMemory: ScrollMemory,
  ) {
    this.#channel = channel;
    this.#announcer = announcer;
    this.#scrollMemory = scrollMemory;
    this.#words = makeWords(setup);
    const words = this.#words;
    this.#paths = this.#disposables.add(new PathLinks(channel, words));
    this.#announcements = this.#disposables.add(new MessageAnnouncements(words, announcer));
    const actions = this.#disposables.add(new ComposerActions(channel, this.#session));
    this.#composer = this.#disposables.add(new ComposerView(words, setup, actions, announcer));
    this.#messageActions = new MessageActions(channel, this.#session, this.#composer);
    this.#rows = this.#disposables.add(this.#makeRows(formatters));
    this.#tools = this.#disposables.add(new ConversationTools(words, this.#rows, channel, announcer, this.#session));
    this.#header = this.#disposables.add(new HeaderView(words, channel, announcer, this.#tools));
    this.#rows.frame.addOverlays(this.#tools.finder.widget.node, this.#tools.sticky.node);
    this.node.append(this.#header.node, this.#rows.frame.node, this.#composer.node);
    this.#disposables.add(actions.onDidSend(() => this.#rows.followEnd()));
    this.#disposables.add(this.#rows.onDidMove(() => this.#moved()));
    this.#disposables.add(this.#rows.onDidSettle(() => this.#saveState()));
    listen(this.#disposables, document, 'keydown', (event) => this.#tools.pressed(event, this.node.isConnected));
  }

  /** Shows a whole conversation: where the reader was in it, or at its end. */
  show(conversation: PageConversation): void {
    const isSame = this.#session.is(conversation);
    if (!isSame) {
      this.#composer.flush();
      this.#folds.clear();
    }
    const remembered = this.#scrollMemory.positionIn(conversation.origin, conversation.sessionId);
    const current = this.#rows.isFollowing ? undefined : this.#rows.position;
    const before = isSame ? current : remembered;
    this.#session.show(conversation);
    this.#showHeader(conversation.header);
    this.#composer.show(conversation.composer);
    this.#composer.showDraft(conversation.draft, isSame);
    this.#rows.frame.readGutter();
    const { revealKey: key } = conversation;
    this.#rows.reset(conversation, key === undefined ? before : { key, offsetPx: 0 });
    this.#tools.finder.restart();
  }

  /** Takes over a change of what is shown. */
  update(message: HostMessage): void {
    if (message.type === 'header') this.#showHeader(message.header);
    else if (message.type === 'earlier') this.#rows.addEarlier(message.seeds);
    else if (message.type === 'rows') this.#rows.putBodies(message.rows);
    else if (message.type === 'patch') this.#rows.patch(message.patches, message.isReread);
    else if (message.type === 'older') this.#showOlder(message.older);
    else if (message.type === 'paths') this.#paths.answered(message.asked, message.found);
    else if (message.type === 'details') this.#rows.showDetails(message.key, message.facts);
    else if (message.type === 'found') this.#tools.finder.show(message.find);
    else if (message.type === 'openFind') this.#tools.finder.open();
    else if (message.type === 'goToPrompt') this.#tools.goToPrompt(message.by);
    else if (message.type === 'quote') this.#messageActions.run(message.key, 'quote');
    else if (message.type === 'reveal') this.#rows.reveal(message.key);
    else this.#updateComposer(message);
  }

  #updateComposer(message: HostMessage): void {
    if (message.type === 'composer') this.#composer.show(message.composer);
    else if (message.type === 'draft') this.#composer.showDraft(message.draft, true);
    else if (message.type === 'sendRefused') this.#composer.rejected(message.text, message.reason);
    else if (message.type === 'focusComposer') this.#composer.focus();
    else if (isForComposer(message)) this.#composer.take(message);
  }

  /** Hands over to the host what only the page knows, before the page goes or shows something else. */
  flush(): void {
    this.#composer.flush();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.node.remove();
  }

  #makeRows(formatters: Formatters): ConversationRows {
    const context = {
      words: this.#words,
      ...formatters,
      channel: this.#channel,
      announcer: this.#announcer,
      idle: this.#idle,
      folds: this.#folds,
      paths: this.#paths,
      messageActions: this.#messageActions,
    };
    return new ConversationRows(context, this.#announcements, this.node);
  }

  #showHeader(header: PageConversation['header']): void {
    this.#filterSummary = header.reading.summary;
    this.#isRunning = header.status === 'running' || header.status === 'pending';
    this.#announcements.status = header.status;
    this.#isLoaded = header.asOf !== undefined;
    this.#header.show(header);
    this.node.dataset['lens'] = header.reading.lens;
    this.#rows.isWhole = header.reading.lens === 'everything' && header.reading.hiddenRoles.length === 0;
    this.#moved();
  }

  #showOlder(older: PageConversation['older']): void {
    this.#rows.showOlder(older);
    this.#moved();
  }

  #moved(): void {
    const { isFollowing, unseenCount, isEmpty } = this.#rows;
    const listed = { isEmpty: isEmpty && this.#isLoaded, filterSummary: this.#filterSummary };
    this.#rows.frame.show({ isFollowing, unseenCount, isRunning: this.#isRunning, ...listed });
    this.#tools.moved();
    this.#saveState();
  }

  #saveState(): void {
    this.#scrollMemory.saveSoon(() => this.#state());
  }

  #state(): PageState {
    const { position, isFollowing } = this.#rows;
    return {
      ...this.#session.identity,
      ...(position ? { anchorKey: position.key, anchorOffsetPx: position.offsetPx } : {}),
      atEnd: isFollowing,
    };
  }
}
