import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from './listen.ts';
import { element, setAttribute, setText } from './element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';

/** An item of a menu. */
export interface MenuItem {
  readonly label: string;
  /** Whether an option of a group is chosen; absent for an action. */
  readonly isChecked?: boolean;
  readonly picture?: IconName;
  /** Additional text, for example why the item is disabled. */
  readonly detail?: string;
  /** If false, the item is shown but can't be chosen. */
  readonly isEnabled?: boolean;
  /** Whether a separator precedes the item. */
  readonly startsGroup?: boolean;
  readonly run: () => void;
}

/** Optional features of a menu. */
interface MenuExtras {
  /** A hint below the items. */
  readonly tip?: string;
  /** Called when the menu opens. Details that are only known later can be shown with {@link PopupMenu.refresh}. */
  readonly onOpen?: () => void;
}

/**
 * The menu of a button, with the keys of VS Code's menus. It is created when it opens and removed when it closes. It is
 * shown in the top layer, so that no row clips it.
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
    // These listeners live as long as the button, so they never have to be removed.
    button.addEventListener('click', () => (this.#menu ? this.#close() : this.#open()));
    button.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      this.#open();
    });
  }

  /**
   * Adds a menu to a button. The menu doesn't have to be disposed: while it is closed, only the button refers to it.
   */
  static attach(button: HTMLElement, label: string, items: () => readonly MenuItem[]): void {
    new PopupMenu(button, label, items);
  }

  /**
   * Updates the details of the items of an open menu, and which items are enabled. The number and the order of the
   * items must stay the same.
   */
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
    const { tip, onOpen } = this.#extras;
    if (tip !== undefined) menu.append(element('p', { class: 'popup-tip', role: 'presentation', dir: 'auto' }, tip));
    menu.addEventListener('keydown', (event) => this.#pressed(event, menu));
    // The browser closes a popover on a click elsewhere or Escape.
    menu.addEventListener('toggle', (event) => {
      if (event instanceof ToggleEvent && event.newState === 'closed' && this.#menu === menu) this.#remove();
    });
    this.#menu = menu;
    this.#whileOpen = new Disposables();
    listen(this.#whileOpen, window, 'blur', () => this.#remove());
    // Inside the page's landmark, so that screen readers can find it by landmark.
    (this.#button.closest('main') ?? document.body).append(menu);
    menu.showPopover();
    this.#place(menu);
    this.#button.setAttribute('aria-expanded', 'true');
    const items = itemsOf(menu);
    (items.find((item) => item.getAttribute('aria-checked') === 'true') ?? items[0])?.focus();
    onOpen?.();
  }

  #draw(item: MenuItem): HTMLElement[] {
    const { label, isChecked, picture, startsGroup, run } = item;
    const role = isChecked === undefined ? 'menuitem' : 'menuitemradio';
    const button = element('button', { type: 'button', role, tabindex: -1, class: 'popup-item' });
    if (isChecked !== undefined) button.setAttribute('aria-checked', String(isChecked));
    const shown = isChecked ? 'check' : picture;
    const detail = element('span', { class: 'popup-detail', dir: 'auto' });
    const text = element('span', { class: 'popup-words' }, element('span', { dir: 'auto' }, label), ' ', detail);
    button.append(shown ? icon(shown) : element('span', { class: 'icon' }), text);
    describe(button, item);
    button.addEventListener('click', () => {
      if (button.getAttribute('aria-disabled') === 'true') return;
      this.#close();
      run();
    });
    return startsGroup ? [element('div', { role: 'separator', class: 'popup-line' }), button] : [button];
  }

  /** Places the menu below the button or, if there is no room, above it: aligned with the button's end, and in view. */
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

/**
 * Updates the detail of an item, and whether the item is enabled. A disabled item stays reachable by keyboard, so that
 * its detail can be read.
 */
function describe(button: HTMLElement, { detail = '', isEnabled = true }: MenuItem): void {
  setAttribute(button, 'aria-disabled', isEnabled ? undefined : 'true');
  const node = button.querySelector('.popup-detail');
  if (node) setText(node, detail);
}

function itemsOf(menu: HTMLElement): HTMLButtonElement[] {
  return [...menu.querySelectorAll('button')];
}
