/** Texts that make slow functions slow: repeated pieces, alone or between other text. */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

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

/** All pieces of up to `most` parts from an alphabet. Those that only repeat a shorter one are left out. */
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

/** A text that a pattern matches, apart from its assertions. `choice` selects alternatives and repetitions. */
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
  ...'a1A_ -*`~#>[]()<!|$\\/.:;,"\'=+&?@%{}^\n\t\u00e9',
  '\u0000',
  '\u001b',
  '\u0007',
  '\u202e',
  '\ud83d\ude00',
  '\u3002',
  'e',
  'n',
];

/** A character that an element reads; empty if none of the candidates is. */
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

/** The characters that a pattern names, and one for each of its classes. */
function charactersOf(pattern: AST.Pattern, flags: string): readonly string[] {
  const found = new Set<string>();
  const visit = (node: AST.Node): void => {
    if (node.type === 'Character') found.add(String.fromCodePoint(node.value));
    if (node.type === 'CharacterClass' || node.type === 'CharacterSet') {
      const accepted = [acceptedBy(node as AST.Element, flags), ...acceptsBreak(node, flags)];
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
  // Letters of words are in the samples.
  const all = [...found];
  return [
    ...all.filter((character) => !/[A-Za-z]/.test(character)),
    ...all.filter((one) => /[A-Za-z]/.test(one)).slice(0, 2),
  ];
}
