import { linesOf } from '../../shared/text/lines.ts';
import { pathSchema } from './pathSchema.ts';
import type { FileChange, FilePiece } from './toolCall.ts';

const fileLine = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const moveLine = /^\*\*\* Move to: (.+)$/;

/**
 * Reads a patch between `*** Begin Patch` and `*** End Patch`. Undefined if a delimiter is missing, because a truncated
 * patch is rejected, or if a path isn't valid. A hunk becomes a piece with its context.
 */
export function readPatch(text: string): readonly FileChange[] | undefined {
  if (!text.includes('*** Begin Patch')) return undefined;
  const lines = linesOf(text);
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch');
  const end = begin < 0 ? -1 : lines.findIndex((line, at) => at > begin && line.trim() === '*** End Patch');
  if (end < 0) return undefined;
  const files: PatchedFile[] = [];
  for (const line of lines.slice(begin + 1, end)) {
    const [, action, path] = fileLine.exec(line) ?? [];
    if (path !== undefined) files.push(new PatchedFile(action, path.trim()));
    else files.at(-1)?.read(line);
  }
  const changes = files.map((file) => file.change());
  return changes.some(({ path, newPath }) => !isPath(path) || (newPath !== undefined && !isPath(newPath)))
    ? undefined
    : changes;
}

/** A file of a patch while its lines are read. */
class PatchedFile {
  readonly #action: string | undefined;
  readonly #path: string;
  readonly #hunks = new Hunks();
  #newPath: string | undefined;

  constructor(action: string | undefined, path: string) {
    this.#action = action;
    this.#path = path;
  }

  read(line: string): void {
    const [, newPath] = moveLine.exec(line) ?? [];
    if (newPath !== undefined) this.#newPath = newPath.trim();
    else if (line.startsWith('@@')) this.#hunks.begin();
    else if (!line.startsWith('*** ')) this.#hunks.read(line);
  }

  change(): FileChange {
    const path = this.#path;
    const pieces = this.#hunks.pieces();
    if (this.#action === 'Delete') return { path, change: 'deleted', pieces: [], isWhole: false };
    if (this.#action === 'Add') return { path, change: 'created', pieces: [wholeText(pieces)], isWhole: true };
    if (this.#newPath === undefined) return { path, change: 'edited', pieces, isWhole: false };
    return { path, change: 'renamed', newPath: this.#newPath, pieces, isWhole: false };
  }
}

/** The hunks of a file: lines that start with a space, `+`, or `-`. A line without a prefix is context. */
export class Hunks {
  readonly #pieces: FilePiece[] = [];
  #oldLines: string[] = [];
  #newLines: string[] = [];

  begin(): void {
    if (this.#oldLines.length === 0 && this.#newLines.length === 0) return;
    this.#pieces.push({ oldText: this.#oldLines.join('\n'), newText: this.#newLines.join('\n') });
    this.#oldLines = [];
    this.#newLines = [];
  }

  read(line: string): void {
    const sign = line.charAt(0);
    const content = sign === ' ' || sign === '+' || sign === '-' ? line.slice(1) : line;
    if (sign !== '+') this.#oldLines.push(content);
    if (sign !== '-') this.#newLines.push(content);
  }

  pieces(): readonly FilePiece[] {
    this.begin();
    return this.#pieces;
  }
}

/** The piece of a file that a patch creates. Unless the file is empty, its last line ends with a line break. */
export function wholeText(pieces: readonly FilePiece[]): FilePiece {
  const newText = pieces.map((piece) => piece.newText).join('\n');
  return { oldText: '', newText: newText === '' ? '' : `${newText}\n` };
}

export function isPath(text: string): boolean {
  return pathSchema.safeParse(text).success;
}
