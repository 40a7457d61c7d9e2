/** A fenced code block that is open, as CommonMark counts it: its character and how many of them began it. */
export interface OpenFence {
  readonly sign: '`' | '~';
  readonly length: number;
}

/** The fence that a line opens. Only at its very beginning: there, no list or quote decides whether it is one. */
export function fenceIn(line: string): OpenFence | undefined {
  const [, signs = ''] = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  if (signs === '') return undefined;
  return { sign: signs.startsWith('~') ? '~' : '`', length: signs.length };
}

/** Whether a line closes a fence. */
export function closesFence(line: string, { sign, length }: OpenFence): boolean {
  const [, signs = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return signs.startsWith(sign) && signs.length >= length;
}

/** The fence that is open where the text ends; those inside of lists and quotes end with these. */
export function openFenceAtEnd(text: string): OpenFence | undefined {
  let fence: OpenFence | undefined;
  for (const line of text.split('\n')) {
    if (!fence) fence = fenceIn(line);
    else if (closesFence(line, fence)) fence = undefined;
  }
  return fence;
}

/** Whether a line may open a fence although it is indented a little: in a list item, or outside of any. */
export function isIndentedFence(line: string): boolean {
  return /^ {1,3}(?:`{3,}(?=[^`]*$)|~{3,})/.test(line);
}

/** Longer blocks of code in a list are taken for unclosed. */
const longestIndentedLines = 300;

/**
 * The last line of a fence that is indented a little, where everything in it is indented at least as much: then it is
 * closed there whatever list it stands in. -1 where that cannot be said.
 */
export function endOfIndentedFence(lines: readonly string[], first: number): number {
  const line = lines[first] ?? '';
  if (!isIndentedFence(line) || line.includes('|')) return -1;
  const fence = fenceIn(line.trimStart());
  const indentation = line.slice(0, line.length - line.trimStart().length);
  for (let index = first + 1; fence && index < Math.min(lines.length, first + longestIndentedLines); index++) {
    const next = lines[index] ?? '';
    if (next.trim() !== '' && !next.startsWith(indentation)) return -1;
    if (closesFence(next, fence)) return index;
  }
  return -1;
}
