import type { PageBranch, PageDelivery, PageFact, PagePlace, PageRow } from '../../shared/protocol/rowTypes.ts';
import type { DeliveryAction } from '../../shared/protocol/vocabulary.ts';
import { sameValue } from '../../shared/equality.ts';
import { copyText } from '../content/code.ts';
import type { RenderContext } from '../content/renderContext.ts';
import { sentenceParts } from '../dom/bidiControls.ts';
import { element, setAttribute } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { type MenuItem, PopupMenu } from '../dom/popupMenu.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Bookmarks } from './bookmarks.ts';
import type { MessageActions } from './messageActions.ts';

/** Everything needed to draw a row of the list. */
export interface RowContext extends RenderContext {
  readonly bookmarks: Bookmarks;
  readonly messageActions: MessageActions;
}

const items = [
  { action: 'copy', word: 'copyMessage', picture: 'copy' },
  { action: 'copyPlain', word: 'copyPlain' },
  { action: 'copyLink', word: 'copyLink' },
  { action: 'quote', word: 'quote', picture: 'quote', startsGroup: true },
  { action: 'comment', word: 'addComment', picture: 'comment' },
  { action: 'toggleBookmark', word: 'toggleBookmark', picture: 'bookmark', startsGroup: true },
  { action: 'editBookmarkNote', word: 'editBookmarkNote' },
  { action: 'openAsDocument', word: 'openAsDocument', startsGroup: true },
] as const;

/** The button in a row's header that opens the menu of its message. */
export function rowMenuButton(key: string, { strings, messageActions, bookmarks }: RowContext): HTMLButtonElement {
  const name = strings.get('moreActions');
  const menuItems = (): MenuItem[] =>
    items
      .filter(({ action }) => action !== 'editBookmarkNote' || bookmarks.of(key))
      .map(({ action, word, ...look }) => ({
        ...look,
        label: strings.get(word),
        run: () => (action === 'comment' ? messageActions.comment(key) : messageActions.run(key, action)),
      }));
  const button = iconButton('ellipsis', name, () => undefined);
  button.classList.add('row-action');
  PopupMenu.attach(button, name, menuItems);
  return button;
}

const comparisons = ['selectForCompare', 'compareWithSelected', 'compareWithClipboard'] as const;

/** The actions below an answer. Like those in the header, they are visible while the pointer or focus is in the row. */
function answerActions({ key, place }: PageRow, { strings, messageActions }: RowContext): HTMLElement {
  const button = (name: IconName, word: 'copyMessage' | 'quote' | 'compare', run: () => void) => {
    const made = iconButton(name, strings.get(word), run);
    made.classList.add('row-action');
    return made;
  };
  const compare = button('gitCompare', 'compare', () => undefined);
  const actions = place?.branch ? ([...comparisons, 'compareBranches'] as const) : comparisons;
  PopupMenu.attach(compare, strings.get('compare'), () =>
    actions.map((action) => ({
      label: strings.get(action),
      startsGroup: action === 'compareBranches',
      run: () => messageActions.run(key, action),
    })),
  );
  return element(
    'div',
    { class: 'answer-actions' },
    button('copy', 'copyMessage', () => messageActions.run(key, 'copy')),
    button('quote', 'quote', () => messageActions.run(key, 'quote')),
    compare,
  );
}

const placeParts = ['row-new', 'row-day', 'row-foot'];

/**
 * Draws a row's place in the conversation: the divider of new messages and the heading of a new day above the row, and
 * the duration and changes of the turn, branches, and actions below it. Replaces what an earlier call has drawn.
 */
export function setPlace(node: HTMLElement, row: PageRow, context: RowContext): void {
  for (const child of [...node.children]) {
    if (placeParts.some((name) => child.classList.contains(name))) child.remove();
  }
  const { startsDay, newSince, took, branch, changes, isAnswer } = row.place ?? {};
  const { strings } = context;
  if (startsDay) node.prepend(placeLine('row-day', strings.day(row.createdAt)));
  if (newSince !== undefined) node.prepend(placeLine('row-new', strings.get('newSince', strings.moment(newSince))));
  if (!took && !branch && !changes && !isAnswer) return;
  const foot = element('div', { class: 'row-foot' });
  if (took) {
    const label = element('span', { dir: 'auto' }, took.label);
    foot.append(element('span', { class: 'row-took', title: took.hint }, icon('clockface'), label));
  }
  if (changes) foot.append(changesButton(row.key, changes, context));
  if (branch) foot.append(branchLinks(branch, context));
  if (isAnswer) foot.append(answerActions(row, context));
  node.append(foot);
}

