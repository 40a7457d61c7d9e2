import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { element, setAttribute, setText } from './element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';

/** One entry of a menu. */
export interface MenuItem {
  readonly label: string;
  /** One of several (`radio`) or one by itself (`check`) that is on or off; otherwise something to do. */
  readonly kind?: 'radio' | 'check';
  readonly isChecked?: boolean;
  readonly picture?: IconName;
  /** More about it, or why it cannot be chosen. */
  readonly detail?: string;
  /** False: it is there to be read, and cannot be chosen. */
  readonly isEnabled?: boolean;
  /** A line above it sets it apart from the items before. */
  readonly isApart?: boolean;
  readonly run: () => void;
}

/** What a menu may have besides its items. */
export interface MenuExtras {
  /** A line under the items. */
  readonly tip?: string;
  /** The menu was opened: what is known of its items only now is shown with {@link PopupMenu.refresh}. */
  readonly opened?: () => void;
}

/**
 * A menu at a button, used by keyboard as the editor's own menus are. It is made when it is opened and gone when it
 * closes; it lies above everything, so that no row cuts it off.
 */
export class PopupMenu implements Disposable {
  readonly #button: HTMLElement;
  readonly #label: string;
  readonly #items: () => readonly MenuItem[];
  readonly #extras: MenuExtras;
  #whileOpen = new Disposables();
  #menu: HTMLElement | undefined;

  constructor(button: HTMLElement, label: string, items: () => readonly MenuItem[], extras: MenuExtras = {}) {
    this.#button = button;
    this.#label = label;
    this.#items = items;
    this.#extras = extras;
    button.setAttribute('aria-haspopup', 'menu');
    button.setAttribute('aria-expanded', 'false');
    // They live as long as the button.
    button.addEventListener('click', () => (this.#menu ? this.#close() : this.#open()));
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.#open();
    });
  }

  /** Gives a button a menu that needs no owner: while it is closed, nothing but the button knows of it. */
  static at(button: HTMLElement, label: string, items: () => readonly MenuItem[]): void {
    new PopupMenu(button, label, items);
  }

  /** Shows what is known of the items now, if the menu is open; they stay the same ones in the same order. */
  refresh(): void {
    const menu = this.#menu;
    if (!menu) return;
    const buttons = itemsOf(menu);
    for (const [index, item] of this.#items().entries()) {
      const button = buttons[index];
      if (button) describe(button, item);
    }
    this.#place(menu);
  }

  dispose(): void {
    this.#remove();
  }

  #open(): void {
    this.#remove();
    const menu = element('div', { class: 'popup-menu', role: 'menu', 'aria-label': this.#label, popover: 'auto' });
    for (const item of this.#items()) menu.append(...this.#draw(item));
    const { tip, opened } = this.#extras;
    if (tip !== undefined) menu.append(element('p', { class: 'popup-tip', role: 'presentation', dir: 'auto' }, tip));
    menu.addEventListener('keydown', (event) => this.#pressed(event, menu));
    // The editor's own way to close: a press elsewhere, or Escape.
    menu.addEventListener('toggle', (event) => {
      if (event instanceof ToggleEvent && event.newState === 'closed' && this.#menu === menu) this.#remove();
    });
    this.#menu = menu;
    this.#whileOpen = new Disposables();
    listen(this.#whileOpen, window, 'blur', () => this.#remove());
    // Within the page's landmark, for who goes from one to the next.
    (this.#button.closest('main') ?? document.body).append(menu);
    menu.showPopover();
    this.#place(menu);
    this.#button.setAttribute('aria-expanded', 'true');
    const items = itemsOf(menu);
    (items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
    opened?.();
  }

  #draw(item: MenuItem): HTMLElement[] {
    const { label, kind, isChecked, picture, isApart, run } = item;
    const role = kind === 'radio' ? 'menuitemradio' : kind === 'check' ? 'menuitemcheckbox' : 'menuitem';
    const button = element('button', { type: 'button', role, tabindex: -1, class: 'popup-item' });
    if (kind) button.setAttribute('aria-checked', String(isChecked === true));
    const shown = kind ? (isChecked ? 'check' : undefined) : picture;
    const detail = element('span', { class: 'popup-detail', dir: 'auto' });
    const words = element('span', { class: 'popup-words' }, element('span', { dir: 'auto' }, label), ' ', detail);
    button.append(shown ? icon(shown) : element('span', { class: 'icon' }), words);
    describe(button, item);
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      this.#close();
      run();
    });
    return isApart ? [element('div', { role: 'separator', class: 'popup-line' }), button] : [button];
  }

  /** Below the button and ending where it ends, or above where there is no room; never outside of the page. */
  #place(menu: HTMLElement): void {
    const at = this.#button.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const isBelow = at.bottom + height + 2 <= innerHeight || at.top < height;
    const left = getComputedStyle(this.#button).direction === 'rtl' ? at.left : at.right - width;
    const top = isBelow ? at.bottom + 2 : at.top - height - 2;
    menu.style.setProperty('left', `${Math.round(Math.max(4, Math.min(left, innerWidth - width - 4)))}px`);
    menu.style.setProperty('top', `${Math.round(Math.max(4, Math.min(top, innerHeight - height - 4)))}px`);
  }

  #close(): void {
    this.#remove();
    this.#button.focus();
  }

  #remove(): void {
    const menu = this.#menu;
    this.#menu = undefined;
    menu?.remove();
    this.#whileOpen.dispose();
    this.#button.setAttribute('aria-expanded', 'false');
  }

  #pressed(event: KeyboardEvent, menu: HTMLElement): void {
    const items = itemsOf(menu);
    const current = items.findIndex((item) => item === document.activeElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) items[(next + items.length) % items.length]?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.#close();
    else return;
    event.stopPropagation();
    if (event.key !== 'Tab') event.preventDefault();
  }
}

/** Says what is known of an item. One that cannot be chosen stays in the order of the keyboard, for its reason. */
function describe(button: HTMLElement, { detail = '', isEnabled = true }: MenuItem): void {
  setAttribute(button, 'aria-disabled', isEnabled ? undefined : 'true');
  const node = button.querySelector('.popup-detail');
  if (node) setText(node, detail);
}

function itemsOf(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll('button')];
}
