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
