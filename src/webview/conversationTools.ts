import { defined } from '../shared/defined.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import type { PageTarget } from '../shared/protocol/rowTypes.ts';
import type { DetailLevel, JumpTarget } from '../shared/protocol/vocabulary.ts';
import type { Announcer } from './dom/announcer.ts';
import { isComposing } from './composer/composerTextField.ts';
import { Finder } from './find/finder.ts';
import type { FilterTarget } from './header/filterMenu.ts';
import type { HeaderTools } from './header/headerView.ts';
import type { SessionChannel } from './sessionChannel.ts';
import { StepNavigation } from './stepNavigation.ts';
import { BookmarkNavigation } from './rows/bookmarkNavigation.ts';
import type { ConversationRows } from './rows/conversationRows.ts';
import { promptLine, StickyPrompt } from './rows/prompts.ts';
import type { Strings } from './strings.ts';

/** The tools around the list of messages: find, filter, and navigation to prompts, bookmarks, and other targets. */
export class ConversationTools implements HeaderTools, FilterTarget, Disposable {
  readonly finder: Finder;
  readonly sticky: StickyPrompt;
  readonly #strings: Strings;
  readonly #rows: ConversationRows;
  readonly #channel: SessionChannel;
  readonly #announcer: Announcer;
  readonly #bookmarks: BookmarkNavigation;
  readonly #steps: StepNavigation;
  readonly #disposables = new Disposables();
  /** The key of the prompt that has the focus and is announced once its body has arrived. */
  #awaitedKey: string | undefined;

  constructor(strings: Strings, rows: ConversationRows, channel: SessionChannel, announcer: Announcer) {
    this.#strings = strings;
    this.#rows = rows;
    this.#channel = channel;
    this.#announcer = announcer;
    this.finder = this.#disposables.add(new Finder(strings, rows, channel));
    this.#bookmarks = this.#disposables.add(new BookmarkNavigation(rows, channel, announcer, strings));
    this.#steps = this.#disposables.add(new StepNavigation(rows));
    this.sticky = new StickyPrompt(strings, (key) => this.#goToRow(key));
  }

  openFind(): void {
    this.finder.open();
  }

  setFilter(detailLevel: DetailLevel): void {
    this.#channel.post({
      type: 'setFilter',
      detailLevel,
      ...defined({ anchorKey: this.#rows.position?.key }),
    });
  }

  /** Goes to the next target of this kind, or with -1 to the previous one. Announces it, or that there is none. */
  goTo(target: JumpTarget, by: 1 | -1): void {
    this.#awaitedKey = undefined;
    if (target === 'prompt') {
      const key = this.#rows.prompts.go(by, this.#focusedKey);
      if (key === undefined) {
        this.#announcer.announce(this.#strings.get('noTarget'));
        return;
      }
      this.#rows.mounted(key)?.focus({ preventScroll: true });
      this.#awaitedKey = key;
      this.#announceAwaited();
      return;
    }
    if (target === 'bookmark') {
      void this.#bookmarks.go(by);
      return;
    }
    const name = this.#rows.jumps.go(target, by);
    this.#announcer.announce(name === undefined ? this.#strings.get('noTarget') : this.#strings.get(target, name));
  }

  /** Announces the awaited prompt if its body has arrived, unless the focus has left it. */
  #announceAwaited(): void {
    if (this.#awaitedKey === undefined) return;
    const row = this.#rows.mounted(this.#awaitedKey);
    const prompt = this.#rows.body(this.#awaitedKey);
    const hasFocus = row === document.activeElement;
    if (prompt && hasFocus) this.#announcer.announce(this.#strings.get('currentPrompt', promptLine(prompt)));
    if (prompt || !hasFocus) this.#awaitedKey = undefined;
  }

  /** The key of the row that has or contains the focus, if the row is in view. */
  get #focusedKey(): string | undefined {
    const { scroller } = this.#rows;
    const row = document.activeElement?.closest<HTMLElement>('article');
    if (!row || !scroller.contains(row)) return undefined;
    const [box, view] = [row.getBoundingClientRect(), scroller.getBoundingClientRect()];
    return box.bottom > view.top && box.top < view.bottom ? row.dataset['key'] : undefined;
  }

  /** Scrolls to a row, and expands the steps of the target and scrolls to the first of them once they are drawn. */
  reveal(target: PageTarget): void {
    this.#rows.reveal(target.key);
    this.expectSteps(target);
  }

  /** Like {@link reveal}, for a list that shows the row already. Without a target, expects no steps anymore. */
  expectSteps(target: PageTarget | undefined): void {
    this.#steps.expect(target);
  }

  /** Scrolls to a row and focuses it, because scrolling may hide the button that the user pressed. */
  #goToRow(key: string): void {
    this.#rows.reveal(key);
    this.#rows.mounted(key)?.focus({ preventScroll: true });
  }

  focusRow(key: string): void {
    this.#bookmarks.focus(key);
  }

  /** Call this when the mounted rows or the scroll position has changed. */
  moved(): void {
    this.finder.moved();
    this.#bookmarks.moved();
    this.#steps.moved();
    this.#announceAwaited();
    this.sticky.show(this.#rows.prompts.current);
  }

  /** Handles the keys of Find while the conversation is shown, regardless of which element has the focus. */
  pressed(event: KeyboardEvent, isShown: boolean): void {
    if (!isShown || event.defaultPrevented || isComposing(event) || !this.finder.takesKey(event)) return;
    event.preventDefault();
    // VS Code listens on the window and would open its own Find widget in an editor next to the page.
    event.stopPropagation();
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
