import { hasTerminalCodes, terminalLines, type TerminalRun } from '../../shared/text/terminalText.ts';
import { appendAll, element } from '../dom/element.ts';
import type { RenderContext } from './renderContext.ts';

/** Maximum number of lines that are drawn in one step. */
const pieceLines = 200;

/**
 * Fills `code` with the output of a command as a terminal shows it: colors and other styles, and only what is left of
 * overwritten lines. The first lines are drawn immediately, the others when the page is idle.
 * @returns whether the text contains codes for terminals. If not, nothing is drawn.
 */
export function drawTerminal(code: HTMLElement, text: string, context: RenderContext): boolean {
  if (!hasTerminalCodes(text)) return false;
  const lines = terminalLines(text);
  let line = lines.next();
  const drawPiece = (): void => {
    const piece = element('span', { class: 'code-piece' });
    for (let count = 0; !line.done && count < pieceLines; count++) {
      appendAll(
        piece,
        line.value.map((run) => drawRun(run, context)),
      );
      line = lines.next();
      if (!line.done) piece.append('\n');
    }
    code.append(piece);
    if (!line.done) context.idle.later(code, drawPiece);
  };
  drawPiece();
  return true;
}

function drawRun({ text, style }: TerminalRun, { terminalColors, paths }: RenderContext): Node {
  const classes = [
    terminalColors.classOf(style),
    style.isBold && 'is-bold',
    style.isItalic && 'is-italic',
    style.isUnderlined && 'is-underlined',
    style.isStruck && 'is-struck',
  ].filter((name) => typeof name === 'string');
  const drawn = paths.draw(text, false);
  return classes.length === 0 ? drawn : element('span', { class: classes.join(' ') }, drawn);
}
