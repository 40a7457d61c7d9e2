import type { HostMessageHandlers } from '../shared/protocol/hostMessages.ts';
import type { PageState } from '../shared/protocol/pageMessages.ts';
import type { PageConversation, PageSetup } from '../shared/protocol/pageModel.ts';
import type { PageRow } from '../shared/protocol/rowTypes.ts';
import type { DeliveryAction } from '../shared/protocol/vocabulary.ts';
import type { Announcer } from './dom/announcer.ts';
import { composerHooks } from './composer/composerActions.ts';
import { ComposerView } from './composer/composerView.ts';
import { codeActions, fileActions } from './content/code.ts';
import type { RenderContext } from './content/renderContext.ts';
import { IdleQueue } from './content/idleQueue.ts';
import type { Formatters } from './content/lazyFormatters.ts';
import { PathLinks } from './content/paths.ts';
import { element } from './dom/element.ts';
import { HeaderView } from './header/headerView.ts';
import type { ChooseReading } from './header/filterMenu.ts';
import type { HostChannel } from './hostChannel.ts';
import { Disposables, type Owned } from './dom/timers.ts';
import type { ScrollMemory } from './scrollMemory.ts';
import { ReadingTools } from './conversationTools.ts';
import { MessageAnnouncements } from './rows/announcements.ts';
import { ConversationRows } from './rows/conversationRows.ts';
import { GroupView, RowViews } from './rows/rowViews.ts';
import { ListFrame } from './rows/listFrame.ts';
import { OlderView } from './rows/olderView.ts';
import { RowView } from './rows/rowView.ts';
import { RowRequester } from './rows/rowRequester.ts';
import { makeWords, type Words } from './strings.ts';

/** A conversation on the page: its header, its messages and the composer. */
export class ConversationView implements Owned {
  readonly node = element('main', { class: 'conversation' });
  readonly #channel: HostChannel;
  readonly #announcer: Announcer;
  readonly #keeper: ScrollMemory;
  readonly #words: Words;
  readonly #owner = new Disposables();
  readonly #idle = this.#owner.own(new IdleQueue());
  readonly #paths: PathLinks;
  readonly #header: HeaderView;
  readonly #frame: ListFrame;
  readonly #arrivals: MessageAnnouncements;
  readonly #rows: ConversationRows;
  readonly #tools: ReadingTools;
  readonly #composer: ComposerView;
  readonly #folds = new Map<string, boolean>();
  #shown: { readonly origin: string; readonly sessionId: string } | undefined;
  #isMoving = false;
  #leftOut: string | undefined;
  #isRead = false;

