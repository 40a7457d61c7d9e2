import type { HostMessageHandlers } from '../shared/protocol/hostMessages.ts';
import type { PageState } from '../shared/protocol/pageMessages.ts';
import type { PageConversation, PageSetup } from '../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { listen } from './dom/listen.ts';
import type { Announcer } from './dom/announcer.ts';
import { ComposerActions } from './composer/composerActions.ts';
import { CommentStrip } from './composer/commentStrip.ts';
import { ComposerView } from './composer/composerView.ts';
import { DeliveryStrip } from './composer/deliveryStrip.ts';
import { ModelButton } from './composer/modelButton.ts';
import { PlanStrip } from './composer/planStrip.ts';
import { QuestionStrip } from './composer/questionStrip.ts';
import { TurnBar } from './composer/turnBar.ts';
import { IdleQueue } from './content/idleQueue.ts';
import { TerminalColors } from './content/terminalColors.ts';
import type { Formatters } from './content/lazyFormatters.ts';
import { PathLinks } from './content/pathLinks.ts';
import { element } from './dom/element.ts';
import { FilterMenu } from './header/filterMenu.ts';
import { HeaderView } from './header/headerView.ts';
import type { SessionChannel } from './sessionChannel.ts';
import type { ScrollMemory } from './scrollMemory.ts';
import { ConversationTools } from './conversationTools.ts';
import { MessageAnnouncements } from './rows/messageAnnouncements.ts';
import { Bookmarks } from './rows/bookmarks.ts';
import { ConversationRows } from './rows/conversationRows.ts';
import { MessageActions } from './rows/messageActions.ts';
import { CommentMarks } from './rows/commentMarks.ts';
import { createStrings, type Strings } from './strings.ts';

/** A conversation on the page: its header, messages, and composer. */
export class ConversationView implements Disposable {
  readonly node = element('main', { class: 'conversation' });
  readonly #channel: SessionChannel;
  readonly #announcer: Announcer;
  readonly #scrollMemory: ScrollMemory;
  readonly #strings: Strings;
  readonly #disposables = new Disposables();
  readonly #idle = this.#disposables.add(new IdleQueue());
  readonly #terminalColors = this.#disposables.add(new TerminalColors());
  readonly #paths: PathLinks;
  readonly #header: HeaderView;
  readonly #filter: FilterMenu;
  readonly #model: ModelButton;
  readonly #announcements: MessageAnnouncements;
  readonly #messageActions: MessageActions;
  readonly #rows: ConversationRows;
  readonly #tools: ConversationTools;
  readonly #delivery: DeliveryStrip;
  readonly #turn: TurnBar;
  readonly #plan: PlanStrip;
  readonly #question: QuestionStrip;
  readonly #comments: CommentStrip;
  readonly #composer: ComposerView;
  readonly #folds = new Map<string, boolean>();
  /** Whether this view has shown a conversation. */
  #hasShown = false;
  #filterSummary: string | undefined;

