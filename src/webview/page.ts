import type {
  HostMessage,
  HostMessageHandlers,
  HostMessageOf,
  HostMessageType,
} from '../shared/protocol/hostMessages.ts';
import type { PageScreen, PageSetup } from '../shared/protocol/pageModel.ts';
import { Announcer } from './dom/announcer.ts';
import { FocusRestorer } from './dom/focusRestorer.ts';
import { warmFormatters, type Formatters } from './content/lazyFormatters.ts';
import { ConversationView } from './conversationView.ts';
import { screenView } from './header/screenView.ts';
import type { HostChannel } from './hostChannel.ts';
import { applyFonts } from './dom/fonts.ts';
import { followLinks } from './dom/links.ts';
import { Disposables, type Owned } from './dom/timers.ts';
import { ScrollMemory } from './scrollMemory.ts';
import { sameContent } from './dom/element.ts';

/** The page: a screen or a conversation, as the host says. It asks for its state and holds none that would be missed. */
export class Page implements Owned {
  readonly #root: HTMLElement;
  readonly #channel: HostChannel;
  readonly #owner = new Disposables();
  readonly #announcer = this.#owner.own(new Announcer());
  readonly #keeper: ScrollMemory;
  readonly #arriving = this.#owner.own(new FocusRestorer(() => this.#place()));
  readonly #formatters: Formatters;
  #setup: PageSetup | undefined;
  #conversation: ConversationView | undefined;
  #screen: HTMLElement | undefined;
  /** Whether the page has its setup and something to show. */
  #hasState = false;
  readonly #ownHandlers = {
    setup: (setup) => this.#setUp(setup),
    announce: ({ text }) => this.#announcer.announce(text),
    ask: () => {
      this.#keeper.save();
      this.#sayHere('alive');
    },
    sentAhead: () => {
      // VS Code may build a page twice before it is shown, and the first one received what was sent until then.
      if (!this.#hasState) this.#sayHere('ready');
    },
    screen: ({ screen }) => {
      this.#hasState = this.#setup !== undefined;
      this.#showScreen(screen);
    },
    conversation: ({ conversation }) => {
      this.#hasState = this.#setup !== undefined;
      this.#showConversation()?.show(conversation);
    },
  } satisfies Partial<HostMessageHandlers>;
  /** All handlers once there is a conversation view; before, the page's own. */
  #handlers: Partial<HostMessageHandlers> = this.#ownHandlers;

  constructor(root: HTMLElement, channel: HostChannel) {
    this.#root = root;
    this.#channel = channel;
    this.#keeper = this.#owner.own(new ScrollMemory(channel));
    root.append(this.#announcer.node);
    this.#owner.own(channel.listen((message) => this.#hear(message)));
    this.#owner.own(
      followLinks(root, {
        open: (href) => channel.post({ type: 'openLink', href }),
        openPath: (path) => channel.post({ type: 'openPath', path }),
      }),
    );
    this.#owner.listen(window, 'focus', () => channel.post({ type: 'focused' }));
    this.#owner.listen(window, 'pagehide', () => this.#keeper.save());
    this.#owner.listen(document, 'visibilitychange', () => this.#keeper.save());
    this.#sayHere('ready');
    this.#formatters = warmFormatters();
  }

  dispose(): void {
    this.#conversation?.dispose();
    this.#owner.dispose();
  }

  #sayHere(type: 'ready' | 'alive'): void {
    const { anchorKey } = this.#keeper;
    const anchor = anchorKey === undefined ? {} : { anchorKey };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    this.#channel.post(type === 'alive' ? { type, ...anchor } : { type, timeZone, ...anchor });
  }

  #hear(message: HostMessage): void {
    this.#handle(message.type, message);
  }

  #handle<K extends HostMessageType>(type: K, message: HostMessageOf<K>): void {
    this.#handlers[type]?.(message);
  }

  /** Words, keys and looks; if other words or keys came, the page is built anew and asks for its content again. */
  #setUp(setup: PageSetup): void {
    applyFonts(setup.fonts);
    document.documentElement.dataset['times'] = setup.times;
    if (this.#setup && sameContent(withoutLooks(this.#setup), withoutLooks(setup))) return;
    const isChange = this.#setup !== undefined;
    this.#setup = setup;
    this.#conversation?.flush();
    this.#conversation?.dispose();
    this.#keeper.save();
    this.#conversation = new ConversationView(setup, this.#formatters, this.#channel, this.#announcer, this.#keeper);
    const handlers: HostMessageHandlers = { ...this.#ownHandlers, ...this.#conversation.handlers };
    this.#handlers = handlers;
    if (isChange) this.#sayHere('ready');
  }

  #showScreen(screen: PageScreen): void {
    this.#conversation?.flush();
    this.#conversation?.node.remove();
    this.#screen?.remove();
    this.#screen = screenView(screen, (action) => this.#channel.post({ type: 'act', action }));
    this.#root.prepend(this.#screen);
    this.#arriving.shown();
  }

  #showConversation(): ConversationView | undefined {
    this.#screen?.remove();
    this.#screen = undefined;
    if (this.#conversation && !this.#conversation.node.isConnected) this.#root.prepend(this.#conversation.node);
    this.#arriving.shown();
    return this.#conversation;
  }

  /** Where somebody begins: at the text of the message, or at what a screen offers first. */
  #place(): HTMLElement | undefined {
    return this.#root.querySelector<HTMLElement>('.composer textarea, .screen button') ?? undefined;
  }
}

/** Without what style sheets take over by themselves. */
function withoutLooks(setup: PageSetup): object {
  return { ...setup, fonts: undefined, times: undefined };
}
