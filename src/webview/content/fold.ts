import type { PageBlock } from '../../shared/protocol/rowTypes.ts';
import { appendAll, element } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { RenderContext } from './renderContext.ts';

type FoldBlock = Extract<PageBlock, { type: 'fold' }>;

const kindIcons: Readonly<Record<FoldBlock['kind'], IconName>> = {
  thinking: 'thinking',
  toolUse: 'tools',
  toolResult: 'output',
  parsedText: 'output',
  context: 'tools',
  asked: 'question',
  raw: 'json',
};

/**
 * Draws a part that is collapsed until the user expands it, except for errors. The content of the part is drawn when it
 * is first expanded. `name` identifies the part, so that it keeps its state when its row is drawn again.
 */
export function drawFold(
  block: FoldBlock,
  name: string,
  context: RenderContext,
  drawContent: () => readonly HTMLElement[],
): HTMLElement {
  const inside = element('div', { class: 'fold-inside' });
  const button = element('button', { type: 'button', class: 'fold-button' });
  const hasFailed = block.isError || block.result?.isError === true;
  button.append(
    icon('chevronRight', 'fold-mark'),
    icon(hasFailed ? 'error' : kindIcons[block.kind], hasFailed ? 'fold-error' : ''),
  );
  button.append(element('bdi', { class: 'fold-title' }, block.title));
  if (block.detail) button.append(element('bdi', { class: 'fold-detail', title: block.detail }, block.detail));
  if (block.result) button.append(...resultLine(block.result, context));
  const show = (isOpen: boolean) => {
    if (isOpen && inside.childElementCount === 0) appendAll(inside, drawContent());
    inside.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
  };
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') === 'false';
    context.folds.set(name, isOpen);
    show(isOpen);
  });
  show(context.folds.get(name) ?? block.isError);
  return element('div', { class: block.isError ? 'fold is-error' : 'fold', 'data-kind': block.kind }, button, inside);
}

function resultLine({ text, isError }: NonNullable<FoldBlock['result']>, { strings }: RenderContext): HTMLElement[] {
  // Screen readers get the result in words, because they don't announce the icon.
  const spoken = strings.get(isError ? 'toolFailed' : 'toolResult', text);
  return [
    element('span', { class: 'visually-hidden' }, `, ${spoken}`),
    element('bdi', { class: 'fold-result', title: text, 'aria-hidden': 'true' }, text),
  ];
}
