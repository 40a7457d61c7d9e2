import { element } from '../element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/pictures.ts';
import { Owner, type Owned } from '../ownership.ts';
import type { Words } from '../words.ts';

/** What can be attached from here; the host knows which file and which selection that is. */
export type Attachable = 'file' | 'selection' | 'pick';

const choices = [
  { what: 'file', word: 'attachFile', picture: 'file' },
  { what: 'selection', word: 'attachSelection', picture: 'selection' },
  { what: 'pick', word: 'attachPick', picture: 'goToFile' },
] as const satisfies readonly { what: Attachable; word: string; picture: IconName }[];

/** The Attach button with its small menu, used by keyboard as the editor's own menus are. */
export class AttachMenu implements Owned {
  readonly node = element('div', { class: 'attach' });
  readonly #button: HTMLButtonElement;
  readonly #menu: HTMLDivElement;
  readonly #owner = new Owner();

  constructor(words: Words, attach: (what: Attachable) => void) {
    const name = words.say('attach');
    this.#button = element(
      'button',
      { type: 'button', class: 'icon-button', title: name, 'aria-label': name, 'aria-haspopup': 'menu' },
      icon('attach'),
    );
    this.#menu = element('div', { class: 'menu', role: 'menu', 'aria-label': name, hidden: true });
    for (const choice of choices) {
      const item = element('button', { type: 'button', role: 'menuitem', tabindex: -1, class: 'menu-item' });
      item.append(icon(choice.picture), element('span', {}, words.say(choice.word)));
      item.addEventListener('click', () => {
        this.#close();
        attach(choice.what);
      });
      this.#menu.append(item);
    }
    this.node.append(this.#button, this.#menu);
    this.#button.setAttribute('aria-expanded', 'false');
    this.#button.addEventListener('click', () => (this.#menu.hidden ? this.#open() : this.#close()));
    this.#owner.listen(this.node, 'keydown', (event) => this.#pressed(event));
    this.#owner.listen(document, 'pointerdown', (event) => {
      if (event.target instanceof Node && !this.node.contains(event.target)) this.#hide();
    });
    this.#owner.listen(window, 'blur', () => this.#hide());
  }

  dispose(): void {
    this.#owner.dispose();
  }

  #open(): void {
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
    const items = [...this.#menu.children];
    const current = items.findIndex((item) => item === document.activeElement);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = steps[event.key];
    if (next !== undefined) this.#focusItem(next);
    else if (event.key === 'Escape') this.#close();
    else if (event.key === 'Tab') this.#hide();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  }

  #focusItem(index: number): void {
    const items = this.#menu.querySelectorAll('button');
    items[(index + items.length) % items.length]?.focus();
  }
}
