import picomatch from 'picomatch';

/** Whether a path below the folder of the rules, with forward slashes, is left out. */
export type IgnoreRules = (path: string, isFolder: boolean) => boolean | undefined;

/**
 * The rules of a `.gitignore`: the last pattern that matches decides, `!` takes back, a slash at the end means folders
 * only, one elsewhere binds the pattern to the file's own folder. Undefined where no pattern says anything.
 */
export function gitIgnoreRules(text: string): IgnoreRules {
  const rules = text.split(/\r?\n/).flatMap((line) => ruleOf(line) ?? []);
  return (path, isFolder) => rules.findLast((rule) => rule.matches(path, isFolder))?.isIgnored;
}

interface Rule {
  readonly isIgnored: boolean;
  readonly matches: (path: string, isFolder: boolean) => boolean;
}

function ruleOf(line: string): Rule | undefined {
  const pattern = line.replace(/(?<!\\)\s+$/, '');
  if (pattern === '' || pattern.startsWith('#')) return undefined;
  const isIgnored = !pattern.startsWith('!');
  const wanted = isIgnored ? pattern : pattern.slice(1);
  const isForFolders = wanted.endsWith('/');
  const bare = wanted.replace(/\/$/, '');
  const isBound = bare.includes('/');
  // Braces, brackets of groups and the like mean themselves in a .gitignore.
  const literal = bare.replace(/[{}()+@|$^]/g, '\\$&');
  const glob = isBound ? literal.replace(/^\//, '') : `**/${literal}`;
  const isMatch = picomatch(glob, { dot: true, nobrace: true, noextglob: true });
  return { isIgnored, matches: (path, isFolder) => (isFolder || !isForFolders) && isMatch(path) };
}

/** A `.gitignore` with the path of its folder: forward slashes, none at the end. */
export interface FolderRules {
  readonly folderPath: string;
  readonly rules: IgnoreRules;
}

/** Whether rules leave a path out; those nearest to it, which come last, go before those further up. */
export function isIgnored(path: string, isFolder: boolean, rules: readonly FolderRules[]): boolean {
  for (const { folderPath, rules: say } of rules.toReversed()) {
    const verdict = say(path.slice(folderPath.length).replace(/^\/+/, ''), isFolder);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

interface FolderState {
  readonly isIgnored: boolean;
  /** What holds in the folder, the nearest last. */
  readonly rules: readonly FolderRules[];
}

/** The `.gitignore` files of a tree of folders. Each folder is judged once, however many files are asked about. */
export class IgnoreTree {
  readonly #rules: ReadonlyMap<string, FolderRules>;
  readonly #folders = new Map<string, FolderState>();

  constructor(rules: readonly FolderRules[]) {
    this.#rules = new Map(rules.map((one) => [one.folderPath, one]));
  }

  /** Whether a file is left out, by itself or with a folder above it: then nothing in that folder can bring it back. */
  leavesOut(filePath: string): boolean {
    const folder = this.#folderOf(filePath);
    return folder.isIgnored || isIgnored(filePath, false, folder.rules);
  }

  #folderOf(path: string): FolderState {
    const folderPath = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const known = this.#folders.get(folderPath);
    if (known) return known;
    const own = this.#rules.get(folderPath);
    const above = folderPath === '' ? { isIgnored: false, rules: [] } : this.#folderOf(folderPath);
    const state = {
      isIgnored: above.isIgnored || isIgnored(folderPath, true, above.rules),
      rules: own ? [...above.rules, own] : above.rules,
    };
    this.#folders.set(folderPath, state);
    return state;
  }
}
