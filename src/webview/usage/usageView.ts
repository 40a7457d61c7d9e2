import type { UsageContent, UsageTable } from '../../pageContent.ts';
import { element } from '../element.ts';
import { chartNode } from './chart.ts';

/** The usage page: facts, charts, and the tables that say the same in numbers. */
export class UsageView {
  readonly #root: HTMLElement;
  readonly #onExport: () => void;
  #shown = '';

  constructor(parent: HTMLElement, onExport: () => void) {
    this.#root = element('main', { class: 'usage' });
    this.#onExport = onExport;
    parent.append(this.#root);
  }

  /** Draws what is new; the same content once more touches nothing. */
  show(usage: UsageContent): void {
    const text = JSON.stringify(usage);
    if (text === this.#shown) return;
    this.#shown = text;
    const hadFocus = document.activeElement instanceof HTMLButtonElement;
    const button = element('button', { class: 'usage-export', type: 'button' }, usage.exportLabel);
    button.addEventListener('click', this.#onExport);
    const heading = element('h1', { dir: 'auto' }, `${usage.heading}: ${usage.title}`);
    const body =
      usage.empty === undefined
        ? [factsNode(usage), ...usage.charts.map(chartNode), ...usage.tables.map(tableNode)]
        : [element('p', { class: 'usage-empty' }, usage.empty)];
    const head = element('header', { class: 'usage-head' }, heading, ...(usage.empty === undefined ? [button] : []));
    this.#root.replaceChildren(head, ...body);
    if (hadFocus) button.focus();
  }
}

function factsNode({ facts }: UsageContent): HTMLElement {
  const items = facts.map(({ label, value }) =>
    element('div', { class: 'fact' }, element('dt', {}, label), element('dd', { dir: 'auto' }, value)),
  );
  return element('dl', { class: 'facts' }, ...items);
}

function tableNode({ caption, columns, rows, empty }: UsageTable): HTMLElement {
  const heading = element('h2', {}, caption);
  if (rows.length === 0) return element('section', {}, heading, element('p', { class: 'usage-empty' }, empty ?? ''));
  const head = element('tr', {}, ...columns.map((column) => element('th', { scope: 'col' }, column)));
  const body = rows.map(([first = '', ...cells]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', dir: 'auto' }, first),
      ...cells.map((cell) => element('td', {}, cell)),
    ),
  );
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...body));
  table.prepend(element('caption', { class: 'visually-hidden' }, caption));
  // A wide table scrolls by itself; who uses the keyboard has to be able to get there.
  const frame = element('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption }, table);
  return element('section', {}, heading, frame);
}
