import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { element } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { RenderContext } from './renderContext.ts';

type FoldBlock = Extract<PageBlock, { type: 'fold' }>;

const kindIcons: Readonly<Record<FoldBlock['kind'], IconName>> = {
  thinking: 'thinking',
  toolUse: 'tools',
  toolResult: 'output',
  raw: 'json',
};

/**
 * A part that is closed until the person opens it, except errors. What is inside is drawn when it is first opened;
 * `place` names the fold, so that it stays as the person left it when its row is drawn anew.
 */
export function drawFold(
  block: FoldBlock,
  place: string,
  tools: RenderContext,
  drawInside: () => readonly HTMLElement[],
): HTMLElement {
  const inside = element('div', { class: 'fold-inside' });
  const button = element('button', { type: 'button', class: 'fold-button', 'aria-expanded': 'false' });
  const hasFailed = block.isError || block.result?.isError === true;
  button.append(
    icon('chevronRight', 'fold-mark'),
    icon(hasFailed ? 'error' : kindIcons[block.kind], hasFailed ? 'fold-error' : ''),
  );
  button.append(element('bdi', { class: 'fold-title' }, block.title));
  if (block.detail) button.append(element('bdi', { class: 'fold-detail', title: block.detail }, block.detail));
  if (block.result) button.append(...resultLine(block.result, tools));
  const show = (isOpen: boolean) => {
    if (isOpen && inside.childElementCount === 0) inside.append(...drawInside());
    inside.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') === 'false';
    tools.folds.set(place, isOpen);
    show(isOpen);
  });
  show(tools.folds.get(place) ?? block.isError);
  return element('div', { class: block.isError ? 'fold is-error' : 'fold', 'data-kind': block.kind }, button, inside);
}

function resultLine({ text, isError }: NonNullable<FoldBlock['result']>, { words }: RenderContext): HTMLElement[] {
  // The icon and the arrow are for the eye only, the words for who does not see them.
  const spoken = words.say(isError ? 'toolFailed' : 'toolResult', text);
  return [
    element('span', { class: 'visually-hidden' }, `, ${spoken}`),
    element('bdi', { class: 'fold-result', title: text, 'aria-hidden': 'true' }, text),
  ];
}
