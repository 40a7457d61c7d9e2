import type { PagePlanItem } from '../../shared/protocol/rowTypes.ts';
import { element } from './element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';

/** Draws text in which paths become links if the files exist. */
export interface LinkedText {
  /** With `isCode`, a single word can be the name of a file. */
  draw(text: string, isCode: boolean): Node;
}

const stateIcons: Readonly<Record<PagePlanItem['state'], IconName>> = {
  open: 'circleOutline',
  current: 'circleFilled',
  done: 'check',
};

/** Draws an item of the agent's to-do list. */
export function drawChecklistItem({ text, state, spoken }: PagePlanItem, paths: LinkedText): HTMLElement {
  const words = element('span', { class: 'visually-hidden' }, `, ${spoken}`);
  const label = element('bdi', {}, paths.draw(text, false));
  return element('li', { 'data-state': state }, icon(stateIcons[state]), label, words);
}

/** Draws the agent's to-do list. */
export function drawChecklist(items: readonly PagePlanItem[], paths: LinkedText): HTMLElement {
  const list = element('ol', { class: 'checklist' });
  for (const item of items) list.append(drawChecklistItem(item, paths));
  return list;
}
