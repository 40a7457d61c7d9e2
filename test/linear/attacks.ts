/**
 * Texts of any length for which a function may need more than linear time: repeated pieces, nested or between other
 * text.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** A text of any length: a start, a piece that is repeated, and an end. */
export interface Attack {
  readonly start: string;
  readonly piece: string;
  readonly end: string;
}

/** The text of an attack with about `length` characters. */
export function textOf({ start, piece, end }: Attack, length: number): string {
  return start + piece.repeat(Math.ceil(length / piece.length)) + end;
}

/** The characters with a meaning in Markdown, JSON, patches, or paths, and a few others. */
const signs = [...Array.from('*_`[]()<>!\\|$~#-+:/.,"\'&;{}=@%^ \n\ta1\r'), '\u00e9', '\ud83d\ude00', '\u2028'];
/** The signs that Markdown pairs or nests. */
const pairs = Array.from('*_`[](<!$~ \na');

/** Attacks on any function: the pieces of up to two signs, and those of up to `most` signs that Markdown pairs. */
export function signAttacks(most: number): readonly Attack[] {
  const pieces = new Set([...piecesOf(signs, 2), ...piecesOf(pairs, most)]);
  return [...pieces].map((piece) => ({ start: '', piece, end: '' }));
}

/**
 * Texts of the kinds that have made Markdown parsers, linkifiers, and diff readers slow: delimiters that never close,
 * that close something else, or that nest; lines that could continue a block; and what makes the output larger than the
 * text.
 */