  constructor(
    setup: PageSetup,
    formatters: Formatters,
    channel: SessionChannel,
    announcer: Announcer,
    scrollMemory: ScrollMemory,
  ) {
    this.#channel = channel;
    this.#announcer = announcer;
    this.#scrollMemory = scrollMemory;
    this.#strings = createStrings(setup);
    const strings = this.#strings;
    this.#paths = this.#disposables.add(new PathLinks(channel, strings, this.#idle));
    this.#announcements = this.#disposables.add(new MessageAnnouncements(strings, announcer));
    const actions = this.#disposables.add(new ComposerActions(channel));
    this.#delivery = new DeliveryStrip(channel, strings, announcer);
    this.#turn = new TurnBar(channel, strings);
    this.#plan = new PlanStrip(channel, strings, this.#paths);
    this.#comments = this.#disposables.add(new CommentStrip(strings, actions));
    this.#composer = this.#disposables.add(new ComposerView(strings, setup, actions, this.#comments, announcer));
    this.#messageActions = new MessageActions(channel, this.#composer, this.#comments, announcer, strings);
    this.#rows = this.#disposables.add(this.#makeRows(formatters));
    this.#disposables.add(new CommentMarks(this.#rows, this.#comments, channel));
    this.#question = new QuestionStrip((key) => this.#showQuestion(key));
    this.#tools = this.#disposables.add(new ConversationTools(strings, this.#rows, channel, announcer));
    this.#filter = this.#disposables.add(new FilterMenu(strings, this.#tools, announcer));
    this.#model = new ModelButton(strings, channel);
    this.#header = this.#disposables.add(new HeaderView(strings, channel, announcer, this.#tools, this.#filter));
    this.#composer.addControls([this.#model.node], [this.#rows.frame.followButtons]);
    this.#rows.frame.addOverlays(this.#tools.finder.widget.node, this.#tools.sticky.node);
    this.node.append(this.#header.node, this.#rows.frame.node);
    this.node.append(this.#delivery.node, this.#turn.node, this.#plan.node, this.#question.node, this.#comments.node);
    this.node.append(this.#composer.node);
    const helpHint = setup.mentionsHelp ? strings.get('helpHint') : '';
    this.node.append(element('span', { id: 'help-hint', hidden: true }, helpHint));
    this.#disposables.add(actions.onDidSend(() => this.#sent()));
    this.#disposables.add(this.#rows.onDidMove(() => this.#moved()));
    this.#disposables.add(this.#rows.onDidSettle(() => this.#saveState()));
    listen(this.#disposables, document, 'focusin', ({ target }) => (this.#messageActions.lastFocused = target));
    listen(this.#disposables, document, 'keydown', (event) => this.#tools.pressed(event, this.node.isConnected));
  }

  /**
   * Shows a whole conversation: at the row that it names, or else at the current or saved position, at the first new
   * row, or at its end.
   */
  show(conversation: PageConversation): void {
    const isSame = this.#hasShown && this.#channel.shows(conversation);
    if (!isSame) {
      this.#composer.flush();
      this.#folds.clear();
      this.#paths.forget();
      // The element that had the focus last may belong to a row of the previous session.
      this.#messageActions.lastFocused = null;
    }
    const remembered = this.#scrollMemory.positionIn(conversation.origin, conversation.sessionId);
    const current = this.#rows.isFollowing ? undefined : this.#rows.position;
    const before = isSame ? current : remembered;
    this.#hasShown = true;
    this.#channel.show(conversation);
    this.#showHeader(conversation.header);
    this.#plan.show(conversation.header.plan, isSame);
    this.#showComposer(conversation.composer);
    this.#composer.showDraft(conversation.draft, isSame);
    this.#comments.show(conversation.comments, isSame);
    this.#rows.frame.readGutter();
    const { reveal } = conversation;
    const newKey = isSame ? undefined : conversation.newKey;
    this.#rows.reset(conversation, reveal ? { key: reveal.key, offsetPx: 0 } : before, newKey);
    this.#tools.expectSteps(reveal);
    this.#tools.finder.restart();
  }

  /** Handlers for messages about the conversation. `Page` handles all others. */
  readonly handlers = {
    header: ({ header }) => {
      this.#showHeader(header);
      this.#plan.show(header.plan, true);
    },
    earlier: ({ rowStubs, leftCount }) => this.#rows.addEarlier(rowStubs, leftCount),
    rows: ({ rows }) => this.#rows.putBodies(rows),
    patch: (patch) => this.#rows.patch(patch),
    older: ({ older }) => this.#showOlder(older),
    found: ({ find }) => this.#tools.finder.show(find),
    filesChanged: () => this.#paths.refresh(),
    openFind: () => this.#tools.finder.open(),
    goTo: ({ target, by }) => this.#tools.goTo(target, by),
    quote: ({ key }) => this.#messageActions.run(key, 'quote'),
    comment: ({ key }) => this.#messageActions.comment(key),
    bookmarks: ({ bookmarks }) => this.#rows.showBookmarks(bookmarks),
    toggleBookmark: () => this.#messageActions.toggleBookmark(),
    comments: ({ comments }) => this.#comments.show(comments, true),
    reveal: (target) => this.#tools.reveal(target),
    focusRow: ({ key }) => this.#tools.focusRow(key),
    composer: ({ composer }) => this.#showComposer(composer),
    draft: ({ draft }) => this.#composer.showDraft(draft, true),
    sendRejected: ({ text, reason, ...session }) => {
      // The host has already returned the text to the draft, which is shown with its session.
      if (!this.#channel.shows(session)) return;
      this.#rows.isSending = false;
      this.#composer.rejected(text, reason);
    },
    textReturned: ({ text, ...session }) => {
      if (this.#channel.shows(session)) this.#composer.returned(text);
    },
    insertText: ({ text, ...session }) => {
      if (this.#channel.shows(session)) this.#composer.insertText(text);
    },
    composerKey: ({ press }) => this.#composer.pressed(press),
  } satisfies Partial<HostMessageHandlers>;

  /** Sends the unsaved draft and comments to the host. Call this before the page shows something else. */
  flush(): void {
    this.#composer.flush();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.node.remove();
  }

  /** Shows the end, where the message that the user has just sent appears. */
  #sent(): void {
    this.#rows.isSending = true;
    this.#rows.followEnd();
  }

  #makeRows(formatters: Formatters): ConversationRows {
    const context = {
      strings: this.#strings,
      ...formatters,
      channel: this.#channel,
      announcer: this.#announcer,
      idle: this.#idle,
      folds: this.#folds,
      paths: this.#paths,
      terminalColors: this.#terminalColors,
      messageActions: this.#messageActions,
      answers: this.#composer.answers,
      bookmarks: new Bookmarks(),
    };
    return new ConversationRows(context, this.#announcements, this.node);
  }

  #showHeader(header: PageConversation['header']): void {
    this.#filterSummary = header.filter.summary;
    this.#rows.isRunning = ['running', 'pending', 'unknown'].includes(header.status);
    this.#announcements.status = header.status;
    this.#header.show(header);
    this.#turn.show(header.turn);
    this.#filter.show(header.filter);
    this.#model.show(header.model);
    this.node.dataset['detailLevel'] = header.filter.detailLevel;
    this.#rows.isWhole = header.filter.detailLevel === 'everything';
    this.#moved();
  }

  /** Scrolls to a row, and focuses its open question card or, if that isn't drawn, the row. */
  #showQuestion(key: string): void {
    this.#rows.reveal(key);
    const card = this.#rows.mounted(key)?.querySelector<HTMLElement>('.asked[data-state="open"]');
    if (card) card.focus({ preventScroll: true });
    else this.#tools.focusRow(key);
  }

  #showComposer(composer: PageConversation['composer']): void {
    this.#composer.show(composer);
    this.#delivery.show(composer.undecided);
  }

  #showOlder(older: PageConversation['older']): void {
    this.#rows.showOlder(older);
    this.#moved();
  }

  #moved(): void {
    const { isFollowing, unseenCount, isEmpty, isRunning } = this.#rows;
    const filterSummary = this.#filterSummary;
    this.#rows.frame.show({ isFollowing, unseenCount, isRunning, isEmpty, filterSummary });
    this.#question.show(this.#rows.openQuestion);
    this.#tools.moved();
    this.#saveState();
  }

  #saveState(): void {
    this.#scrollMemory.saveSoon(() => this.#state());
  }

  #state(): PageState {
    const { position, isFollowing } = this.#rows;
    return {
      ...(this.#hasShown ? this.#channel.shown : {}),
      ...(position ? { anchorKey: position.key, anchorOffsetPx: position.offsetPx } : {}),
      atEnd: isFollowing,
    };
  }
}
