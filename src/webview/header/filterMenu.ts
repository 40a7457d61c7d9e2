import type { PageFilter } from '../../shared/protocol/pageModel.ts';
import { detailLevels, type DetailLevel } from '../../shared/protocol/vocabulary.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import type { Announcer } from '../dom/announcer.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import { sameValue } from '../../shared/equality.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { PopupMenu, type MenuItem } from '../dom/popupMenu.ts';
import type { Strings } from '../strings.ts';

/** Applies the filter that the user chose. */
export interface FilterTarget {
  setFilter(detailLevel: DetailLevel): void;
}

/** The controls for the message filter: a button with a menu, and a line that summarizes the filter. */
export class FilterMenu implements Disposable {
  readonly button: HTMLButtonElement;
  readonly summary = element('div', { class: 'page-note page-filter', dir: 'auto', hidden: true });
  readonly #strings: Strings;
  readonly #target: FilterTarget;
  readonly #menu: PopupMenu;
  readonly #announcer: Announcer;
  #filter: PageFilter | undefined;

  constructor(strings: Strings, target: FilterTarget, announcer: Announcer) {
    this.#announcer = announcer;
    this.#strings = strings;
    this.#target = target;
    const name = strings.get('filterMessages');
    this.button = iconButton('filter', name, () => undefined);
    this.#menu = new PopupMenu(this.button, name, () => this.#items());
  }

  /** Shows the filter, and announces a new detail level to screen readers. */
  show(filter: PageFilter): void {
    const before = this.#filter;
    if (sameValue(before, filter)) return;
    this.#filter = filter;
    if (before && before.detailLevel !== filter.detailLevel)
      this.#announcer.announce(filter.summary ?? this.#strings.get(filter.detailLevel));
    const isDefault = filter.detailLevel === 'work';
    this.button.replaceChildren(icon(isDefault ? 'filter' : 'filterFilled'));
    setText(this.summary, filter.summary ?? '');
    setAttribute(this.summary, 'title', filter.summary);
    this.summary.hidden = filter.summary === undefined;
  }

  dispose(): void {
    this.#menu.dispose();
  }

  #items(): MenuItem[] {
    if (!this.#filter) return [];
    const shown = this.#filter.detailLevel;
    return detailLevels.map((detailLevel) => ({
      label: this.#strings.get(detailLevel),
      isChecked: detailLevel === shown,
      run: () => this.#target.setFilter(detailLevel),
    }));
  }
}
