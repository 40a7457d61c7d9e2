/**
 * The prefix of our own languages, which texts of agents get (R47). VS Code and its extensions decide by the language
 * what they do with a text: they offer links, commands, and hovers, and download schemas. Our own languages have the
 * colors of other languages, and nothing else. They have no names, so VS Code doesn't list them.
 */
const prefix = 'lineside-';

/**
 * Languages for which VS Code or an extension adds links to texts or downloads schemas, with the languages whose colors
 * their texts get.
 */
const coloredLike: ReadonlyMap<string, string> = new Map([
  ['chatagent', 'markdown'],
  ['css', 'css'],
  ['dockercompose', 'yaml'],
  ['handlebars', 'html'],
  ['html', 'html'],
  ['instructions', 'markdown'],
  ['json', 'jsonc'],
  ['jsonc', 'jsonc'],
  ['jsonl', 'jsonc'],
  ['juliamarkdown', 'markdown'],
  ['less', 'less'],
  ['markdown', 'markdown'],
  ['prompt', 'markdown'],
  ['scss', 'scss'],
  ['skill', 'markdown'],
  ['snippets', 'jsonc'],
  ['xml', 'xml'],
  ['xsl', 'xml'],
  ['yaml', 'yaml'],
]);

/** Languages, built into VS Code or from common extensions, whose support adds no links to texts. */
const harmless: ReadonlySet<string> = new Set(
  (
    'ada awk bat bibtex c clojure cmake cobol coffeescript cpp crystal csharp cuda-cpp d dart diff dockerfile dotenv elixir ' +
    'elm erlang fish fortran fsharp gleam glsl go graphql groovy haskell hcl hlsl ignore ini jade java javascript ' +
    'javascriptreact julia just kotlin latex log lua makefile matlab nim nix nushell objective-c objective-cpp ocaml pascal ' +
    'perl php plaintext powershell prisma properties proto proto3 puppet python r raku razor reason restructuredtext ruby ' +
    'rust scala scheme shaderlab shellscript solidity sql swift systemverilog tcl terraform tex toml typescript ' +
    'typescriptreact vb verilog vhdl wat wgsl zig'
  ).split(' '),
);

/** Our own languages for texts of agents. */
export const inertLanguages: readonly string[] = [...new Set(coloredLike.values())].map((like) => prefix + like);

/**
 * The language of a message that the user has to read before it is sent. The manifest makes VS Code wrap its lines by
 * their drawn width, whatever the user's settings for other languages are.
 */
export const messageLanguage = `${prefix}message`;

/**
 * The language that a text of an agent gets instead of `languageId`: the same one if it is harmless, one of our own
 * with its colors, or `plaintext` if the language isn't known.
 */
export function inertLanguage(languageId: string): string {
  if (languageId.startsWith(prefix) || harmless.has(languageId)) return languageId;
  const like = coloredLike.get(languageId);
  return like === undefined ? 'plaintext' : prefix + like;
}

/** Names of files that VS Code doesn't show as text, but as a preview, a notebook, or a table. */
const otherEditors =
  /\.(?:(m(?:d|kd|dwn|down|arkdown|arkdn|dtxt|dtext)|workbook)|ipynb|(?:cpu|heap)profile|heapsnapshot)$/i;

/** The name under which VS Code opens a file only as text. Appends `.txt` if needed. */
export function textName(name: string): string {
  return otherEditors.test(name) ? `${name}.txt` : name;
}

/** The language of a file by its name, if {@link textName} has changed the name; undefined otherwise. */
export function languageOfName(name: string): string | undefined {
  if (!name.endsWith('.txt')) return undefined;
  const [found, markdown] = otherEditors.exec(name.slice(0, -'.txt'.length)) ?? [];
  if (found === undefined) return undefined;
  return prefix + (markdown === undefined ? 'jsonc' : 'markdown');
}