  constructor(
    setup: PageSetup,
    formatters: Formatters,
    channel: HostChannel,
    announcer: Announcer,
    keeper: ScrollMemory,
  ) {
    this.#channel = channel;
    this.#announcer = announcer;
    this.#keeper = keeper;
    this.#words = makeWords(setup);
    const askPaths = (paths: string[]) => channel.post({ type: 'findPaths', paths });
    this.#paths = this.#owner.own(new PathLinks(askPaths, (path) => this.#words.say('openFile', path)));
    const announce = (text: string) => announcer.announce(text);
    this.#header = this.#owner.own(this.#makeHeader(announce));
    this.#frame = this.#owner.own(this.#makeFrame());
    this.#arrivals = this.#owner.own(new MessageAnnouncements(this.#words, announce));
    this.#rows = this.#owner.own(this.#makeRows(this.#frame.scroller, formatters));
    this.#tools = this.#owner.own(this.#makeTools());
    this.#frame.layOver(this.#tools.finder.widget.node, this.#tools.sticky.node);
    this.#composer = this.#owner.own(this.#makeComposer(setup));
    this.node.append(this.#header.node, this.#frame.node, this.#composer.node);
    this.#owner.listen(document, 'keydown', (event) => this.#tools.pressed(event, this.node.isConnected));
  }

  /** Shows a whole conversation: where the reader was in it, or at its end. */
  show(conversation: PageConversation): void {
    const isSame = this.#isShown(conversation);
    if (!isSame) {
      this.#composer.flush();
      this.#folds.clear();
    }
    const remembered = this.#keeper.positionIn(conversation.origin, conversation.sessionId);
    const current = this.#rows.isFollowing ? undefined : this.#rows.position;
    const before = isSame ? current : remembered;
    this.#shown = { origin: conversation.origin, sessionId: conversation.sessionId };
    this.#showHeader(conversation.header);
    this.#composer.show(conversation.composer);
    this.#composer.showDraft(conversation.draft, isSame);
    this.#frame.readGutter();
    const { revealKey: key } = conversation;
    this.#rows.reset(conversation, key === undefined ? before : { key, offsetPx: 0 });
    this.#tools.finder.restart();
  }

  /** Handlers of the messages about the conversation. Page handles the others. */
  readonly handlers = {
    header: ({ header }) => this.#showHeader(header),
    earlier: ({ seeds }) => this.#rows.addEarlier(seeds),
    rows: ({ rows }) => this.#rows.putBodies(rows),
    patch: ({ patches, isReread }) => this.#rows.patch(patches, isReread),
    older: ({ older }) => this.#showOlder(older),
    paths: ({ asked, found }) => this.#paths.answered(asked, found),
    details: ({ key, facts }) => this.#rows.showDetails(key, facts),
    found: ({ find }) => this.#tools.finder.show(find),
    openFind: () => this.#tools.finder.open(),
    goToPrompt: ({ by }) => this.#tools.goToPrompt(by),
    quote: ({ key }) => this.#tools.actOn(key, 'quote'),
    reveal: ({ key }) => this.#rows.reveal(key),
    composer: ({ composer }) => this.#composer.show(composer),
    draft: ({ draft }) => this.#composer.showDraft(draft, true),
    sendRefused: ({ text, reason }) => this.#composer.refused(text, reason),
    focusComposer: () => this.#composer.focus(),
    suggestions: (message) => this.#composer.showSuggestions(message),
    prompt: (message) => this.#composer.showPrompt(message),
    hindrances: (message) => this.#composer.showUnavailable(message),
    insertText: ({ text }) => this.#composer.insertText(text),
    composerKey: ({ press }) => this.#composer.pressed(press),
  } satisfies Partial<HostMessageHandlers>;

  /** Hands over to the host what only the page knows, before the page goes or shows something else. */
  flush(): void {
    this.#composer.flush();
  }

  dispose(): void {
    this.#owner.dispose();
    this.node.remove();
  }

  #makeFrame(): ListFrame {
    const way = { toEnd: () => this.#rows.followEnd(), hold: () => this.#rows.stopFollowing() };
    return new ListFrame(this.#words, this.node, way);
  }

  #makeRows(scroller: HTMLElement, formatters: Formatters): ConversationRows {
    const channel = this.#channel;
    const tools: RenderContext = {
      words: this.#words,
      ...formatters,
      idle: this.#idle,
      folds: this.#folds,
      code: codeActions(channel, this.#announcer, this.#words),
      paths: this.#paths,
      files: fileActions(channel),
      wantDetails: (key) => channel.post({ type: 'wantDetails', key }),
      showAll: (key) => channel.post({ type: 'showAll', key }),
      failed: (reason) => channel.post({ type: 'failed', reason }),
    };
    const deliver = (entryId: string, action: DeliveryAction) => channel.post({ type: 'delivery', entryId, action });
    const toggle = (key: string) => channel.post({ type: 'toggleGroup', key });
    const makeRow = (row: PageRow) =>
      row.group ? new GroupView(this.#tools.place, toggle) : new RowView(tools, this.#tools.place, deliver);
    return new ConversationRows(scroller, {
      views: new RowViews(makeRow, this.#words.say('message')),
      older: new OlderView(
        () => channel.post({ type: 'loadOlder' }),
        () => channel.post({ type: 'cancelLoading' }),
        this.#words.say('cancel'),
      ),
      wanted: new RowRequester((keys) => channel.post({ type: 'wantRows', keys })),
      moved: () => this.#moved(),
      settled: () => this.#keeper.touch(() => this.#state()),
      arrivals: this.#arrivals,
    });
  }

  #makeHeader(announce: (text: string) => void): HeaderView {
    const { post } = this.#channel;
    const choose: ChooseReading = (...reading) => this.#tools.choose(...reading);
    const find = () => this.#tools.finder.open();
    return new HeaderView(this.#words, (action) => post({ type: 'act', action }), choose, find, announce);
  }

  #makeTools(): ReadingTools {
    return new ReadingTools({
      words: this.#words,
      scroller: this.#frame.scroller,
      rows: this.#rows,
      announcer: this.#announcer,
      post: (message) => this.#channel.post(message),
      flushDraft: () => this.#composer.flush(),
      session: () => this.#session,
    });
  }

  #makeComposer(setup: PageSetup): ComposerView {
    const announce = (text: string) => this.#announcer.announce(text);
    const hooks = composerHooks(
      this.#channel,
      () => this.#session,
      announce,
      () => this.#rows.followEnd(),
    );
    return new ComposerView(this.#words, setup, hooks);
  }

  get #session(): { readonly sessionId?: string } {
    return this.#shown ? { sessionId: this.#shown.sessionId } : {};
  }

  #isShown(conversation: PageConversation): boolean {
    return this.#shown?.origin === conversation.origin && this.#shown.sessionId === conversation.sessionId;
  }

  #showHeader(header: PageConversation['header']): void {
    this.#leftOut = header.reading.summary;
    this.#isMoving = header.status === 'running' || header.status === 'pending';
    this.#arrivals.status = header.status;
    this.#isRead = header.asOf !== undefined;
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
    const listed = { isEmpty: isEmpty && this.#isRead, leftOut: this.#leftOut };
    this.#frame.show({ isFollowing, unseenCount, isMoving: this.#isMoving, ...listed });
    this.#tools.moved();
    this.#keeper.touch(() => this.#state());
  }

  #state(): PageState {
    const { position, isFollowing } = this.#rows;
    return {
      ...this.#shown,
      ...(position ? { anchorKey: position.key, anchorOffsetPx: position.offsetPx } : {}),
      atEnd: isFollowing,
    };
  }
}
