import type { PageMessage } from '../shared/protocol/pageMessages.ts';
import type { MessageAction } from '../shared/protocol/readingProtocol.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import type { Announcer } from './dom/announcer.ts';
import { Finder } from './find/finder.ts';
import type { ChooseReading } from './header/filterMenu.ts';
import type { ConversationRows } from './rows/conversationRows.ts';
import type { PlaceTools } from './rows/rowParts.ts';
import { StickyPrompt, promptLine } from './rows/prompts.ts';
import type { Words } from './strings.ts';

/** What the tools of a reader need from the page around them. */
export interface ReadingSurroundings {
  readonly words: Words;
  readonly scroller: HTMLElement;
  readonly rows: ConversationRows;
  readonly announcer: Announcer;
  readonly post: (message: PageMessage) => void;
  /** Hands the draft to the host, so that what follows finds it there. */
  readonly flushDraft: () => void;
  /** The session that is shown, for what is asked about it. */
  readonly session: () => { readonly sessionId?: string };
}

/** What a reader uses besides the list: find, the way from prompt to prompt, what is done with a message. */
export class ReadingTools implements Disposable {
  readonly finder: Finder;
  readonly sticky: StickyPrompt;
  readonly #around: ReadingSurroundings;
  readonly #disposables = new Disposables();

  constructor(around: ReadingSurroundings) {
    const { words, scroller, rows, post } = around;
    this.#around = around;
    this.finder = this.#disposables.add(new Finder(words, scroller, rows, post));
    this.sticky = new StickyPrompt(words, (key) => rows.reveal(key));
  }

  /** What rows need to draw their place in the conversation. */
  get place(): PlaceTools {
    const { words, post } = this.#around;
    const revealMessage = (messageId: string) => post({ type: 'revealMessage', messageId });
    return { words, revealMessage, act: (key, action) => this.actOn(key, action) };
  }

  /** The rows in the document or the reading position have changed. */
  moved(): void {
    this.finder.moved();
    this.sticky.show(this.#around.rows.prompts.current);
  }

  /** A key was pressed, wherever the focus is: some mean the conversation, where it is shown. */
  pressed(event: KeyboardEvent, isShown: boolean): void {
    if (!isShown || event.defaultPrevented || !this.#takesKey(event)) return;
    event.preventDefault();
    // VS Code listens at the window, and would open its own Find in an editor that is open beside the page.
    event.stopPropagation();
  }

  /** The person chose how to read. */
  choose: ChooseReading = (lens, hiddenRoles) => {
    const { post, rows, session } = this.#around;
    const anchorKey = rows.position?.key;
    const anchor = anchorKey === undefined ? {} : { anchorKey };
    post({ type: 'setReading', ...session(), lens, hiddenRoles: [...hiddenRoles], ...anchor });
  };

  #takesKey(event: KeyboardEvent): boolean {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined;
    const isPlain = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    const isWriting = event.target instanceof HTMLElement && event.target.matches('textarea, input, [role="menu"] *');
    if (!by || !isPlain || isWriting) return this.finder.takesKey(event);
    this.goToPrompt(by);
    return true;
  }

  goToPrompt(by: 1 | -1): void {
    const { rows, announcer, words } = this.#around;
    const prompt = rows.prompts.go(by);
    if (prompt) announcer.announce(words.say('currentPrompt', promptLine(prompt)));
  }

  /** What is selected of a message is what is quoted of it. The draft goes first: a quote is put where its caret is. */
  actOn(key: string, action: MessageAction): void {
    const { post, flushDraft, session } = this.#around;
    const selection = document.getSelection();
    const holder = selection?.anchorNode?.parentElement?.closest<HTMLElement>('article[data-key]');
    const text = holder?.dataset['key'] === key ? (selection?.toString().trim() ?? '') : '';
    const selected = action === 'quote' && text !== '' ? { text } : {};
    flushDraft();
    post({ type: 'messageAction', ...session(), action, key, ...selected });
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
