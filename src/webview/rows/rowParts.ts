import type { PageBranch, PageRow } from '../../shared/protocol/pageModel.ts';
import { element } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import { iconButton } from '../dom/iconButton.ts';
import type { Words } from '../strings.ts';
import type { ActOnMessage } from './rowMenu.ts';

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
