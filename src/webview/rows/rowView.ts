import type { PageBlock, PageRow } from '../../shared/protocol/rowTypes.ts';
import { renderBlock } from '../content/renderBlock.ts';
import { element, setAttribute } from '../dom/element.ts';
import { sameValue } from '../../shared/equality.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { deliveryView, detailsView, type RowContext, rowMenuButton, setPlace, showProgress } from './rowParts.ts';

/** The row of a message. Showing a changed message keeps the nodes of all its unchanged parts. */
export class RowView {
  readonly node = element('article', { class: 'row', tabindex: 0 });
  readonly #head = element('header', { class: 'row-head' });
  readonly #body = element('div', { class: 'row-body' });
  readonly #context: RowContext;
  #drawn: { readonly block: PageBlock; readonly node: HTMLElement }[] = [];
  #cut: HTMLElement | undefined;
  #delivery: HTMLElement | undefined;
  #details: HTMLElement | undefined;
  #row: PageRow | undefined;
  /** The version of the message that couldn't be drawn. */
  #failed: PageRow | undefined;

  constructor(context: RowContext) {
    this.#context = context;
    this.node.append(this.#head, this.#body);
  }

  /** Shows the message. If it can't be drawn, the row shows an error and the other rows aren't affected. */
  show(row: PageRow): void {
    if (this.#row === row || this.#failed === row) return;
    this.#failed = undefined;
    try {
      this.#draw(row);
    } catch (error) {
      this.#drawFailure(row, String(error).slice(0, 300));
    }
  }

  /** Shows or hides the mark of the message's bookmark. */
  showBookmark(): void {
    if (!this.#row) return;
    this.#head.querySelector('.row-bookmark')?.remove();
    this.#head.querySelector('.row-actions')?.append(...this.#bookmark(this.#row.key));
    this.#describe(this.#row);
  }

  #draw(row: PageRow): void {
    const before = this.#row;
    this.#row = row;
    this.node.dataset['role'] = row.role;
    if (row.phase) this.node.dataset['phase'] = row.phase;
    else delete this.node.dataset['phase'];
    this.node.classList.toggle('is-error', row.isError);
    this.node.classList.toggle('is-context', row.isContext === true);
    if (!before || !sameValue(headInputs(before), headInputs(row))) this.#drawHead(row);
    this.#drawBody(row);
    if (before?.cut !== row.cut) this.#drawCut(row);
    if (!sameValue(before?.delivery, row.delivery)) this.#drawDelivery(row, before);
    if (!sameValue(before?.place, row.place)) setPlace(this.node, row, this.#context);
    this.#describe(row);
  }

  /**
   * Describes the bookmark for screen readers, and sets the context of VS Code's context menu: the `when` clauses of
   * its items refer to these values.
   */
  #describe({ key, place }: PageRow): void {
    const { bookmarks, strings } = this.#context;
    setAttribute(this.node, 'aria-description', bookmarks.describe(key, strings));
    const linesideHasBranches = place?.branch !== undefined;
    const linesideHasBookmark = bookmarks.of(key) !== undefined;
    const context = { webviewSection: 'linesideMessage', messageId: key, linesideHasBranches, linesideHasBookmark };
    setAttribute(this.node, 'data-vscode-context', JSON.stringify(context));
  }

  #drawHead(row: PageRow): void {
    const { strings, folds } = this.#context;
    const moment = strings.moment(row.createdAt);
    this.node.setAttribute('aria-label', strings.get('messageLabel', row.roleLabel, moment));
    this.#head.replaceChildren(element('h2', { class: 'row-role', dir: 'auto' }, row.author ?? row.roleLabel));
    if (row.isError) this.#head.prepend(icon('error', 'row-error'));
    for (const badge of row.badges) {
      this.#head.append(element('bdi', { class: 'badge', title: badge.hint }, badge.label));
    }
    if (moment !== '') this.#head.append(this.#time(row));
    const buttons = [this.#detailsButton(row.key), rowMenuButton(row.key, this.#context)];
    this.#head.append(element('div', { class: 'row-actions' }, ...buttons, ...this.#bookmark(row.key)));
    if (folds.get(detailsName(row.key))) void this.#showDetails(row.key);
  }

  #bookmark(key: string): readonly HTMLElement[] {
    const { bookmarks, strings } = this.#context;
    return bookmarks.mark(key, strings);
  }

  #detailsButton(key: string): HTMLButtonElement {
    const { folds, strings } = this.#context;
    const name = detailsName(key);
    const button = iconButton('info', strings.get('showDetails'), () => {
      const isOpen = folds.get(name) !== true;
      folds.set(name, isOpen);
      button.setAttribute('aria-expanded', String(isOpen));
      if (isOpen) void this.#showDetails(key);
      else this.#details?.remove();
    });
    button.classList.add('row-action');
    button.setAttribute('aria-expanded', String(folds.get(name) === true));
    return button;
  }

