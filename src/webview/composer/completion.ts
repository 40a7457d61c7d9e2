import type { ComposerHostMessage, PageSuggestion, SuggestionKind } from '../../shared/protocol/composerProtocol.ts';
import { Owner, Timer, type Owned } from '../dom/timers.ts';
import type { Words } from '../strings.ts';
import type { MessageField } from './textField.ts';
import { isComposing } from './sendKey.ts';
import { SuggestionList } from './suggestionList.ts';

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
export class Completion implements Owned {
  readonly #field: MessageField;
  readonly #words: Words;
  readonly #hooks: CompletionHooks;
  readonly #owner = new Owner();
  readonly #timer = this.#owner.own(new Timer());
  readonly #list: SuggestionList;
  #requestId = 0;
  #token: Token | undefined;
  /** What the shown list answers; the text goes on while the host looks. */
  #asked = '';
  /** Where a list was put away; it stays so while that is being typed. */
  #refusedStart: number | undefined;

  constructor(field: MessageField, words: Words, hooks: CompletionHooks) {
    this.#field = field;
    this.#words = words;
    this.#hooks = hooks;
    this.#list = new SuggestionList(field.node, (suggestion) => this.#accept(suggestion));
    this.#owner.listen(field.node, 'input', () => this.#look());
    this.#owner.listen(field.node, 'compositionend', () => this.#look());
    this.#owner.listen(field.node, 'pointerdown', () => this.close());
    this.#owner.listen(field.node, 'blur', () => this.close());
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
    this.#owner.dispose();
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