export const knownAttacks: Readonly<Record<string, (length: number) => string>> = {
  ...repeated({
    emphasis: ['', '*a ', ''],
    'emphasis of two kinds': ['', '*a_ ', ''],
    'emphasis that closes late': ['', '*a **a ', 'b** c* '],
    'strong and code': ['', '**x `a** ', ''],
    'underscores in words': ['', 'a_b ', '_'],
    strikethrough: ['', '~~a ', ''],
    'code of two lengths': ['', '`a``', ''],
    'code that never ends': ['', 'e`` ', '`'],
    'links without targets': ['', '[a](', ''],
    'links in labels': ['', '![[a]()', ''],
    'links with open titles': ['', '[a](b "', ''],
    'links with angle brackets': ['', '[a](<b', ''],
    'links with parentheses': ['[a](', '(', ''],
    'links with escapes': ['[a](', '\\(', ''],
    brackets: ['', '[', ''],
    'closed brackets': ['', '[]', ''],
    images: ['', '![', ''],
    'reference definitions': ['', '[a]: b\n', ''],
    'reference definitions with open titles': ['', "[a]: b '\n", ''],
    'definitions that no link uses': ['', '[a]: http://b.c\n', ''],
    'links without an address': ['', '[a](\n)', ''],
    'a reference definition of many lines': ['[', 'a\n', ']: b'],
    references: ['[a]: /b\n\n', '[a][b]', ''],
    footnotes: ['', '[^a]: b\n', ''],
    autolinks: ['', '<http:', ''],
    addresses: ['', 'http://a.b/(', ''],
    'addresses in a row': ['', 'http://', ''],
    'addresses with colons': ['', 'a:b@', ''],
    'hosts without schemes': ['', 'www.a.', ''],
    'mail addresses': ['', 'a@b.', ''],
    'tags of tooling in lines': ['', 'x<system-reminder>\n', '</system-reminder>'],
    'tags of tooling that are not closed': ['', '<system-reminder>\n<task>', '</environment_details>'],
    'tags of commands': ['', '<command-name>a</command-name>', ''],
    'tags in a line': ['a ', '<task-notification>', ''],
    schemes: ['', 'mailto:', ''],
    tags: ['', '<a b="', ''],
    comments: ['', '<!--', ''],
    'processing instructions': ['', '<?', ''],
    declarations: ['', '<!A ', ''],
    'data sections': ['', '<![CDATA[', ''],
    entities: ['', '&a', ';'],
    'numeric entities': ['', '&#1', ';'],
    backslashes: ['', '\\', ''],
    'backslashes at line ends': ['', '\\\n', ''],
    quotes: ['', '> ', 'a'],
    'quotes of many lines': ['', '>a\n', ''],
    'quotes that change': ['', '> a\nb\n\n', ''],
    'lists in a line': ['', '- ', 'a'],
    'numbered lists in a line': ['', '1. ', 'a'],
    'list items': ['', '- a\n', ''],
    'list items without text': ['', '-\n', ''],
    'list items that change': ['', '* a\n\n+ b\n\n', ''],
    headings: ['', '# ', ''],
    'headings of signs': ['# a', '#', 'b'],
    'underlined headings': ['', 'a\n=', ''],
    rules: ['', '* * ', 'a'],
    'rules of lines': ['', '---\n', ''],
    fences: ['', '```\n', ''],
    'fences that never close': ['', '~~~ a\n', ''],
    'fences in lists': ['', '- ```\n', ''],
    'fences with info': ['```', ' a', '\n'],
    'indented lines': ['', '    a\n', ''],
    'lines of tabs': ['', '\t', 'a'],
    'blank lines': ['a', '\n', 'b'],
    'lines of spaces': ['a', ' \n', 'b'],
    spaces: ['a', ' ', 'b'],
    'spaces and line ends': ['', '  \n', 'a'],
    'table rows': ['|a|\n|-|\n', '|b|\n', ''],
    'table heads': ['', '|a|\n|-|\n\n', ''],
    'table delimiters': ['', '|-', '\n'],
    'cells without ends': ['a|b\n-|-\n', '|', ''],
    'cells with code': ['a|b\n-|-\n', '`|', ''],
    'cells with code and formulas': ['a|b\n-|-\n', '`a`$ | b | ', ''],
    'cells with code before formulas': ['a|b\n-|-\n', '`a` ', '$ | b | c'],
    'cells with escapes': ['a|b\n-|-\n', '\\|', ''],
    formulas: ['', '$a ', ''],
    'formulas of blocks': ['', '$$', ''],
    'formulas on lines': ['', '$$a\n', ''],
    'formulas in parentheses': ['', '\\(', ''],
    'formulas in brackets': ['', '\\[a\n', ''],
    'punctuation of Unicode': ['', '\u201ca\u201d*', ''],
    'pairs of surrogates': ['', '\ud83d\ude00_', ''],
    'halves of pairs': ['', '\ud83d', ''],
    'control sequences': ['', '\u001b]a', ''],
    'sequences with parameters': ['', '\u001b[1;', ''],
    'starts of a line that are erased': ['', 'ab\u001b[1K', ''],
    'starts that are erased again': ['', '\ra\u001b[999Cb\u001b[1K', ''],
    'lines that are erased': ['', 'ab\u001b[2K', ''],
    'moves to the right': ['', '\u001b[120Gx\n', ''],
    'progress in a line': ['', 'a\r', ''],
    backspaces: ['', 'ab\b', ''],
    'one character': ['', 'a', ''],
    'one character and another': ['', 'a', 'b'],
    'one word': ['', 'word ', ''],
    'words that end sentences': ['', 'a.', ' b'],
    'percent signs': ['', '%41', ''],
    'escapes of JSON': ['', '\\u0041', ''],
    'parts of paths': ['', 'a/', ''],
    'parent folders': ['', '../', ''],
    drives: ['', 'c:\\', ''],
    'lines of paths': ['', 'a.ts:1', ''],
    'hunks of a diff': ['', '@@ -1 +1 @@\n-a\n+b\n', ''],
    'files of a diff': ['', '--- a\n+++ b\n@@\n-c\n', ''],
    'files of Git': ['', 'diff --git a/a b/b\n', ''],
    'one file of Git': ['diff --git a/', 'a b/', 'b\u2028\n'],
    'files of a patch': ['', '*** Update File: a\n', ''],
    'blocks to search': ['', '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n', ''],
    'open blocks to search': ['', '<<<<<<< SEARCH\n', ''],
    checklists: ['', '- [ ] a\n', ''],
    'checklists without text': ['', '- [x] ', ''],
    'private keys': ['', '-----BEGIN PRIVATE KEY-----a', ''],
    tokens: ['', 'eyJhbGciOiJI.', ''],
    'names of secrets': ['', 'api_key-', ''],
    secrets: ['', 'password=', ''],
    'users of addresses': ['', 'a://b:c', ''],
    'images for models': ['', '![a](b', ''],
  }),
  'brackets around text': (length) => nested('[', 'a', ']', length),
  'links around text': (length) => nested('[', 'a', '](b)', length),
  'links without an address around text': (length) => nested('[', 'a', ']( )', length),
  'images around text': (length) => nested('![', 'a', '](b)', length),
  'emphasis around text': (length) => nested('*a **b ', 'c', 'd** e* ', length),
  'parentheses in a target': (length) => `[a](${nested('(', 'b', ')', length)})`,
  'nested JSON': (length) => nested('{"a":[', '1', ']}', length),
  'nested quotes of many lines': (length) => lines(length, (line) => `${'>'.repeat(line)} a`),
  'nested lists': (length) => lines(length, (line) => `${'  '.repeat(line)}- a`),
  'code of every length': (length) => lines(length, (line) => `${'`'.repeat(line)}a`, ' '),
  'fences of every length': (length) => lines(length, (line) => '`'.repeat(line + 3)),
  'a wide table': (length) => {
    const third = Math.floor(length / 6);
    return `${'|a'.repeat(third)}\n${'|-'.repeat(third)}\n${'|\n'.repeat(third)}`;
  },
  'progress over a long line': (length) => `${'a'.repeat(length / 2)}${'\rb'.repeat(length / 4)}`,
  'lines that differ': (length) => lines(length, (line) => `${line * 7}`),
  'lines in another order': (length) => lines(length, (line, count) => `${(line * 7) % Math.max(1, count - 3)}`),
};

/** Attacks that repeat a piece between a start and an end. */
function repeated(
  attacks: Readonly<Record<string, readonly [start: string, piece: string, end: string]>>,
): Readonly<Record<string, (length: number) => string>> {
  return Object.fromEntries(
    Object.entries(attacks).map(([name, [start, piece, end]]) => [
      name,
      (length: number) => textOf({ start, piece, end }, length),
    ]),
  );
}

function nested(open: string, inside: string, close: string, length: number): string {
  const depth = Math.ceil(length / (open.length + close.length));
  return open.repeat(depth) + inside + close.repeat(depth);
}

/**
 * Lines that together have about `length` characters. `text` gets the index of a line and a rough count of all lines.
 */
function lines(length: number, text: (line: number, count: number) => string, separator = '\n'): string {
  const made: string[] = [];
  for (let count = 0; count < length;) {
    const line = text(made.length, length / 4);
    made.push(line);
    count += line.length + 1;
  }
  return made.join(separator);
}

/** All pieces of up to `most` parts from an alphabet, without those that are a shorter piece twice. */
export function piecesOf(alphabet: readonly string[], most: number): readonly string[] {
  const pieces = new Set<string>();
  let last = [''];
  for (let length = 1; length <= most; length += 1) {
    last = last.flatMap((piece) => alphabet.map((part) => piece + part));
    for (const piece of last) if (!pieces.has(half(piece))) pieces.add(piece);
  }
  return [...pieces];
}

function half(piece: string): string {
  const middle = piece.slice(0, piece.length / 2);
  return middle + middle === piece ? middle : '';
}

/** Attacks on a regular expression: what it matches in part, and all short pieces of the characters that it names. */
export function regexAttacks(source: string, flags: string, mostParts: number): readonly Attack[] {
  const { pattern } = new RegExpParser().parseLiteral(`/${source}/${flags}`);
  const samples = [0, 1, 2].flatMap((choice) => sampleOf(pattern, choice));
  const alphabet = [...new Set([...charactersOf(pattern, flags), 'a', ' '])].slice(0, 10);
  const pieces = new Set(piecesOf(alphabet, mostParts));
  const starts = new Set(['']);
  for (const sample of samples) {
    const text = sample.slice(0, 60);
    for (let from = 0; from < text.length; from += 1) {
      for (let to = from + 1; to <= Math.min(text.length, from + 24); to += 1) pieces.add(text.slice(from, to));
      starts.add(text.slice(0, from));
      for (const part of alphabet) pieces.add(text.slice(0, from) + part);
    }
  }
  const ends = ['', '\0'];
  return [
    ...[...pieces].flatMap((piece) => ends.map((end) => ({ start: '', piece, end }))),
    ...[...starts].flatMap((start) => alphabet.map((piece) => ({ start, piece, end: '\0' }))),
  ];
}

/**
 * Whether an expression repeats none of its parts more than eight times, so that a search takes a limited number of
 * steps from each place.
 */
export function repeatsLittle(source: string, flags: string): boolean {
  let most = 0;
  visitRegExpAST(new RegExpParser().parseLiteral(`/${source}/${flags}`), {
    onQuantifierEnter: ({ max }) => void (most = Math.max(most, max)),
  });
  return most <= 8;
}

/**
 * For each alternative of a pattern, a text that it matches, apart from its assertions. `choice` selects alternatives
 * in its groups, and the number of repetitions.
 */
function sampleOf(pattern: AST.Pattern, choice: number): readonly string[] {
  const all = (alternatives: readonly { readonly type: string }[], pick: number): string => {
    const alternative = alternatives[pick % alternatives.length];
    return alternative && 'elements' in alternative
      ? (alternative.elements as AST.Element[]).map((element) => one(element, pick)).join('')
      : '';
  };
  const one = (element: AST.Element, pick: number): string => {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return all(element.alternatives, pick);
      case 'Quantifier': {
        const count = Math.min(element.max, Math.max(element.min, pick === 0 ? 1 : pick));
        return Array.from({ length: Math.min(count, 40) }, () => one(element.element, pick)).join('');
      }
      case 'Assertion':
        return element.kind === 'lookahead' && !element.negate ? all(element.alternatives, pick) : '';
      case 'Backreference': {
        const [resolved] = [element.resolved].flat();
        return resolved ? all(resolved.alternatives, pick) : '';
      }
      default:
        return acceptedBy(element, '');
    }
  };
  return pattern.alternatives.map((_, index) => all([pattern.alternatives[index] ?? { type: '' }], choice));
}

