import type { PageRow } from '../../shared/protocol/pageModel.ts';
import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import { setPlace, type PlaceTools } from './rowParts.ts';

/** The row that stands for several messages of tools, which follow it once it is opened. */
export class GroupView {
  readonly node = element('article', { class: 'row is-group', 'data-role': 'tool' });
  readonly #tools: PlaceTools;
  readonly #button = element('button', { type: 'button', class: 'fold-button', 'aria-expanded': 'false' });
  readonly #label = element('bdi', { class: 'fold-title' });
  #key = '';

  constructor(tools: PlaceTools, toggle: (key: string) => void) {
    this.#tools = tools;
    this.#button.append(icon('chevronRight', 'fold-mark'), icon('tools'), this.#label);
    this.#button.addEventListener('click', () => toggle(this.#key));
    this.node.append(this.#button);
  }

  show(row: PageRow): void {
    const { label, isOpen, hasErrors } = row.group ?? { label: row.roleLabel, isOpen: false, hasErrors: false };
    this.#key = row.key;
    this.node.setAttribute('aria-label', label);
    this.node.classList.toggle('has-errors', hasErrors);
    this.#button.setAttribute('aria-expanded', String(isOpen));
    setText(this.#label, label);
    setPlace(this.node, row, this.#tools);
  }
}
