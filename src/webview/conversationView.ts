import type {
  DeliveryAction,
  HostMessage,
  PageConversation,
  PageSetup,
  PageState,
} from '../shared/protocol/pageMessages.ts';
import type { PageRow } from '../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { listen } from './dom/listen.ts';
import type { Announcer } from './dom/announcer.ts';
import { composerHooks, isForComposer } from './composer/composerActions.ts';
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
export class ConversationView implements Disposable {
  readonly node = element('main', { class: 'conversation' });
  readonly #channel: HostChannel;
  readonly #announcer: Announcer;
  readonly #keeper: ScrollMemory;
  readonly #words: Words;
  readonly #disposables = new Disposables();
  readonly #idle = this.#disposables.add(new IdleQueue());
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
    this.#paths = this.#disposables.add(new PathLinks(askPaths, (path) => this.#words.say('openFile', path)));
    const announce = (text: string) => announcer.announce(text);
    this.#header = this.#disposables.add(this.#makeHeader(announce));
    this.#frame = this.#disposables.add(this.#makeFrame());
    this.#arrivals = this.#disposables.add(new MessageAnnouncements(this.#words, announce));
    this.#rows = this.#disposables.add(this.#makeRows(this.#frame.scroller, formatters));
    this.#tools = this.#disposables.add(this.#makeTools());
    this.#frame.layOver(this.#tools.finder.widget.node, this.#tools.sticky.node);
    this.#composer = this.#disposables.add(this.#makeComposer(setup));
    this.node.append(this.#header.node, this.#frame.node, this.#composer.node);
    listen(this.#disposables, document, 'keydown', (event) => this.#tools.pressed(event, this.node.isConnected));
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
    else if (message.type === 'quote') this.#tools.actOn(message.key, 'quote');
    else if (message.type === 'reveal') this.#rows.reveal(message.key);
    else this.#updateComposer(message);
  }

  #updateComposer(message: HostMessage): void {
    if (message.type === 'composer') this.#composer.show(message.composer);
    else if (message.type === 'draft') this.#composer.showDraft(message.draft, true);
    else if (message.type === 'sendRefused') this.#composer.refused(message.text, message.reason);
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
