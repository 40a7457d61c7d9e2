import type { PageOlder } from '../../shared/protocol/pageModel.ts';
import { element, setText } from '../dom/element.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';

/** The line above the first message: loads older messages, or shows that they are loading or couldn't be loaded. */
export class OlderView {
  readonly node = element('div', { class: 'older' });
  readonly #channel: SessionChannel;
  readonly #button = element('button', { type: 'button', class: 'link-button' });
  readonly #label = element('bdi');
  readonly #spinner = icon('loading', 'is-spinning');
  readonly #cancel: HTMLButtonElement;
  #state: PageOlder['state'] = 'none';
  #count: number | undefined = 0;
  #isRequested = false;

  constructor(channel: SessionChannel, strings: Strings) {
    this.#channel = channel;
    this.#cancel = element('button', { type: 'button', class: 'link-button' }, strings.get('cancel'));
    this.#cancel.addEventListener('click', () => channel.post({ type: 'cancelLoading' }));
    this.#button.addEventListener('click', () => channel.post({ type: 'loadOlder' }));
    this.#button.append(this.#label);
  }

  get state(): PageOlder['state'] {
    return this.#state;
  }

  /** Whether there is nothing to load or to report. */
  get isHidden(): boolean {
    return this.#state === 'none' || this.#state === 'unread';
  }

  /** Number of messages before the first row; undefined if unknown. */
  get count(): number | undefined {
    return this.#count;
  }

  /**
   * Call this when the user is near the start. Loads older messages, but only once per update from the host, and never
   * after a failure.
   */
  loadIfPossible(): void {
    if (this.#state !== 'more' || this.#isRequested) return;
    this.#isRequested = true;
    this.#channel.post({ type: 'loadOlder' });
  }

  show(older: PageOlder): void {
    this.#isRequested = false;
    const isLoading = older.state === 'loading';
    this.#state = older.state;
    this.#count = older.state === 'none' ? 0 : older.count;
    this.node.dataset['state'] = older.state;
    this.#button.disabled = isLoading;
    setText(this.#label, older.label);
    if (this.isHidden) this.node.replaceChildren();
    else {
      const cancel = older.canCancel === true ? [this.#cancel] : [];
      const hadFocus = document.activeElement === this.#cancel;
      this.node.replaceChildren(...(isLoading ? [this.#spinner] : []), this.#button, ...cancel);
      if (hadFocus) (cancel[0] ?? this.#button).focus();
    }
  }
}
