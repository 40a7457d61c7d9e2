import type { PageSuggestion } from '../../shared/protocol/composerProtocol.ts';
import { type Child, element, setAttribute, setText } from '../dom/element.ts';

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
