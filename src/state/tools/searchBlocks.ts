import { linesOf } from '../../shared/text/lines.ts';
import type { FileChange, FilePiece } from './toolCall.ts';

const searchLine = /^(-{3,}|<{3,}) SEARCH>?\s*$/;
const dividerLine = /^={3,}\s*$/;
const replaceLine = /^(\+{3,}|>{3,}) REPLACE\s*$/;

/**
 * Reads blocks with a text to search for and a text to replace it with, as a change of the file `path`. Undefined if
 * there are none or one is incomplete.
 */
export function readSearchBlocks(text: string, path: string): readonly FileChange[] | undefined {
  const pieces: FilePiece[] = [];
  let oldLines: string[] | undefined;
  let newLines: string[] | undefined;
  for (const line of linesOf(text)) {
    if (oldLines === undefined) {
      if (searchLine.test(line)) oldLines = [];
    } else if (newLines === undefined) {
      if (dividerLine.test(line)) newLines = [];
      else if (!isPlace(line, oldLines)) oldLines.push(line);
    } else if (replaceLine.test(line)) {
      pieces.push({ oldText: oldLines.join('\n'), newText: newLines.join('\n') });
      oldLines = undefined;
      newLines = undefined;
    } else newLines.push(line);
  }
  return pieces.length === 0 || oldLines !== undefined
    ? undefined
    : [{ path, change: 'edited', pieces, isWhole: false }];
}

/** Whether a line at the start of a block is Roo Code's line number or the divider below it. */
function isPlace(line: string, linesBefore: readonly string[]): boolean {
  return linesBefore.length === 0 && /^(:(start|end)_line:\s?\d+|-{7})\s*$/.test(line);
}
