import ignore from 'ignore';

// Windows paths start with a drive, which the library would otherwise reject as not relative.
const options = { ignorecase: false, allowRelativePaths: true };

/**
 * The rules that apply in a folder: those of its own `.gitignore` file and of the `.gitignore` files in the folders
 * above it, applied as in Git. Immutable. All paths are absolute, with forward slashes.
 */
export class GitIgnore {
  static readonly empty = new GitIgnore(ignore(options));
  readonly #rules: ignore.Ignore;

  private constructor(rules: ignore.Ignore) {
    this.#rules = rules;
  }

  /** These rules and those of a `.gitignore` file in a subfolder. The last rule that matches a path wins. */
  with(folderPath: string, text: string): GitIgnore {
    return this.#with(text.split(/\r?\n/).flatMap((line) => absolutePattern(folderPath, line) ?? []));
  }

  /** These rules without those that ignore the folder itself. The others still apply to its content. */
  including(folderPath: string): GitIgnore {
    const names = folderPath.split('/').filter((name) => name !== '');
    return this.#with(names.map((_, index) => `!/${escaped(names.slice(0, index + 1).join('/'))}/`));
  }

  /** Whether a file or folder is ignored, directly or because a folder above it is ignored. */
  ignores(path: string, isFolder = false): boolean {
    return this.#rules.ignores(`${path.replace(/^\//, '')}${isFolder ? '/' : ''}`);
  }

  #with(patterns: readonly string[]): GitIgnore {
    return patterns.length === 0 ? this : new GitIgnore(ignore(options).add(this.#rules).add(patterns));
  }
}

/** A `.gitignore` file; `folderPath` is absolute, with forward slashes. */
interface GitIgnoreFile {
  readonly folderPath: string;
  readonly text: string;
}

/** Several `.gitignore` files. A path is only tested against the rules of the folders above it. */
export class GitIgnoreTree {
  readonly #rules = new Map<string, GitIgnore>();

  constructor(files: readonly GitIgnoreFile[]) {
    // Sorts by path length, so that a folder comes before its subfolders.
    for (const { folderPath, text } of [...files].sort(
      (one, other) => one.folderPath.length - other.folderPath.length,
    )) {
      this.#rules.set(folderPath, this.#rulesIn(folderPath).with(folderPath, text));
    }
  }

  /** Whether a file is ignored, directly or because a folder above it is ignored. */
  ignores(filePath: string): boolean {
    return this.#rulesIn(filePath.slice(0, Math.max(0, filePath.lastIndexOf('/')))).ignores(filePath);
  }

  #rulesIn(folderPath: string): GitIgnore {
    for (let path = folderPath; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
      const rules = this.#rules.get(path);
      if (rules) return rules;
    }
    return this.#rules.get('') ?? GitIgnore.empty;
  }
}

/** Converts a line of a `.gitignore` file to a pattern for absolute paths; undefined for blank lines and comments. */
function absolutePattern(folderPath: string, line: string): string | undefined {
  const text = line.replace(/^\uFEFF/, '');
  if (text.trim() === '' || text.startsWith('#')) return undefined;
  const negation = text.startsWith('!') ? '!' : '';
  const pattern = text.slice(negation.length);
  // A pattern with a slash is relative to the folder of its `.gitignore` file, unless the only slash is at the end.
  const isBound = pattern.trimEnd().slice(0, -1).includes('/');
  const base = escaped(folderPath.replace(/^\/+|(?<!\/)\/+$/g, ''));
  return `${negation}${base === '' ? '' : `/${base}`}/${isBound ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]]/g, '\\$&');
}