const candidates = [
  ...Array.from('a1A_ -*`~#>[]()<!|$\\/.:;,"\'=+&?@%{}^\n\t\u00e9'),
  '\u0000',
  '\u001b',
  '\u0007',
  '\u202e',
  '\ud83d\ude00',
  '\u3002',
  'e',
  'n',
];

/** A character that an element matches; empty if it matches none of the candidates. */
function acceptedBy(element: AST.Element, flags: string): string {
  if (element.type === 'Character') return String.fromCodePoint(element.value);
  const mode = /\\p|\\u\{/i.test(element.raw) ? 'u' : '';
  const expression = new RegExp(`^(?:${element.raw})$`, mode + flags.replace(/[^is]/g, ''));
  return candidates.find((candidate) => expression.test(candidate)) ?? '';
}

function acceptsBreak(element: AST.Element, flags: string): readonly string[] {
  const mode = /\\p|\\u\{/i.test(element.raw) ? 'u' : '';
  return new RegExp(`^(?:${element.raw})$`, mode + flags.replace(/[^is]/g, '')).test('\n') ? ['\n'] : [];
}

/**
 * The characters that a pattern names, with at most two letters, and one character for each of its classes, and also a
 * line break if the class accepts one.
 */
function charactersOf(pattern: AST.Pattern, flags: string): readonly string[] {
  const found = new Set<string>();
  const visit = (node: AST.Node): void => {
    if (node.type === 'Character') found.add(String.fromCodePoint(node.value));
    if (node.type === 'CharacterClass' || node.type === 'CharacterSet') {
      const accepted = [acceptedBy(node, flags), ...acceptsBreak(node, flags)];
      for (const one of accepted) if (one !== '') found.add(one);
    }
    if (node.type === 'CharacterClass') {
      for (const part of node.elements) {
        if (part.type === 'Character') found.add(String.fromCodePoint(part.value));
      }
      return;
    }
    if ('alternatives' in node) for (const part of node.alternatives) visit(part);
    if ('elements' in node) for (const part of node.elements) visit(part);
    if (node.type === 'Quantifier') visit(node.element);
  };
  visit(pattern);
  // Two letters are enough, because the samples contain the words of the pattern.
  const all = [...found];
  return [
    ...all.filter((character) => !/[A-Za-z]/.test(character)),
    ...all.filter((one) => /[A-Za-z]/.test(one)).slice(0, 2),
  ];
}
