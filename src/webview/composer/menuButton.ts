import { element, setAttribute, setText } from '../element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/pictures.ts';
import { Owner, type Owned } from '../ownership.ts';

/** One entry of a menu. */
export interface MenuChoice {
  readonly id: string;
  readonly label: string;
  readonly picture: IconName;
  /** A line is drawn above it. */
  readonly startsGroup?: boolean;
}

/** What is known of an entry at the moment: more about it, or why it cannot be chosen. */
export interface ChoiceState {
  readonly detail: string;
  readonly isEnabled: boolean;
}

export interface MenuOptions {
  readonly picture: IconName;
  readonly name: string;
  /** Where the menu hangs on the button. */
  readonly side: 'start' | 'end';
  readonly choices: readonly MenuChoice[];
  readonly choose: (id: string) => void;
  /** The menu opens: what is known of its entries may be given to {@link MenuButton.describe}. */
  readonly opened?: () => void;
  /** A line under the entries. */
  readonly tip?: string;
}

interface Item {
  readonly id: string;
  readonly button: HTMLButtonElement;
  readonly detail: HTMLElement;
}

/** A button with its small menu, used by keyboard as the editor's own menus are. */
export class MenuButton implements Owned {
  readonly node = element('div', { class: 'menu-anchor' });
  readonly #options: MenuOptions;
  readonly #button: HTMLButtonElement;
  readonly #menu: HTMLDivElement;
  readonly #items: readonly Item[];
  readonly #owner = new Owner();

  constructor(options: MenuOptions) {
    this.#options = options;
    const { name, picture, side, choices, tip } = options;
    this.#button = element(
      'button',
      { type: 'button', class: 'icon-button', title: name, 'aria-label': name, 'aria-haspopup': 'menu' },
      icon(picture),
    );
    this.#button.setAttribute('aria-expanded', 'false');
    this.#menu = element('div', { class: `menu at-${side}`, role: 'menu', 'aria-label': name, hidden: true });
    this.#items = choices.map((choice) => this.#item(choice));
    if (tip !== undefined) this.#menu.append(element('p', { class: 'menu-tip', role: 'presentation' }, tip));
    this.node.append(this.#button, this.#menu);
    this.#button.addEventListener('click', () => (this.#menu.hidden ? this.#open() : this.#close()));
    this.#owner.listen(this.node, 'keydown', (event) => this.#pressed(event));
    this.#owner.listen(document, 'pointerdown', (event) => {
      if (event.target instanceof Node && !this.node.contains(event.target)) this.#hide();
    });
    this.#owner.listen(window, 'blur', () => this.#hide());
  }

  /** Says what is known of the entries; those not named can be chosen. */
  describe(states: Readonly<Record<string, ChoiceState>>): void {
    for (const { id, button, detail } of this.#items) {
      const state = states[id];
      // It stays in the order of the keyboard, so that its reason can be read.
      setAttribute(button, 'aria-disabled', state?.isEnabled === false ? 'true' : undefined);
      setText(detail, state?.detail ?? '');
      detail.title = state?.detail ?? '';
    }
  }

  dispose(): void {
    this.#owner.dispose();
  }

  #item({ id, label, picture, startsGroup }: MenuChoice): Item {
    const detail = element('span', { class: 'menu-detail', dir: 'auto' });
    const button = element(
      'button',
      { type: 'button', role: 'menuitem', tabindex: -1, class: 'menu-item' },
      icon(picture),
      element('span', { class: 'menu-label' }, label),
      detail,
    );
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      this.#close();
      this.#options.choose(id);
    });
    if (startsGroup === true) this.#menu.append(element('div', { class: 'menu-line', role: 'separator' }));
    this.#menu.append(button);
    return { id, button, detail };
  }

  #open(): void {
    this.#options.opened?.();
    this.#menu.hidden = false;
    this.#button.setAttribute('aria-expanded', 'true');
    this.#focusItem(0);
  }

  #close(): void {
    this.#hide();
    this.#button.focus();
  }

  #hide(): void {
    this.#menu.hidden = true;
    this.#button.setAttribute('aria-expanded', 'false');
  }

  #pressed(event: KeyboardEvent): void {
    if (this.#menu.hidden) {
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      this.#open();
      return;
    }
    const current = this.#items.findIndex(({ button }) => button === document.activeElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: this.#items.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) this.#focusItem(next);
    else if (event.key === 'Escape') this.#close();
    else if (event.key === 'Tab') this.#hide();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  }

  #focusItem(index: number): void {
    this.#items[(index + this.#items.length) % this.#items.length]?.button.focus();
  }
}
