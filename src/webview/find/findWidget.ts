import type { PageFind } from '../../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { maxFindLength } from '../../shared/protocol/vocabulary.ts';
import { isComposing } from '../composer/composerTextField.ts';
import { listen } from '../dom/listen.ts';
import { element, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { letterOf } from '../dom/letterKeys.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Strings } from '../strings.ts';

/** The search text and its options. */
export interface FindInput {
  readonly text: string;
  readonly isCase: boolean;
  readonly isWord: boolean;
  readonly isRegex: boolean;
}

/** The search that a find widget controls. */
export interface FindController {
  /** Called when the input has changed or the widget has been opened. */
  search(input: FindInput): void;
  /** Goes to the next match or, with -1, to the previous one. */
  step(by: 1 | -1): void;
  /** Loads the messages that aren't searched yet. */
  loadRest(): void;
  close(): void;
}

/** The find widget, with the controls, labels, and keys of VS Code's own. */
export class FindWidget implements Disposable {
  readonly node: HTMLElement;
  readonly #strings: Strings;
  readonly #controller: FindController;
  readonly #disposables = new Disposables();
  readonly #field = element('input', { type: 'text', class: 'find-field', spellcheck: 'false', autocomplete: 'off' });
  readonly #switches: Readonly<Record<'isCase' | 'isWord' | 'isRegex', HTMLButtonElement>>;
  readonly #count = element('span', { class: 'find-count', 'aria-live': 'polite', dir: 'auto' });
  readonly #steps: readonly HTMLButtonElement[];
  readonly #failure = element('div', { class: 'find-failure', role: 'alert', dir: 'auto', hidden: true });
  readonly #older = element('div', { class: 'find-older', hidden: true });
  readonly #rest: HTMLButtonElement;
  readonly #hiddenMatch = element('div', { class: 'find-older', dir: 'auto', hidden: true });

  constructor(strings: Strings, controller: FindController) {
    this.#strings = strings;
    this.#controller = controller;
    const name = strings.get('findInConversation');
    for (const [attribute, value] of [
      ['role', 'searchbox'],
      ['aria-label', name],
      ['placeholder', strings.get('find')],
      ['maxlength', `${maxFindLength}`],
    ] as const) {
      this.#field.setAttribute(attribute, value);
    }
    this.#switches = {
      isCase: this.#switch('caseSensitive', strings.get('matchCase')),
      isWord: this.#switch('wholeWord', strings.get('matchWholeWord')),
      isRegex: this.#switch('regex', strings.get('useRegex')),
    };
    this.#steps = [
      iconButton('arrowUp', strings.get('previousMatch'), () => controller.step(-1)),
      iconButton('arrowDown', strings.get('nextMatch'), () => controller.step(1)),
    ];
    this.#rest = element('button', { type: 'button', class: 'link-button' }, strings.get('loadRest'));
    this.#rest.addEventListener('click', () => controller.loadRest());
    this.#older.append(element('span', { dir: 'auto' }, strings.get('olderNotSearched')), ' ', this.#rest);
    const box = element('div', { class: 'find-box' }, this.#field, ...Object.values(this.#switches));
    const close = iconButton('close', strings.get('close'), () => controller.close());
    const buttons = element('div', { class: 'find-buttons' }, ...this.#steps, close);
    const line = element('div', { class: 'find-line' }, box, this.#count, buttons);
    this.node = element('div', { class: 'find', role: 'search', hidden: true });
    this.node.append(line, this.#failure, this.#hiddenMatch, this.#older);
    listen(this.#disposables, this.#field, 'input', () => controller.search(this.input));
    listen(this.#disposables, this.node, 'keydown', (event) => this.#pressed(event));
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  get input(): FindInput {
    const isOn = (button: HTMLElement) => button.getAttribute('aria-checked') === 'true';
    const { isCase, isWord, isRegex } = this.#switches;
    return { text: this.#field.value, isCase: isOn(isCase), isWord: isOn(isWord), isRegex: isOn(isRegex) };
  }

  /** Opens with the given text or, if it is empty, with the last search text, and searches for it. */
  open(text: string): void {
    this.node.hidden = false;
    if (text !== '') this.#field.value = text;
    this.#field.focus();
    this.#field.select();
    this.#controller.search(this.input);
  }

  hide(): void {
    this.node.hidden = true;
  }

  /** Shows the result of a search: the number of matches, a failure, and whether older messages weren't searched. */
  show(find: PageFind): void {
    const hasText = this.#field.value !== '';
    const total = this.#strings.number(find.count);
    const isNone = find.count === 0 && (find.isSearching || !find.isMore);
    const word = find.isMore ? 'matchOfMore' : 'matchOf';
    const position = find.index === undefined ? '?' : this.#strings.number(find.index + 1);
    const none = this.#strings.get(find.isSearching ? 'searching' : 'noResults');
    const hasNoMatch = hasText && isNone && !find.isSearching;
    const result = isNone ? none : this.#strings.get(word, position, total);
    setText(this.#count, hasText && find.failure === undefined ? result : '');
    this.node.classList.toggle('is-nothing', hasNoMatch && find.failure === undefined);
    this.#field.setAttribute('aria-invalid', String(find.failure !== undefined));
    setText(this.#failure, find.failure ?? '');
    this.#failure.hidden = find.failure === undefined;
    this.#older.hidden = !find.isOlderMissing;
    this.#rest.disabled = find.isOlderLoading;
    for (const step of this.#steps) step.disabled = find.count === 0;
    this.#keepFocus();
  }

  /**
   * Shows a line about a match that isn't in the drawn text: `word` says where the match is. If `showAll` is given, the
   * line has a button that calls it. Without `word`, hides the line.
   */
  showHiddenMatch(word?: 'matchNotShown' | 'matchInNote', showAll?: () => void): void {
    if (document.hasFocus() && this.#hiddenMatch.contains(document.activeElement)) this.#field.focus();
    this.#hiddenMatch.hidden = word === undefined;
    if (!word) return;
    this.#hiddenMatch.replaceChildren(element('bdi', {}, this.#strings.get(word)));
    if (!showAll) return;
    const button = element('button', { type: 'button', class: 'link-button' }, this.#strings.get('showAll'));
    button.addEventListener('click', showAll);
    this.#hiddenMatch.append(' ', button);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Focuses the field if the control that has the focus was disabled or hidden. */
  #keepFocus(): void {
    const { activeElement } = document;
    // In a browser, the element stays active while the user types in another frame.
    if (!document.hasFocus() || !activeElement || activeElement === this.#field) return;
    if (!this.node.contains(activeElement)) return;
    if (activeElement.matches(':disabled') || !activeElement.checkVisibility()) this.#field.focus();
  }

  #switch(picture: IconName, name: string): HTMLButtonElement {
    const button = iconButton(picture, name, () => {
      button.setAttribute('aria-checked', String(button.getAttribute('aria-checked') !== 'true'));
      this.#controller.search(this.input);
    });
    button.replaceChildren(icon(picture));
    button.setAttribute('role', 'checkbox');
    button.setAttribute('aria-checked', 'false');
    return button;
  }

  #pressed(event: KeyboardEvent): void {
    if (isComposing(event)) return;
    const letters: Readonly<Record<string, HTMLButtonElement>> = {
      c: this.#switches.isCase,
      w: this.#switches.isWord,
      r: this.#switches.isRegex,
    };
    const letter = event.altKey && !event.ctrlKey ? letters[letterOf(event)] : undefined;
    if (event.key === 'Escape') this.#controller.close();
    else if (event.key === 'Enter' && event.target === this.#field) this.#controller.step(event.shiftKey ? -1 : 1);
    else if (letter) letter.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
