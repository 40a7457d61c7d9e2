import { linesOf } from '../../shared/text/lines.ts';
import { Hunks, isPath, wholeText } from './patchText.ts';
import type { FileChange } from './toolCall.ts';

const noFile = '/dev/null';

/**
 * Reads a unified diff, with or without Git's extended headers. `path` is the file of a diff without headers. Undefined
 * if the text isn't a diff, or if a path isn't valid.
 */
export function readUnifiedDiff(text: string, path: string | undefined): readonly FileChange[] | undefined {
  const all = linesOf(text);
  const lines = all.at(-1) === '' ? all.slice(0, -1) : all;
  const isGit = lines.some((line) => line.startsWith('diff --git '));
  const files: DiffedFile[] = [];
  let file: DiffedFile | undefined;
  for (const [at, line] of lines.entries()) {
    const isHeader = !(isGit && file?.hasHunks) && isFileHeader(lines, at);
    if (line.startsWith('diff --git ') || (isHeader && line.startsWith('-') && (file === undefined || file.hasHunks))) {
      file = new DiffedFile();
      files.push(file);
    } else if (file === undefined && line.startsWith('@@ ') && path !== undefined) {
      file = new DiffedFile(path);
      files.push(file);
    }
    file?.read(line, isHeader);
  }
  const changes = files.map((each) => each.change());
  return changes.length > 0 && changes.every((change) => change !== undefined) ? changes : undefined;
}

/** Whether a line with `---` or `+++` names a file. Within a hunk, such lines can be a removed and an added line. */
function isFileHeader(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? '';
  if (!line.startsWith('--- ') && !line.startsWith('+++ ')) return false;
  const isAt = (offset: number, start: string) => lines[at + offset]?.startsWith(start) ?? false;
  return (
    (isAt(0, '--- ') && isAt(1, '+++ ') && isAt(2, '@@')) || (isAt(-1, '--- ') && isAt(0, '+++ ') && isAt(1, '@@'))
  );
}

/** A file of a diff while its lines are read. */
class DiffedFile {
  readonly #hunks = new Hunks();
  #oldPath: string | undefined;
  #newPath: string | undefined;
  #isRenamed = false;
  #isNew = false;
  #isDeleted = false;
  hasHunks = false;

  constructor(path?: string) {
    this.#oldPath = path;
    this.#newPath = path;
  }

  read(line: string, isHeader: boolean): void {
    if (line.startsWith('@@')) {
      this.hasHunks = true;
      this.#hunks.begin();
    } else if (!this.hasHunks || isHeader) this.#readHeader(line);
    // `\ No newline at end of file` isn't a line of the file.
    else if (!line.startsWith('\\')) this.#hunks.read(line);
  }

  #readHeader(line: string): void {
    if (line.startsWith('--- ')) this.#oldPath = pathOf(line.slice(4), 'a/');
    else if (line.startsWith('+++ ')) this.#newPath = pathOf(line.slice(4), 'b/');
    else if (line.startsWith('rename from ')) this.#oldPath = line.slice('rename from '.length);
    else if (line.startsWith('rename to ')) {
      this.#newPath = line.slice('rename to '.length);
      this.#isRenamed = true;
    } else if (line.startsWith('new file mode ')) this.#isNew = true;
    else if (line.startsWith('deleted file mode ')) this.#isDeleted = true;
    else if (line.startsWith('diff --git ')) {
      const [, oldPath, newPath] = /^diff --git a\/(.+) b\/(.+)$/s.exec(line) ?? [];
      this.#oldPath = oldPath;
      this.#newPath = newPath;
    }
  }

  change(): FileChange | undefined {
    const oldPath = this.#oldPath;
    const newPath = this.#newPath;
    if (oldPath === undefined || newPath === undefined || !isPath(oldPath) || !isPath(newPath)) return undefined;
    const pieces = this.#hunks.pieces();
    if (this.#isNew || oldPath === noFile) {
      return { path: newPath, change: 'created', pieces: [wholeText(pieces)], isWhole: true };
    }
    if (this.#isDeleted || newPath === noFile) return { path: oldPath, change: 'deleted', pieces, isWhole: false };
    if (this.#isRenamed) return { path: oldPath, change: 'renamed', newPath, pieces, isWhole: false };
    return { path: newPath, change: 'edited', pieces, isWhole: false };
  }
}

/** The path in a header, without Git's prefix and without a time after a tab. */
function pathOf(text: string, prefix: string): string {
  const path = text.split('\t', 1)[0]?.trim() ?? '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
