import type { PageOlder } from '../../shared/protocol/pageModel.ts';
import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';

/** The line before the first message: loads older ones, or says that they are being loaded or were not. */
export class OlderView {
  readonly node = element('div', { class: 'older' });
  readonly #button = element('button', { type: 'button', class: 'link-button' });
  readonly #label = element('bdi');
  readonly #spinner = icon('loading', 'is-spinning');
  readonly #cancel: HTMLButtonElement;
  readonly #load: () => void;
  #state: PageOlder['state'] = 'none';
  #count: number | undefined = 0;
  #isAsked = false;

  /** @param cancelLabel the name of the button that calls `cancel`, while much is being loaded. */
  constructor(load: () => void, cancel: () => void, cancelLabel: string) {
    this.#load = load;
    this.#cancel = element('button', { type: 'button', class: 'link-button' }, cancelLabel);
    this.#cancel.addEventListener('click', cancel);
    this.#button.addEventListener('click', load);
    this.#button.append(this.#label);
  }

  get state(): PageOlder['state'] {
    return this.#state;
  }

  /** How many messages come before the first row; undefined where that is not known. */
  get count(): number | undefined {
    return this.#count;
  }

  /** The reader comes near: loads by itself, once for each answer, and not again after a failure. */
  approach(): void {
    if (this.#state !== 'more' || this.#isAsked) return;
    this.#isAsked = true;
    this.#load();
  }

  show(older: PageOlder): void {
    this.#isAsked = false;
    const isLoading = older.state === 'loading';
    this.#state = older.state;
    this.#count = older.state === 'none' ? 0 : older.count;
    this.node.dataset['state'] = older.state;
    this.#button.disabled = isLoading;
    setText(this.#label, older.label);
    if (older.state === 'none') this.node.replaceChildren();
    else {
      const cancel = older.canCancel === true ? [this.#cancel] : [];
      const hadFocus = document.activeElement === this.#cancel;
      this.node.replaceChildren(...(isLoading ? [this.#spinner] : []), this.#button, ...cancel);
      if (hadFocus) (cancel[0] ?? this.#button).focus();
    }
  }
}
