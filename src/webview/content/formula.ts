import { hasBidiControls } from '../dom/bidiCodes.ts';
import { element } from '../dom/element.ts';
import type { RenderContext } from './renderContext.ts';

/** Longer formulas are shown as source, because drawing them could block the page. */
const maxLength = 1_500;
/**
 * Tables with more cells take browsers too long to lay out: the time grows much faster than the length of the source.
 */
const maxCells = 200;
/** Formulas with definitions aren't drawn, because a custom command can expand to any number of others. */
const definition = /\\(?:[egx]?def|let|(?:re)?newcommand|providecommand)\b/;

/**
 * Draws a formula. `written` is its source with the delimiters, which is shown until the formula is drawn, or
 * permanently if it can't be drawn.
 */
export function drawFormula(
  source: string,
  written: string,
  isBlock: boolean,
  { math, idle }: RenderContext,
): HTMLElement {
  const text = element('code', { dir: 'ltr' }, written);
  const node = isBlock
    ? element('div', { class: 'formula-block', dir: 'ltr', tabindex: 0 }, text)
    : element('span', { class: 'formula', dir: 'ltr' }, text);
  const isDrawn = source.length <= maxLength && !definition.test(source) && cellCount(source) <= maxCells;
  if (!isDrawn || hasBidiControls(source)) return node;
  math.use((renderer) => {
    idle.soon(node, () => {
      const drawn = renderer.draw(source, isBlock);
      if (drawn) node.replaceChildren(drawn);
    });
  });
  return node;
}

function cellCount(source: string): number {
  return [...source.matchAll(/&|\\\\/g)].length;
}
