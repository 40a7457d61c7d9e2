import type { PageReading } from '../../shared/protocol/pageModel.ts';
import type { PageMessage } from '../../shared/protocol/pageMessages.ts';
import type { PageLens } from '../../shared/protocol/readingProtocol.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { element, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Words } from '../strings.ts';

type Role = Extract<PageMessage, { type: 'setReading' }>['hiddenRoles'][number];

/** Takes over how the person wants to read. */
export type ChooseReading = (lens: PageLens, hiddenRoles: readonly Role[]) => void;

const lenses: readonly PageLens[] = ['answers', 'work', 'everything'];
const roles: readonly Role[] = ['user', 'assistant', 'tool', 'system'];

/** Which messages are shown: the button with its menu, and the line that says what is left out. */
export class ReadingMenu implements Disposable {
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
    const hidden = roles.filter((role) => this.#reading.hiddenRoles.includes(role));
    const lensItem = (lens: PageLens): MenuItem => ({
      label: this.#words.say(lens),
      kind: 'radio',
      isChecked: lens === shown,
      run: () => this.#choose(lens, hidden),
    });
    const roleItem = (role: Role, index: number): MenuItem => {
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
    return [...lenses.map(lensItem), ...roles.map(roleItem)];
  }
}
