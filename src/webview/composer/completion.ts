import type { PageSuggestion } from '../../shared/protocol/pageModel.ts';
import type { SuggestionKind } from '../../shared/protocol/vocabulary.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import type { Announcer } from '../dom/announcer.ts';
import { type Child, element, setAttribute, setText } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import type { Strings } from '../strings.ts';
import type { ComposerActions } from './composerActions.ts';
import { isComposing, type ComposerTextField, type KeyHandler } from './composerTextField.ts';

const listId = 'composer-suggestions';
const optionId = (index: number) => `${listId}-${index}`;

/** The list of suggestions: a list box controlled by the text field, which keeps the focus and the caret. */
class SuggestionList {
  readonly node = element('div', { class: 'suggestions', hidden: true });
  readonly #field: HTMLTextAreaElement;
  readonly #list = element('ul', { id: listId, role: 'listbox', class: 'suggestion-list' });
  readonly #note = element('p', { class: 'suggestion-note', dir: 'auto' });
  #shown: readonly PageSuggestion[] = [];
  #current = 0;

  constructor(field: HTMLTextAreaElement, choose: (suggestion: PageSuggestion) => void) {
    this.#field = field;
    this.node.append(this.#list, this.#note);
    setAttribute(field, 'aria-autocomplete', 'list');
    // Keeps the focus in the field.
    this.node.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#list.addEventListener('click', (event) => {
      const option = event.target instanceof Element ? event.target.closest('[role="option"]') : null;
      const chosen = option ? this.#shown[[...this.#list.children].indexOf(option)] : undefined;
      if (chosen) choose(chosen);
    });
  }

  get isOpen(): boolean {
    return !this.node.hidden;
  }

  /** The suggestions in order; empty while the list is closed. */
  get shown(): readonly PageSuggestion[] {
    return this.#shown;
  }

  /** The suggestion that Enter accepts; undefined if the list is closed or shows only a note. */
  get current(): PageSuggestion | undefined {
    return this.isOpen ? this.#shown[this.#current] : undefined;
  }

  /** Shows suggestions or, if there are none, `note`. Hides the list if both are empty. */
  show(name: string, suggestions: readonly PageSuggestion[], note: string): void {
    setAttribute(this.#list, 'aria-label', name);
    this.#draw(suggestions);
    this.#list.hidden = suggestions.length === 0;
    setText(this.#note, suggestions.length === 0 ? note : '');
    this.#note.hidden = this.#note.textContent === '';
    this.node.hidden = suggestions.length === 0 && note === '';
    setAttribute(this.#field, 'aria-controls', suggestions.length > 0 ? listId : undefined);
  }

  /** Keeps only the suggestions that still match. Closes the list if none does, unless it shows only a note. */
  keep(fitting: readonly PageSuggestion[]): void {
    if (fitting.length === this.#shown.length) return;
    if (fitting.length === 0) this.close();
    else this.#draw(fitting);
  }

  /** Moves the selection by this number of suggestions, wrapping around at the ends; 0 selects the first one. */
  move(by: number): void {
    const { length } = this.#shown;
    this.#current = by === 0 || length === 0 ? 0 : (this.#current + by + length) % length;
    for (const [index, node] of [...this.#list.children].entries()) {
      setAttribute(node, 'aria-selected', index === this.#current ? 'true' : 'false');
    }
    setAttribute(this.#field, 'aria-activedescendant', length > 0 ? optionId(this.#current) : undefined);
    if (by !== 0) this.#list.children[this.#current]?.scrollIntoView({ block: 'nearest' });
  }

  close(): void {
    if (!this.isOpen) return;
    this.#shown = [];
    this.node.hidden = true;
    setAttribute(this.#field, 'aria-controls', undefined);
    setAttribute(this.#field, 'aria-activedescendant', undefined);
  }

  #draw(suggestions: readonly PageSuggestion[]): void {
    this.#shown = suggestions;
    this.#list.replaceChildren(...suggestions.map(option));
    this.move(0);
  }
}

function option({ label, matches, detail }: PageSuggestion, index: number): HTMLElement {
  const name = element('bdi', { class: 'suggestion-label' }, ...highlighted(label, new Set(matches)));
  const place = element('bdi', { class: 'suggestion-detail' }, detail);
  return element('li', { id: optionId(index), role: 'option', class: 'suggestion', title: detail }, name, place);
}

/** The label with its matching characters in bold. */
function highlighted(label: string, matches: ReadonlySet<number>): Child[] {
  const parts: { text: string; isMatch: boolean }[] = [];
  for (let index = 0; index < label.length; index++) {
    const isMatch = matches.has(index);
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += label.charAt(index);
    else parts.push({ text: label.charAt(index), isMatch });
  }
  return parts.map(({ text, isMatch }) => (isMatch ? element('b', {}, text) : text));
}

/** Delay between the last key and the request. A request for the trigger character alone is sent immediately. */
const requestDelayMs = 60;
const maxQueryLength = 100;

/** The text being completed, from the trigger character to the caret. */
interface Token {
  readonly kind: SuggestionKind;
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/**
 * Completes files after `@` at the start of any word, and snippets and commands after `/` at the start of the text. The
 * host finds the suggestions.
 */
export class Completion implements KeyHandler, Disposable {
  readonly #field: ComposerTextField;
  readonly #strings: Strings;
  readonly #actions: ComposerActions;
  readonly #announcer: Announcer;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  readonly #list: SuggestionList;
  #requestId = 0;
  #token: Token | undefined;
  /** The query of the last request. The user may have continued typing since then. */
  #requestedQuery = '';
  /**
   * The start of the token that was dismissed with Escape. The list stays closed while the user continues typing this
   * token.
   */
  #dismissedStart: number | undefined;

  constructor(field: ComposerTextField, strings: Strings, actions: ComposerActions, announcer: Announcer) {
    this.#field = field;
    this.#strings = strings;
    this.#actions = actions;
    this.#announcer = announcer;
    field.addKeyHandler(this);
    this.#list = new SuggestionList(field.node, (suggestion) => this.#accept(suggestion));
    listen(this.#disposables, field.node, 'input', () => this.#update());
    listen(this.#disposables, field.node, 'compositionend', () => this.#update());
    listen(this.#disposables, field.node, 'pointerdown', () => this.close());
    listen(this.#disposables, field.node, 'blur', () => this.close());
  }

  get node(): HTMLElement {
    return this.#list.node;
  }

  pressed(event: KeyboardEvent): boolean {
    if (!this.#list.isOpen || isComposing(event)) return false;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const { current } = this.#list;
    if (event.key === 'Escape') this.#dismiss();
    else if (!isPlain || !current) return this.#closeOn(event.key);
    else if (event.key === 'ArrowDown') this.#list.move(1);
    else if (event.key === 'ArrowUp') this.#list.move(-1);
    else if (event.key === 'Enter' || event.key === 'Tab') this.#accept(current);
    else return this.#closeOn(event.key);
    event.preventDefault();
    return true;
  }

  close(): void {
    this.#timer.dispose();
    this.#token = undefined;
    this.#list.close();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #update(): void {
    const { text, selectionStart, selectionEnd } = this.#field.draft;
    const token = selectionStart === selectionEnd ? tokenBefore(text, selectionStart) : undefined;
    if (token?.start !== this.#dismissedStart) this.#dismissedStart = undefined;
    if (!token || this.#dismissedStart !== undefined) {
      this.close();
      return;
    }
    this.#token = token;
    // Enter only accepts suggestions that match the current text, even before the host has answered.
    if (token.query !== this.#requestedQuery) this.#list.keep(fitting(this.#list.shown, token));
    this.#timer.set(token.query === '' ? 0 : requestDelayMs, () => void this.#request(token));
  }

  async #request({ kind, query }: Token): Promise<void> {
    const requestId = ++this.#requestId;
    this.#requestedQuery = query;
    const answer = await this.#actions.suggest(kind, query);
    const token = this.#token;
    // An answer to an earlier request is outdated.
    if (!answer || requestId !== this.#requestId || !token) return;
    const { suggestions, note } = answer;
    const name = this.#strings.get(token.kind === 'file' ? 'suggestedFiles' : 'snippets');
    const wasOpen = this.#list.isOpen;
    const isCurrent = token.query === this.#requestedQuery;
    this.#list.show(name, isCurrent ? suggestions : fitting(suggestions, token), isCurrent ? note : '');
    if (!isCurrent) return;
    if (suggestions.length === 0) this.#announcer.announce(note);
    else if (!wasOpen) this.#announcer.announce(name);
  }

  #accept(suggestion: PageSuggestion): void {
    const token = this.#token;
    this.close();
    if (!token) return;
    // The user may have continued typing since the list was requested, so replace everything up to the caret.
    this.#field.write(suggestion.insertion, token.start, this.#field.draft.selectionEnd);
    this.#field.flush();
    this.close();
    this.#actions.takeSuggestion(token.kind, suggestion.suggestionId);
  }

  #dismiss(): void {
    this.#dismissedStart = this.#token?.start;
    this.close();
  }

  /** Closes the list for keys that move the caret out of the token. */
  #closeOn(key: string): false {
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(key)) this.close();
    return false;
  }
}

/**
 * The suggestions of an earlier answer that match the query: files whose paths contain its characters in the same
 * order, and snippets and commands whose labels contain it.
 */
function fitting(suggestions: readonly PageSuggestion[], { kind, query }: Token): readonly PageSuggestion[] {
  const wanted = query.toLowerCase();
  const letters = Array.from(wanted);
  return suggestions.filter(({ label, detail }) => {
    if (kind === 'snippet') return label.toLowerCase().includes(wanted);
    const text = `${detail}/${label}`.toLowerCase();
    let from = 0;
    return letters.every((letter) => (from = text.indexOf(letter, from) + 1) > 0);
  });
}

function tokenBefore(text: string, caret: number): Token | undefined {
  const before = text.slice(Math.max(0, caret - maxQueryLength), caret);
  const file = /(?:^|[\s(["'])@([^\s@]*)$/u.exec(before);
  if (file) {
    const query = file[1] ?? '';
    return { kind: 'file', start: caret - query.length - 1, end: caret, query };
  }
  const snippet = caret <= maxQueryLength ? /^\/([^\s/]*)$/u.exec(text.slice(0, caret)) : null;
  return snippet ? { kind: 'snippet', start: 0, end: caret, query: snippet[1] ?? '' } : undefined;
}