function placeLine(name: string, text: string): HTMLElement {
  return element('div', { class: name, dir: 'auto' }, element('span', {}, text));
}

function changesButton(
  key: string,
  { label, hint }: NonNullable<PagePlace['changes']>,
  { channel }: RowContext,
): HTMLElement {
  const text = element('span', { dir: 'auto' }, label);
  const button = element('button', { type: 'button', class: 'row-changes', title: hint }, icon('diff'), text);
  button.addEventListener('click', () => channel.post({ type: 'showTurn', key, part: 'changes' }));
  return button;
}

function branchLinks({ label, previousId, nextId }: PageBranch, { strings, channel }: RenderContext): HTMLElement {
  const link = (name: 'arrowLeft' | 'arrowRight', messageId: string | undefined) => {
    const word = name === 'arrowLeft' ? 'previousBranch' : 'nextBranch';
    const button = iconButton(name, strings.get(word), () => {
      if (messageId !== undefined) channel.post({ type: 'revealMessage', messageId });
    });
    button.disabled = messageId === undefined;
    return button;
  };
  const text = element('span', { dir: 'auto' }, label);
  return element('span', { class: 'row-branch' }, link('arrowLeft', previousId), text, link('arrowRight', nextId));
}

/** The details of a message as a list of terms: its metadata from the service. */
export function detailsView(facts: readonly PageFact[], context: RenderContext): HTMLElement {
  const { strings } = context;
  const list = element('dl', { class: 'details', 'aria-label': strings.get('details') });
  for (const fact of facts) {
    const value = fact.timeMs === undefined ? fact.value : strings.full(fact.timeMs);
    const shown = element('dd', {}, element('bdi', { class: fact.isId ? 'detail-id' : undefined }, value));
    if (fact.isId) {
      shown.append(iconButton('copy', strings.get('copyFact', fact.label), () => copyText(fact.value, context)));
    }
    list.append(element('dt', {}, fact.label), shown);
  }
  return list;
}

const stateIcons: Readonly<Record<PageDelivery['state'], IconName>> = {
  queued: 'clockface',
  sending: 'loading',
  accepted: 'check',
  unknown: 'question',
  notSent: 'warning',
};

/** The delivery state of an outgoing message, with its actions. */
export function deliveryView(delivery: PageDelivery, { strings, channel }: RenderContext): HTMLElement {
  const view = element('div', { class: 'delivery', 'data-state': delivery.state });
  view.append(icon(stateIcons[delivery.state], delivery.state === 'sending' ? 'is-spinning' : ''));
  view.append(element('span', { class: 'delivery-label', dir: 'auto' }, ...sentenceParts(delivery.label)));
  if (delivery.progress !== undefined) view.append(progressBar(delivery.progress, delivery.label));
  const act = (action: DeliveryAction) => channel.post({ type: 'delivery', entryId: delivery.entryId, action });
  const buttons = delivery.actions.map((action) => {
    const button = element('button', { type: 'button', class: 'link-button' }, strings.get(action));
    button.addEventListener('click', () => act(action));
    return button;
  });
  if (buttons.length > 0) view.append(element('span', { class: 'delivery-actions' }, ...buttons));
  if (delivery.detail) view.append(element('div', { class: 'delivery-detail', dir: 'auto' }, delivery.detail));
  return view;
}

function progressBar(progress: number, label: string): HTMLElement {
  const bar = element('progress', { max: 1 });
  setProgress(bar, progress, label);
  return bar;
}

function setProgress(bar: Element, progress: number, label: string): void {
  setAttribute(bar, 'value', Math.min(1, Math.max(0, progress)));
  setAttribute(bar, 'aria-label', label);
}

/**
 * Changes the progress and the label in a view that {@link deliveryView} has drawn, so that the buttons keep the focus
 * and can be clicked. Returns false, and changes nothing, if anything else differs from what the view shows.
 */
export function showProgress(view: HTMLElement, before: PageDelivery, delivery: PageDelivery): boolean {
  const { progress, label } = delivery;
  const bar = view.querySelector('progress');
  if (!bar || progress === undefined || !sameValue({ ...before, progress, label }, delivery)) return false;
  setProgress(bar, progress, label);
  view.querySelector('.delivery-label')?.replaceChildren(...sentenceParts(label));
  return true;
}
