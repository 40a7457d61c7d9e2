import type { ComposerHostMessage, PageSuggestion, SuggestionKind } from '../../shared/protocol/composerProtocol.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import { type Child, element, setAttribute, setText } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import type { Words } from '../strings.ts';
import { isComposing, type ComposerTextField } from './textField.ts';

const listId = 'composer-suggestions';
const optionId = (index: number) => `${listId}-${index}`;

/** The list under a text that is being completed: a list box that the field owns, so that the caret stays where it is. */
export class SuggestionList {
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
    // The focus stays in the field.
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

  /** In order, while the list is open. */
  get shown(): readonly PageSuggestion[] {
    return this.#shown;
  }

  /** The suggestion that Enter takes. */
  get current(): PageSuggestion | undefined {
    return this.isOpen ? this.#shown[this.#current] : undefined;
  }

  /** Shows suggestions, or why there are none. */
  show(name: string, suggestions: readonly PageSuggestion[], note: string): void {
    setAttribute(this.#list, 'aria-label', name);
    this.#draw(suggestions);
    this.#list.hidden = suggestions.length === 0;
    setText(this.#note, suggestions.length === 0 ? note : '');
    this.#note.hidden = this.#note.textContent === '';
    this.node.hidden = suggestions.length === 0 && note === '';
    setAttribute(this.#field, 'aria-controls', suggestions.length > 0 ? listId : undefined);
  }

  /** Leaves out what does not fit any longer; closes with the last. */
  keep(fitting: readonly PageSuggestion[]): void {
    if (fitting.length === this.#shown.length) return;
    if (fitting.length === 0) this.close();
    else this.#draw(fitting);
  }

  /** Makes another one current: the first, or one further on; the ends meet. */
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
  const name = element('bdi', { class: 'suggestion-label' }, ...marked(label, new Set(matches)));
  const place = element('bdi', { class: 'suggestion-detail' }, detail);
  return element('li', { id: optionId(index), role: 'option', class: 'suggestion', title: detail }, name, place);
}

/** The label with what matches set off. */
function marked(label: string, matches: ReadonlySet<number>): Child[] {
  const parts: { text: string; isMatch: boolean }[] = [];
  for (let index = 0; index < label.length; index++) {
    const isMatch = matches.has(index);
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += label.charAt(index);
    else parts.push({ text: label.charAt(index), isMatch });
  }
  return parts.map(({ text, isMatch }) => (isMatch ? element('b', {}, text) : text));
}

/** The host is asked so long after the last key; for the sign itself at once. */
const askDelayMs = 60;
const longestQuery = 100;

/** What is being completed: from the sign to the caret. */
interface Token {
  readonly kind: SuggestionKind;
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

export interface CompletionHooks {
  readonly ask: (requestId: number, kind: SuggestionKind, query: string) => void;
  readonly take: (kind: SuggestionKind, suggestionId: string) => void;
  readonly announce: (text: string) => void;
}

/** Completes files after `@` and snippets after `/` at the start: the host finds them, the caret stays in the field. */
export class Completion implements Disposable {
  readonly #field: ComposerTextField;
  readonly #words: Words;
  readonly #hooks: CompletionHooks;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  readonly #list: SuggestionList;
  #requestId = 0;
  #token: Token | undefined;
  /** What the shown list answers; the text goes on while the host looks. */
  #asked = '';
  /** Where a list was put away; it stays so while that is being typed. */
  #refusedStart: number | undefined;

  constructor(field: ComposerTextField, words: Words, hooks: CompletionHooks) {
    this.#field = field;
    this.#words = words;
    this.#hooks = hooks;
    this.#list = new SuggestionList(field.node, (suggestion) => this.#accept(suggestion));
    listen(this.#disposables, field.node, 'input', () => this.#look());
    listen(this.#disposables, field.node, 'compositionend', () => this.#look());
    listen(this.#disposables, field.node, 'pointerdown', () => this.close());
    listen(this.#disposables, field.node, 'blur', () => this.close());
  }

  get node(): HTMLElement {
    return this.#list.node;
  }

  /** @returns whether the key press was dealt with. */
  pressed(event: KeyboardEvent): boolean {
    if (!this.#list.isOpen || isComposing(event)) return false;
    const isPlain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    const { current } = this.#list;
    if (event.key === 'Escape') this.#refuse();
    else if (!isPlain || !current) return this.#leaveOn(event.key);
    else if (event.key === 'ArrowDown') this.#list.move(1);
    else if (event.key === 'ArrowUp') this.#list.move(-1);
    else if (event.key === 'Enter' || event.key === 'Tab') this.#accept(current);
    else return this.#leaveOn(event.key);
    event.preventDefault();
    return true;
  }

  /** The host's answer; only to what was asked last. */
  show({ requestId, suggestions, note }: Extract<ComposerHostMessage, { type: 'suggestions' }>): void {
    const token = this.#token;
    if (requestId !== this.#requestId || !token) return;
    const name = this.#words.say(token.kind === 'file' ? 'suggestedFiles' : 'snippets');
    const wasOpen = this.#list.isOpen;
    const isAnswered = token.query === this.#asked;
    this.#list.show(name, isAnswered ? suggestions : fitting(suggestions, token), isAnswered ? note : '');
    if (!isAnswered) return;
    if (suggestions.length === 0) this.#hooks.announce(note);
    else if (!wasOpen) this.#hooks.announce(name);
  }

  close(): void {
    this.#timer.dispose();
    this.#token = undefined;
    this.#list.close();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #look(): void {
    const { text, selectionStart, selectionEnd } = this.#field.draft;
    const token = selectionStart === selectionEnd ? tokenBefore(text, selectionStart) : undefined;
    if (token?.start !== this.#refusedStart) this.#refusedStart = undefined;
    if (!token || this.#refusedStart !== undefined) {
      this.close();
      return;
    }
    this.#token = token;
    // Enter takes what fits the text as it is now, also before the host has answered.
    if (token.query !== this.#asked) this.#list.keep(fitting(this.#list.shown, token));
    this.#timer.set(token.query === '' ? 0 : askDelayMs, () => {
      this.#requestId++;
      this.#asked = token.query;
      this.#hooks.ask(this.#requestId, token.kind, token.query);
    });
  }

  #accept(suggestion: PageSuggestion): void {
    const token = this.#token;
    this.close();
    if (!token) return;
    // The text may have gone on since the list was asked for.
    this.#field.write(suggestion.insertion, token.start, this.#field.draft.selectionEnd);
    this.#field.flush();
    this.close();
    this.#hooks.take(token.kind, suggestion.suggestionId);
  }

  #refuse(): void {
    this.#refusedStart = this.#token?.start;
    this.close();
  }

  /** Keys that move the caret away from what is being completed. */
  #leaveOn(key: string): false {
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'].includes(key)) this.close();
    return false;
  }
}

/** Those of an earlier list that the letters typed since can still mean: they stand in them in this order. */
function fitting(suggestions: readonly PageSuggestion[], { kind, query }: Token): readonly PageSuggestion[] {
  const letters = Array.from(query.toLowerCase());
  return suggestions.filter(({ label, detail }) => {
    const text = (kind === 'file' ? `${detail}/${label}` : label).toLowerCase();
    let from = 0;
    return letters.every((letter) => (from = text.indexOf(letter, from) + 1) > 0);
  });
}

function tokenBefore(text: string, caret: number): Token | undefined {
  const before = text.slice(Math.max(0, caret - longestQuery), caret);
  const file = /(?:^|[\s(["'])@([^\s@]*)$/u.exec(before);
  if (file) {
    const query = file[1] ?? '';
    return { kind: 'file', start: caret - query.length - 1, end: caret, query };
  }
  const snippet = caret <= longestQuery ? /^\/([^\s/]*)$/u.exec(text.slice(0, caret)) : null;
  return snippet ? { kind: 'snippet', start: 0, end: caret, query: snippet[1] ?? '' } : undefined;
}
