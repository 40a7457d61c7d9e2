import type { PageReading } from '../../shared/protocol/pageModel.ts';
import { type DetailLevel, detailLevels, type FilterRole, filterRoles } from '../../shared/protocol/vocabulary.ts';
import { element, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { Owned } from '../dom/timers.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

/** Takes over how the person wants to read. */
export type ChooseReading = (lens: DetailLevel, hiddenRoles: readonly FilterRole[]) => void;

/** Which messages are shown: the button with its menu, and the line that says what is left out. */
export class ReadingMenu implements Owned {
  readonly button: HTMLButtonElement;
  readonly summary = element('div', { class: 'page-reading', dir: 'auto', hidden: true });
  readonly #words: Words;
  readonly #choose: ChooseReading;
  readonly #menu: PopupMenu;
  #reading: PageReading = { lens: 'work', hiddenRoles: [] };

  constructor(words: Words, choose: ChooseReading) {
    this.#words = words;
    this.#choose = choose;
    const name = words.say('filterMessages');
    this.button = iconButton('filter', name, () => undefined);
    this.#menu = new PopupMenu(this.button, name, () => this.#items());
  }

  /** What is shown now, for screen readers. */
  get said(): string {
    return this.#reading.summary ?? this.#words.say(this.#reading.lens);
  }

  show(reading: PageReading): void {
    this.#reading = reading;
    const isUsual = reading.lens === 'work' && reading.hiddenRoles.length === 0;
    this.button.replaceChildren(icon(isUsual ? 'filter' : 'filterFilled'));
    setText(this.summary, reading.summary ?? '');
    this.summary.title = reading.summary ?? '';
    this.summary.hidden = reading.summary === undefined;
  }

  dispose(): void {
    this.#menu.dispose();
  }

  #items(): MenuItem[] {
    const { lens: shown } = this.#reading;
    const hidden = filterRoles.filter((role) => this.#reading.hiddenRoles.includes(role));
    const lensItem = (lens: DetailLevel): MenuItem => ({
      label: this.#words.say(lens),
      kind: 'radio',
      isChecked: lens === shown,
      run: () => this.#choose(lens, hidden),
    });
    const roleItem = (role: FilterRole, index: number): MenuItem => {
      const isShown = !hidden.includes(role);
      const next = isShown ? [...hidden, role] : hidden.filter((other) => other !== role);
      return {
        label: this.#words.say(role),
        kind: 'check',
        isChecked: isShown,
        isApart: index === 0,
        run: () => this.#choose(shown, next),
      };
    };
    return [...detailLevels.map(lensItem), ...filterRoles.map(roleItem)];
  }
}
