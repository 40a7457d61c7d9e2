import type { PageHeader } from '../../shared/protocol/pageModel.ts';
import { drawChecklistItem, type LinkedText } from '../dom/checklist.ts';
import { appendAll, element } from '../dom/element.ts';
import { sameValue } from '../../shared/equality.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';

/** The agent's to-do list above the composer: one line that expands to the items. */
export class PlanStrip {
  readonly node = element('div', { class: 'plan', hidden: '' });
  readonly #channel: SessionChannel;
  readonly #strings: Strings;
  readonly #paths: LinkedText;
  readonly #button = element('button', { type: 'button', class: 'plan-button', 'aria-expanded': 'false' });
  readonly #items = element('ol', { class: 'checklist plan-items', tabindex: '0', hidden: '' });
  #plan: PageHeader['plan'];
  #isOpen = false;

  constructor(channel: SessionChannel, strings: Strings, paths: LinkedText) {
    this.#channel = channel;
    this.#strings = strings;
    this.#paths = paths;
    this.#items.setAttribute('aria-label', strings.get('plan'));
    this.#button.addEventListener('click', () => this.#setOpen(!this.#isOpen));
    this.node.append(this.#button, this.#items);
  }

  /**
   * Shows the plan of a session; undefined hides the strip. The list stays expanded only if the session is the same.
   */
  show(plan: PageHeader['plan'], isSameSession: boolean): void {
    if (!isSameSession || !plan) this.#setOpen(false);
    if (sameValue(plan, this.#plan)) return;
    this.#plan = plan;
    this.node.hidden = !plan;
    if (!plan) return;
    const label = element('span', { class: 'plan-label', dir: 'auto' }, plan.label);
    const current = element('bdi', { class: 'plan-current', title: plan.current }, plan.current);
    this.#button.replaceChildren(icon('chevronRight', 'fold-mark'), icon('checklist'), label, ' ', current);
    if (this.#isOpen) void this.#showItems();
  }

  #setOpen(isOpen: boolean): void {
    this.#isOpen = isOpen;
    this.#button.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) void this.#showItems();
    else this.#items.hidden = true;
  }

  async #showItems(): Promise<void> {
    const plan = this.#plan;
    const items = await this.#channel.ask('getPlan', {});
    if (!this.#isOpen || this.#plan !== plan) return;
    this.#items.replaceChildren();
    appendAll(
      this.#items,
      (items ?? []).map((item) => drawChecklistItem(item, this.#paths)),
    );
    if (!items) this.#items.append(element('li', { class: 'note' }, this.#strings.get('stepNotAvailable')));
    this.#items.hidden = false;
  }
}
