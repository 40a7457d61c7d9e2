import type { UsageContent, UsageTable } from '../../shared/protocol/usageMessages.ts';
import { appendAll, element } from '../dom/element.ts';
import { chartNode } from './chart.ts';

interface Part {
  readonly text: string;
  readonly node: HTMLElement;
}

/** The usage page: facts, charts, and tables with the numbers of the charts. */
export class UsageView {
  readonly #root: HTMLElement;
  readonly #onExport: () => void;
  #parts: readonly Part[] = [];

  constructor(parent: HTMLElement, onExport: () => void) {
    this.#root = element('main', { class: 'usage' });
    this.#onExport = onExport;
    parent.append(this.#root);
  }

  /**
   * Redraws only the parts that changed, so that the others keep their focus and scroll position. If the number of
   * parts changed, redraws all of them.
   */
  show(usage: UsageContent): void {
    const { facts, charts, tables, empty, heading, title, exportLabel } = usage;
    const draw: (readonly [unknown, () => HTMLElement])[] = [
      [[heading, title, exportLabel, empty === undefined], () => this.#head(usage)],
      ...(empty === undefined
        ? [
            [facts, () => factsNode(usage)] as const,
            ...charts.map((chart) => [chart, () => chartNode(chart)] as const),
            ...tables.map((table) => [table, () => tableNode(table)] as const),
          ]
        : [[empty, () => element('p', { class: 'usage-empty' }, empty)] as const]),
    ];
    const before = draw.length === this.#parts.length ? this.#parts : [];
    this.#parts = draw.map(([content, make], place) => {
      const text = JSON.stringify(content);
      const known = before[place];
      if (known?.text === text) return known;
      const node = make();
      if (known) replaceInPlace(known.node, node);
      return { text, node };
    });
    if (before.length === 0) this.#root.replaceChildren(...this.#parts.map(({ node }) => node));
  }

  #head({ heading, title, exportLabel, empty }: UsageContent): HTMLElement {
    const button = element('button', { class: 'usage-export', type: 'button' }, exportLabel);
    button.addEventListener('click', this.#onExport);
    const headline = element('h1', { dir: 'auto' }, `${heading}: ${title}`);
    return element('header', { class: 'usage-head' }, headline, ...(empty === undefined ? [button] : []));
  }
}

/** Replaces a node, and keeps the focus and the scroll positions inside it. */
function replaceInPlace(before: HTMLElement, after: HTMLElement): void {
  const interactive = 'button, .table-frame';
  const [olds, news] = [
    before.querySelectorAll<HTMLElement>(interactive),
    after.querySelectorAll<HTMLElement>(interactive),
  ];
  const focused = [...olds].findIndex((node) => node === document.activeElement);
  const scrolled = [...olds].map((node) => node.scrollLeft);
  before.replaceWith(after);
  for (const [place, node] of news.entries()) {
    node.scrollLeft = scrolled[place] ?? 0;
    if (place === focused) node.focus({ preventScroll: true });
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
  const table = element('table', {}, element('thead', {}, head), element('tbody'));
  appendAll(table.tBodies[0] ?? table, body);
  table.prepend(element('caption', { class: 'visually-hidden' }, caption));
  // A wide table scrolls horizontally, so it must be focusable for keyboard users.
  const frame = element('div', { class: 'table-frame', tabindex: 0, role: 'region', 'aria-label': caption }, table);
  return element('section', {}, heading, frame);
}
