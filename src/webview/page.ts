import type { HostMessage, PageSetup } from '../shared/protocol/pageMessages.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { listen } from './dom/listen.ts';
import { Announcer } from './dom/announcer.ts';
import { FocusRestorer } from './dom/focusRestorer.ts';
import { warmFormatters, type Formatters } from './content/lazyFormatters.ts';
import { ConversationView } from './conversationView.ts';
import { screenView } from './header/screenView.ts';
import type { HostChannel } from './hostChannel.ts';
import { applyFonts } from './dom/fonts.ts';
import { followLinks } from './dom/links.ts';
import { ScrollMemory } from './scrollMemory.ts';
import { sameContent } from './dom/element.ts';

/** The page: a screen or a conversation, as the host says. It asks for its state and holds none that would be missed. */
export class Page implements Disposable {
  readonly #root: HTMLElement;
  readonly #channel: HostChannel;
  readonly #disposables = new Disposables();
  readonly #announcer = this.#disposables.add(new Announcer());
  readonly #keeper: ScrollMemory;
  readonly #focusRestorer = this.#disposables.add(new FocusRestorer(() => this.#place()));
  readonly #formatters: Formatters;
  #setup: PageSetup | undefined;
  #conversation: ConversationView | undefined;
  #screen: HTMLElement | undefined;
  /** Whether the page knows what to show, and has the words for it. */
  #hasState = false;

  constructor(root: HTMLElement, channel: HostChannel) {
    this.#root = root;
    this.#channel = channel;
    this.#keeper = this.#disposables.add(new ScrollMemory(channel));
    root.append(this.#announcer.node);
    this.#disposables.add(channel.listen((message) => this.#hear(message)));
    this.#disposables.add(followLinks(root, channel));
    listen(this.#disposables, window, 'focus', () => channel.post({ type: 'focused' }));
    listen(this.#disposables, window, 'pagehide', () => this.#keeper.save());
    listen(this.#disposables, document, 'visibilitychange', () => this.#keeper.save());
    this.#sayHere('ready');
    this.#formatters = warmFormatters();
  }

  dispose(): void {
    this.#conversation?.dispose();
    this.#disposables.dispose();
  }

  #sayHere(type: 'ready' | 'alive'): void {
    const { anchorKey } = this.#keeper;
    const anchor = anchorKey === undefined ? {} : { anchorKey };
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    this.#channel.post(type === 'alive' ? { type, ...anchor } : { type, timeZone, ...anchor });
  }

  #hear(message: HostMessage): void {
    switch (message.type) {
      case 'setup': {
        this.#setUp(message);
        return;
      }
      case 'announce': {
        this.#announcer.announce(message.text);
        return;
      }
      case 'ask': {
        this.#keeper.save();
        this.#sayHere('alive');
        return;
      }
      case 'sentAhead': {
        // The editor may build a page twice before it is seen; the first one took with it what was sent until then.
        if (!this.#hasState) this.#sayHere('ready');
        return;
      }
      case 'screen': {
        this.#hasState = this.#setup !== undefined;
        this.#showScreen(message);
        return;
      }
      case 'conversation': {
        this.#hasState = this.#setup !== undefined;
        this.#showConversation()?.show(message.conversation);
        return;
      }
      default:
        return this.#conversation?.update(message);
    }
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
    if (isChange) this.#sayHere('ready');
  }

  #showScreen({ screen }: Extract<HostMessage, { type: 'screen' }>): void {
    this.#conversation?.flush();
    this.#conversation?.node.remove();
    this.#screen?.remove();
    this.#screen = screenView(screen, (action) => this.#channel.post({ type: 'act', action }));
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

  /** Where somebody begins: at the text of the message, or at what a screen offers first. */
  #place(): HTMLElement | undefined {
    return this.#root.querySelector<HTMLElement>('.composer textarea, .screen button') ?? undefined;
  }
}

/** Without what style sheets take over by themselves. */
function withoutLooks(setup: PageSetup): object {
  return { ...setup, fonts: undefined, times: undefined };
}
