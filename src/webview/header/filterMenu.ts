import type { PageReading } from '../../shared/protocol/pageModel.ts';
import type { PageMessage } from '../../shared/protocol/pageMessages.ts';
import type { PageLens } from '../../shared/protocol/readingProtocol.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { element, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

export type FilterRole = Extract<PageMessage, { type: 'setReading' }>['hiddenRoles'][number];

/** Applies the filter that the user chose. */
export interface FilterTarget {
  setFilter(lens: PageLens, hiddenRoles: readonly FilterRole[]): void;
}

const lenses: readonly PageLens[] = ['answers', 'work', 'everything'];
const roles: readonly FilterRole[] = ['user', 'assistant', 'tool', 'system'];

/** Which messages are shown: a button with a menu, and a line that summarizes the filter. */
export class FilterMenu implements Disposable {
  readonly button: HTMLButtonElement;
  readonly summary = element('div', { class: 'page-reading', dir: 'auto', hidden: true });
  readonly #words: Words;
  readonly #target: FilterTarget;
  readonly #menu: PopupMenu;
  #filter: PageReading = { lens: 'work', hiddenRoles: [] };

  constructor(words: Words, target: FilterTarget) {
    this.#words = words;
    this.#target = target;
    const name = words.say('filterMessages');
    this.button = iconButton('filter', name, () => undefined);
    this.#menu = new PopupMenu(this.button, name, () => this.#items());
  }

  /** The current filter, for screen readers. */
  get label(): string {
    return this.#filter.summary ?? this.#words.say(this.#filter.lens);
  }

  show(filter: PageReading): void {
    this.#filter = filter;
    const isDefault = filter.lens === 'work' && filter.hiddenRoles.length === 0;
    this.button.replaceChildren(icon(isDefault ? 'filter' : 'filterFilled'));
    setText(this.summary, filter.summary ?? '');
    this.summary.title = filter.summary ?? '';
    this.summary.hidden = filter.summary === undefined;
  }

  dispose(): void {
    this.#menu.dispose();
  }

  #items(): MenuItem[] {
    const { lens: shown } = this.#filter;
    const hidden = roles.filter((role) => this.#filter.hiddenRoles.includes(role));
    const lensItem = (lens: PageLens): MenuItem => ({
      label: this.#words.say(lens),
      kind: 'radio',
      isChecked: lens === shown,
      run: () => this.#target.setFilter(lens, hidden),
    });
    const roleItem = (role: FilterRole, index: number): MenuItem => {
      const isShown = !hidden.includes(role);
      const next = isShown ? [...hidden, role] : hidden.filter((other) => other !== role);
      return {
        label: this.#words.say(role),
        kind: 'check',
        isChecked: isShown,
        startsGroup: index === 0,
        run: () => this.#target.setFilter(shown, next),
      };
    };
    return [...lenses.map(lensItem), ...roles.map(roleItem)];
  }
}
