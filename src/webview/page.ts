import type {
  HostMessage,
  HostMessageHandlers,
  HostMessageOf,
  HostMessageType,
} from '../shared/protocol/hostMessages.ts';
import type { PageScreen, PageSession, PageSetup } from '../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { DayChange } from './dom/dayChange.ts';
import { listen } from './dom/listen.ts';
import { Announcer } from './dom/announcer.ts';
import { FocusRestorer } from './dom/focusRestorer.ts';
import { warmFormatters, type Formatters } from './content/lazyFormatters.ts';
import { ConversationView } from './conversationView.ts';
import { screenView } from './header/screenView.ts';
import type { HostChannel } from './hostChannel.ts';
import { applyFonts } from './dom/fonts.ts';
import { followLinks } from './dom/links.ts';
import { FrameTask, Timer } from './dom/timers.ts';
import { ScrollMemory } from './scrollMemory.ts';
import { SessionChannel } from './sessionChannel.ts';
import { sameValue } from '../shared/equality.ts';

/**
 * The page: shows a screen or a conversation, as directed by the host. It requests its state from the host and holds
 * none that can't be restored.
 */
export class Page implements Disposable {
  readonly #root: HTMLElement;
  readonly #channel: HostChannel;
  readonly #session: SessionChannel;
  readonly #disposables = new Disposables();
  readonly #announcer = this.#disposables.add(new Announcer());
  readonly #keeper: ScrollMemory;
  readonly #focusRestorer = this.#disposables.add(new FocusRestorer(() => this.#place()));
  readonly #formatters: Formatters;
  /** Waits for the end of the frame that draws a conversation. */
  readonly #drawn = this.#disposables.add(new Timer());
  readonly #drawing = this.#disposables.add(
    new FrameTask(() => this.#drawn.set(0, () => this.#channel.post({ type: 'drawn' }))),
  );
  #setup: PageSetup | undefined;
  #conversation: ConversationView | undefined;
  #screen: HTMLElement | undefined;
  /** Whether the page has its setup and something to show. */
  #hasState = false;
  readonly #ownHandlers = {
    setup: (setup) => this.#setUp(setup),
    announce: ({ text }) => this.#announcer.announce(text),
    // The channel itself passes each answer to the caller that is waiting for it.
    answer: () => undefined,
    ping: () => {
      this.#keeper.save();
      this.#channel.post({ type: 'pong', ...this.#anchor });
    },
    save: () => {
      this.#conversation?.flush();
      this.#channel.post({ type: 'saved' });
    },
    preloadDone: () => {
      // VS Code may build a page twice before it is shown. If only the first page got the messages, request them again.
      if (!this.#hasState) this.#sayReady();
    },
    focusComposer: ({ takesFocus }) => this.#focusRestorer.focusDefault(takesFocus),
    screen: ({ screen, session }) => {
      this.#hasState = this.#setup !== undefined;
      this.#showScreen(screen, session);
    },
    conversation: ({ conversation }) => {
      this.#hasState = this.#setup !== undefined;
      this.#showConversation()?.show(conversation);
      this.#drawing.request();
    },
  } satisfies Partial<HostMessageHandlers>;
  /** All handlers once there is a `ConversationView`; until then, only the page's own. */
  #handlers: Partial<HostMessageHandlers> = this.#ownHandlers;

  constructor(root: HTMLElement, channel: HostChannel) {
    this.#root = root;
    this.#channel = channel;
    this.#session = new SessionChannel(channel);
    this.#keeper = this.#disposables.add(new ScrollMemory(channel));
    root.append(this.#announcer.node);
    this.#disposables.add(channel.listen((message) => this.#hear(message)));
    this.#disposables.add(followLinks(root, this.#session));
    for (const type of ['focus', 'blur'] as const) {
      listen(this.#disposables, window, type, () => channel.post({ type: 'focused', isFocused: type === 'focus' }));
    }
    listen(this.#disposables, window, 'pagehide', () => this.#keeper.save());
    listen(this.#disposables, document, 'visibilitychange', () => this.#keeper.save());
    // Headings such as "Today" depend on the day, so draw everything again.
    this.#disposables.add(new DayChange(() => this.#sayReady()));
    this.#sayReady();
    this.#formatters = warmFormatters();
  }

  dispose(): void {
    this.#conversation?.dispose();
    this.#disposables.dispose();
  }

  get #anchor(): { anchorKey?: string } {
    const { anchorKey } = this.#keeper;
    return anchorKey === undefined ? {} : { anchorKey };
  }

  #sayReady(): void {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    this.#channel.post({ type: 'ready', timeZone, ...this.#anchor });
  }

  #hear(message: HostMessage): void {
    this.#handle(message.type, message);
  }

  #handle<K extends HostMessageType>(type: K, message: HostMessageOf<K>): void {
    this.#handlers[type]?.(message);
  }

  /**
   * Applies strings and settings. If anything except fonts and appearance changed, replaces the `ConversationView` and,
   * unless this is the first setup, requests the whole state again.
   */
  #setUp(setup: PageSetup): void {
    applyFonts(setup.fonts);
    for (const [name, value] of Object.entries(setup.appearance)) document.documentElement.dataset[name] = value;
    if (this.#setup && sameValue(withoutAppearance(this.#setup), withoutAppearance(setup))) return;
    const isChange = this.#setup !== undefined;
    this.#setup = setup;
    this.#conversation?.flush();
    this.#conversation?.dispose();
    this.#keeper.save();
    this.#conversation = new ConversationView(setup, this.#formatters, this.#session, this.#announcer, this.#keeper);
    const handlers: HostMessageHandlers = { ...this.#ownHandlers, ...this.#conversation.handlers };
    this.#handlers = handlers;
    if (isChange) this.#sayReady();
  }

  #showScreen(screen: PageScreen, session: PageSession | undefined): void {
    this.#conversation?.flush();
    this.#conversation?.node.remove();
    this.#screen?.remove();
    this.#screen = screenView(screen, (action) => this.#channel.post({ type: 'act', action, ...session }));
    this.#root.prepend(this.#screen);
    this.#focusRestorer.contentChanged();
  }

  #showConversation(): ConversationView | undefined {
    this.#screen?.remove();
    this.#screen = undefined;
    if (this.#conversation && !this.#conversation.node.isConnected) this.#root.prepend(this.#conversation.node);
    this.#focusRestorer.contentChanged();
    return this.#conversation;
  }

  /** The element that receives the focus first: the text field of the composer, or the first button of a screen. */
  #place(): HTMLElement | undefined {
    return this.#root.querySelector<HTMLElement>('.composer textarea, .screen button') ?? undefined;
  }
}

/** The setup without the settings that only affect styles. */
function withoutAppearance(setup: PageSetup): object {
  return { ...setup, fonts: undefined, appearance: undefined };
}
