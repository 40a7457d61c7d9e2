import type { PageBranch, PageDelivery, PageFact, PageRow } from '../../shared/protocol/rowTypes.ts';
import type { DeliveryAction, MessageAction } from '../../shared/protocol/vocabulary.ts';
import { element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { type MenuItem, PopupMenu } from '../dom/popupMenu.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Words } from '../strings.ts';

/** Does something with the message of a row. */
export type ActOnMessage = (key: string, action: MessageAction) => void;

const items = [
  { action: 'copy', word: 'copyMessage', picture: 'copy' },
  { action: 'copyPlain', word: 'copyPlain' },
  { action: 'copyAnswer', word: 'copyAnswer' },
  { action: 'copyConversation', word: 'copyConversation' },
  { action: 'copyLink', word: 'copyLink' },
  { action: 'quote', word: 'quote', picture: 'quote', isApart: true },
] as const;

/** The button in a row's head that offers what can be done with its message; the menu is made when it is opened. */
export function rowMenuButton(key: string, words: Words, act: ActOnMessage): HTMLButtonElement {
  const name = words.say('moreActions');
  const menuItems = (): MenuItem[] =>
    items.map(({ action, word, ...look }) => ({ ...look, label: words.say(word), run: () => act(key, action) }));
  const button = iconButton('ellipsis', name, () => undefined);
  button.classList.add('row-action');
  PopupMenu.at(button, name, menuItems);
  return button;
}

/** What drawing a row's place in the conversation needs. */
export interface PlaceTools {
  readonly words: Words;
  readonly act: ActOnMessage;
  /** Asks the host to show another message. */
  readonly revealMessage: (messageId: string) => void;
}

/** Draws around a row what it says of its place: the day it begins above it, below it its turn's time and branches. */
export function setPlace(node: HTMLElement, row: PageRow, tools: PlaceTools): void {
  for (const child of [...node.children]) {
    if (child.classList.contains('row-day') || child.classList.contains('row-foot')) child.remove();
  }
  const { startsDay, took, branch } = row.place ?? {};
  if (startsDay) node.prepend(dayLine(row.createdAt, tools.words));
  if (!took && !branch) return;
  const foot = element('div', { class: 'row-foot' });
  if (took) {
    const label = element('span', { dir: 'auto' }, took.label);
    foot.append(element('span', { class: 'row-took', title: took.hint }, icon('watch'), label));
  }
  if (branch) foot.append(branchLinks(branch, tools));
  node.append(foot);
}

function dayLine(timeMs: number, words: Words): HTMLElement {
  return element('div', { class: 'row-day', dir: 'auto' }, element('span', {}, words.day(timeMs)));
}

function branchLinks({ label, previousId, nextId }: PageBranch, { words, revealMessage }: PlaceTools): HTMLElement {
  const link = (name: 'arrowLeft' | 'arrowRight', messageId: string | undefined) => {
    const word = name === 'arrowLeft' ? 'previousBranch' : 'nextBranch';
    const button = iconButton(name, words.say(word), () => {
      if (messageId !== undefined) revealMessage(messageId);
    });
    button.disabled = messageId === undefined;
    return button;
  };
  const text = element('span', { dir: 'auto' }, label);
  return element('span', { class: 'row-branch' }, link('arrowLeft', previousId), text, link('arrowRight', nextId));
}

/** The details of a message: what the service says of it beside its content, as a list of terms. */
export function detailsView(facts: readonly PageFact[], words: Words, copy: (text: string) => void): HTMLElement {
  const list = element('dl', { class: 'details', 'aria-label': words.say('details') });
  for (const fact of facts) {
    const value = fact.timeMs === undefined ? fact.value : words.full(fact.timeMs);
    const shown = element('dd', {}, element('bdi', { class: fact.isId ? 'detail-id' : undefined }, value));
    if (fact.isId) shown.append(iconButton('copy', words.say('copyFact', fact.label), () => copy(fact.value)));
    list.append(element('dt', {}, fact.label), shown);
  }
  return list;
}

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
