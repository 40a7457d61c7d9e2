import type { PageDelivery } from '../../shared/protocol/pageModel.ts';
import type { DeliveryAction } from '../../shared/protocol/pageMessages.ts';
import { element } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Words } from '../strings.ts';

const stateIcons: Readonly<Record<PageDelivery['state'], IconName>> = {
  queued: 'watch',
  sending: 'loading',
  accepted: 'check',
  unknown: 'question',
  notSent: 'warning',
};

/** How far a message is on its way: in words, with what can be done about it. */
export function deliveryView(delivery: PageDelivery, words: Words, act: (action: DeliveryAction) => void): HTMLElement {
  const view = element('div', { class: 'delivery', 'data-state': delivery.state });
  const isMoving = delivery.state === 'sending';
  view.append(icon(stateIcons[delivery.state], isMoving ? 'is-spinning' : ''));
  view.append(element('span', { class: 'delivery-label', dir: 'auto' }, delivery.label));
  if (delivery.progress !== undefined) view.append(progressBar(delivery.progress, delivery.label));
  for (const action of delivery.actions) {
    const button = element('button', { type: 'button', class: 'link-button' }, words.say(action));
    button.addEventListener('click', () => act(action));
    view.append(button);
  }
  if (delivery.detail) view.append(element('div', { class: 'delivery-detail', dir: 'auto' }, delivery.detail));
  return view;
}

function progressBar(progress: number, label: string): HTMLElement {
  return element('progress', { max: 1, value: Math.min(1, Math.max(0, progress)), 'aria-label': label });
}
