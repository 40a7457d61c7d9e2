import type { PageBlock, PageRow } from '../../pageContent.ts';
import type { DeliveryAction } from '../../protocol.ts';
import { blockNode } from '../content/blockNode.ts';
import type { DrawTools } from '../content/drawTools.ts';
import { element } from '../element.ts';
import { icon } from '../icons/icon.ts';
import { sameContent } from '../sameContent.ts';
import { deliveryView } from './deliveryView.ts';

/** One message in the document. Showing a changed message keeps every part of it that is still the same. */
export class RowView {
  readonly node = element('article', { class: 'row' });
  readonly #head = element('header', { class: 'row-head' });
  readonly #body = element('div', { class: 'row-body' });
  readonly #tools: DrawTools;
  readonly #act: (entryId: string, action: DeliveryAction) => void;
  #drawn: { readonly block: PageBlock; readonly node: HTMLElement }[] = [];
  #delivery: HTMLElement | undefined;
  #row: PageRow | undefined;

  constructor(tools: DrawTools, act: (entryId: string, action: DeliveryAction) => void) {
    this.#tools = tools;
    this.#act = act;
    this.node.append(this.#head, this.#body);
  }

  show(row: PageRow): void {
    const before = this.#row;
    if (before === row) return;
    this.#row = row;
    this.node.dataset['role'] = row.role;
    this.node.classList.toggle('is-error', row.isError);
    if (!before || !sameContent({ ...before, blocks: [], delivery: 0 }, { ...row, blocks: [], delivery: 0 })) {
      this.#drawHead(row);
    }
    this.#drawBody(row);
    if (!sameContent(before?.delivery, row.delivery)) this.#drawDelivery(row);
  }

  #drawHead(row: PageRow): void {
    const { words } = this.#tools;
    const moment = words.moment(row.createdAt);
    this.node.setAttribute('aria-label', words.say('messageLabel', row.roleLabel, moment));
    this.#head.replaceChildren(element('h2', { class: 'row-role', dir: 'auto' }, row.roleLabel));
    if (row.isError) this.#head.prepend(icon('error', 'row-error'));
    for (const badge of row.badges) {
      this.#head.append(element('bdi', { class: 'badge', title: badge.hint }, badge.label));
    }
    if (moment !== '') this.#head.append(this.#time(row, moment));
  }

  #time(row: PageRow, moment: string): HTMLElement {
    const { words } = this.#tools;
    const edited = row.updatedAt === undefined ? '' : words.say('edited', words.full(row.updatedAt));
    const hint = [words.full(row.createdAt), edited].filter((part) => part !== '').join('\n');
    return element('time', { class: 'row-time', title: hint }, moment);
  }

  #drawBody(row: PageRow): void {
    const next = row.blocks.map((block, index) => {
      const kept = this.#drawn[index];
      if (kept && sameContent(kept.block, block)) return kept;
      return { block, node: blockNode(block, `${row.key}.${index}`, this.#tools) };
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

  #drawDelivery(row: PageRow): void {
    const { delivery } = row;
    this.#delivery?.remove();
    this.#delivery = delivery
      ? deliveryView(delivery, this.#tools.words, (action) => this.#act(delivery.entryId, action))
      : undefined;
    if (this.#delivery) this.node.append(this.#delivery);
  }
}