  /** Shows the details of the message, unless the user closes them in the meantime. */
  async #showDetails(key: string): Promise<void> {
    const facts = await this.#context.channel.ask('getDetails', { key });
    if (!facts || this.#row?.key !== key || !this.#context.folds.get(detailsName(key))) return;
    this.#details?.remove();
    this.#details = detailsView(facts, this.#context);
    this.#head.after(this.#details);
  }

  #time(row: PageRow): HTMLElement {
    const { strings } = this.#context;
    const edited = row.updatedAt === undefined ? '' : strings.get('edited', strings.full(row.updatedAt));
    const hint = [strings.full(row.createdAt), edited].filter((part) => part !== '').join('\n');
    return element('time', { class: 'row-time', title: hint }, strings.time(row.createdAt));
  }

  #drawBody(row: PageRow): void {
    const next = row.blocks.map((block, index) => {
      const kept = this.#drawn[index];
      if (kept && sameValue(kept.block, block)) return kept;
      return { block, node: renderBlock(block, `${row.key}.${index}`, this.#context, row.role === 'user') };
    });
    for (const [index, { node }] of next.entries()) {
      const current = this.#body.children[index];
      if (current === node) continue;
      if (current) current.replaceWith(node);
      else this.#body.append(node);
    }
    while (this.#body.children.length > next.length) this.#body.lastElementChild?.remove();
    this.#drawn = next;
  }

  #drawCut(row: PageRow): void {
    this.#cut?.remove();
    this.#cut = undefined;
    if (row.cut === undefined) return;
    this.#cut = element('p', { class: 'row-cut' }, element('bdi', {}, row.cut), ' ', this.#showAllButton(row));
    this.#body.after(this.#cut);
  }

  #showAllButton(row: PageRow): HTMLElement {
    const { strings, channel } = this.#context;
    const button = element('button', { type: 'button', class: 'link-button' }, strings.get('showAll'));
    button.addEventListener('click', () => channel.post({ type: 'showAll', key: row.key }));
    return button;
  }

  #drawFailure(row: PageRow, reason: string): void {
    const { strings, channel } = this.#context;
    this.#row = undefined;
    this.#failed = row;
    this.#drawn = [];
    channel.post({ type: 'failed', reason: `could not draw a message: ${reason}` });
    const text = element('bdi', {}, strings.get('notDrawn', reason));
    this.#body.replaceChildren(element('p', { class: 'row-cut' }, text, ' ', this.#showAllButton(row)));
  }

  #drawDelivery({ delivery }: PageRow, before: PageRow | undefined): void {
    if (this.#delivery && before?.delivery && delivery && showProgress(this.#delivery, before.delivery, delivery))
      return;
    this.#delivery?.remove();
    this.#delivery = delivery && deliveryView(delivery, this.#context);
    if (this.#delivery) this.node.append(this.#delivery);
  }
}

function detailsName(key: string): string {
  return `${key} details`;
}

/** The parts of a message from which its header is drawn. */
function headInputs(row: PageRow): object {
  return { ...row, blocks: [], delivery: undefined, place: undefined };
}
