import type { PageBlock, PageFact, PageRow } from '../../shared/protocol/rowTypes.ts';
import type { DeliveryAction } from '../../shared/protocol/vocabulary.ts';
import { renderBlock } from '../content/renderBlock.ts';
import type { RenderContext } from '../content/renderContext.ts';
import { element, sameContent } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { deliveryView, detailsView, type PlaceTools, rowMenuButton, setPlace } from './rowParts.ts';

/** One message in the document. Showing a changed message keeps every part of it that is still the same. */
export class RowView {
  readonly node = element('article', { class: 'row' });
  readonly #head = element('header', { class: 'row-head' });
  readonly #body = element('div', { class: 'row-body' });
  readonly #tools: RenderContext;
  readonly #place: PlaceTools;
  readonly #act: (entryId: string, action: DeliveryAction) => void;
  #drawn: { readonly block: PageBlock; readonly node: HTMLElement }[] = [];
  #cut: HTMLElement | undefined;
  #delivery: HTMLElement | undefined;
  #details: HTMLElement | undefined;
  #row: PageRow | undefined;
  /** The state of the message that could not be drawn. */
  #failed: PageRow | undefined;

  constructor(tools: RenderContext, place: PlaceTools, act: (entryId: string, action: DeliveryAction) => void) {
    this.#tools = tools;
    this.#place = place;
    this.#act = act;
    this.node.append(this.#head, this.#body);
  }

  /** A message that cannot be drawn says so in its place; the others are not touched by it. */
  show(row: PageRow): void {
    if (this.#row === row || this.#failed === row) return;
    this.#failed = undefined;
    try {
      this.#draw(row);
    } catch (error) {
      this.#drawFailure(row, String(error).slice(0, 300));
    }
  }

  #draw(row: PageRow): void {
    const before = this.#row;
    this.#row = row;
    this.node.dataset['role'] = row.role;
    if (row.phase) this.node.dataset['phase'] = row.phase;
    else delete this.node.dataset['phase'];
    this.node.classList.toggle('is-error', row.isError);
    if (!before || !sameContent(partsOfHead(before), partsOfHead(row))) {
      this.#drawHead(row);
    }
    this.#drawBody(row);
    if (before?.cut !== row.cut) this.#drawCut(row);
    if (!sameContent(before?.delivery, row.delivery)) this.#drawDelivery(row);
    if (!sameContent(before?.place, row.place)) setPlace(this.node, row, this.#place);
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
    const buttons = [this.#detailsButton(row.key), rowMenuButton(row.key, words, this.#place.act)];
    this.#head.append(element('div', { class: 'row-actions' }, ...buttons));
    const context = { webviewSection: 'linesideMessage', messageId: row.key };
    this.node.dataset['vscodeContext'] = JSON.stringify(context);
    if (this.#tools.folds.get(detailsPlace(row.key))) this.#tools.wantDetails(row.key);
  }

  /** Shows what was asked for about the message, unless the person has closed it meanwhile. */
  showDetails(facts: readonly PageFact[]): void {
    const { folds, words, code } = this.#tools;
    if (!this.#row || !folds.get(detailsPlace(this.#row.key))) return;
    this.#details?.remove();
    this.#details = detailsView(facts, words, code.copy);
    this.#head.after(this.#details);
  }

  #detailsButton(key: string): HTMLButtonElement {
    const { folds, words, wantDetails } = this.#tools;
    const place = detailsPlace(key);
    const button = iconButton('info', words.say('showDetails'), () => {
      const isOpen = folds.get(place) !== true;
      folds.set(place, isOpen);
      button.setAttribute('aria-expanded', String(isOpen));
      if (isOpen) wantDetails(key);
      else this.#details?.remove();
    });
    button.classList.add('row-action');
    button.setAttribute('aria-expanded', String(folds.get(place) === true));
    return button;
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
      return { block, node: renderBlock(block, `${row.key}.${index}`, this.#tools) };
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
    this.#cut = element('p', { class: 'row-cut' }, element('bdi', {}, row.cut), ' ', this.#showAll(row));
    this.#body.after(this.#cut);
  }

  #showAll(row: PageRow): HTMLElement {
    const button = element('button', { type: 'button', class: 'link-button' }, this.#tools.words.say('showAll'));
    button.addEventListener('click', () => this.#tools.showAll(row.key));
    return button;
  }

  #drawFailure(row: PageRow, reason: string): void {
    this.#row = undefined;
    this.#failed = row;
    this.#drawn = [];
    this.#tools.failed(`a message could not be drawn: ${reason}`);
    const text = element('bdi', {}, this.#tools.words.say('notDrawn', reason));
    this.#body.replaceChildren(element('p', { class: 'row-cut' }, text, ' ', this.#showAll(row)));
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

function detailsPlace(key: string): string {
  return `${key} details`;
}

/** What the head of a row is drawn from. */
function partsOfHead(row: PageRow): object {
  return { ...row, blocks: [], delivery: undefined, place: undefined };
}
