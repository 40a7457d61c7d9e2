import { element } from '../dom/element.ts';
import type { RenderContext } from './renderContext.ts';

/** Longer formulas are shown as they were written: they could hold the page up for longer than anybody would wait. */
const maxLength = 1_500;
/** Tables with more cells take browsers too long to lay out: that grows much faster than their text. */
const maxCells = 200;
/** Own commands may stand for any amount of others. */
const definition = /\\(?:[egx]?def|let|(?:re)?newcommand|providecommand)\b/;

/** A formula: as it was written until it is drawn, and for good where it cannot be. */
export function drawFormula(source: string, isBlock: boolean, tools: RenderContext): HTMLElement {
  const text = element('code', { dir: 'ltr' }, source);
  const node = isBlock
    ? element('div', { class: 'formula-block', dir: 'ltr', tabindex: 0 }, text)
    : element('span', { class: 'formula', dir: 'ltr' }, text);
  if (source.length > maxLength || definition.test(source) || cellCount(source) > maxCells) return node;
  tools.math.use((renderer) => {
    const run = () => {
      const drawn = renderer.draw(source, isBlock);
      if (drawn) node.replaceChildren(drawn);
    };
    tools.idle.soon({ run, isWanted: () => true });
  });
  return node;
}

function cellCount(source: string): number {
  return source.match(/&|\\\\/g)?.length ?? 0;
}
