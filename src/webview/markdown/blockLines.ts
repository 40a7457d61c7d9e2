import type { StateBlock } from 'markdown-it';

/** The index at which the content of a line begins, after the markers of its containers and its indentation. */
export function startOfLine({ bMarks, tShift }: StateBlock, line: number): number {
  return (bMarks[line] ?? 0) + (tShift[line] ?? 0);
}

/** The text of a line without the markers of its containers and its indentation. */
export function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(startOfLine(state, line), state.eMarks[line]);
}

/** The indentation of a line in its container, in columns; negative if the line doesn't belong to the container. */
export function indentOf({ sCount, blkIndent }: StateBlock, line: number): number {
  return (sCount[line] ?? 0) - blkIndent;
}

/** Whether a line is indented by at least four columns in its container, as indented code is. */
export function isIndentedCode(state: StateBlock, line: number): boolean {
  return indentOf(state, line) >= 4;
}
