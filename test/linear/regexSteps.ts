/**
 * Counts the steps that a backtracking engine takes to run a regular expression. V8's own engine can't count them, and
 * its time isn't the same in two runs.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** One instruction of a compiled expression. Numbers are indexes of instructions or of registers. */
type Instruction =
  | { readonly type: 'read'; readonly accepts: (character: string) => boolean; readonly isBack: boolean }
  | { readonly type: 'fork'; readonly first: number; second: number }
  | { readonly type: 'jump'; to: number }
  | { readonly type: 'save' | 'clear' | 'increment'; readonly register: number }
  | { readonly type: 'moved'; readonly register: number }
  | {
      readonly type: 'repeat';
      readonly register: number;
      readonly quantifier: AST.Quantifier;
      body: number;
      exit: number;
    }
  | { readonly type: 'assert'; readonly holds: (text: string, at: number) => boolean }
  | { readonly type: 'look'; readonly isNegated: boolean; readonly body: number; next: number }
  | { readonly type: 'backreference'; readonly group: number; readonly isBack: boolean }
  | { readonly type: 'accept' };

/** What to do when an attempt fails: undo a register, or continue elsewhere. */
type Undo =
  | { readonly register: number; readonly value: number }
  | { readonly instruction: number; readonly at: number };

/** A regular expression whose steps can be counted. */
export class CountedRegex {
  readonly #program: Instruction[] = [];
  readonly #flags: AST.Flags;
  readonly #isAnchored: boolean;
  #registers = 0;

  constructor(source: string, flags: string) {
    const { pattern, flags: parsed } = new RegExpParser().parseLiteral(`/${source === '' ? '(?:)' : source}/${flags}`);
    this.#flags = parsed;
    this.#isAnchored =
      !parsed.multiline &&
      pattern.alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start');
    this.#registers = 2 * (countGroups(pattern) + 1);
    this.#alternatives(pattern.alternatives, false);
    this.#add({ type: 'accept' });
  }

  /**
   * The steps of one `exec` from `from` on, and the range of its match. Stops after `most` steps, and then there is no
   * match.
   */
  run(
    text: string,
    from: number,
    most = Infinity,
  ): { readonly steps: number; readonly match?: readonly [number, number] } {
    let steps = 0;
    // V8 also tries an expression that begins with `^` only once.
    const last = this.#flags.sticky || this.#isAnchored ? Math.min(from, text.length) : text.length;
    for (let start = from; start <= last && steps < most; start += 1) {
      const attempt = new Attempt(this.#program, this.#registers, text, this.#flags.unicode, most - steps);
      const end = attempt.run(0, start);
      steps += attempt.steps;
      if (end !== undefined) return { steps, match: [start, end] };
    }
    return { steps };
  }

  #add(instruction: Instruction): number {
    return this.#program.push(instruction) - 1;
  }

  #alternatives(alternatives: readonly AST.Alternative[], isBack: boolean): void {
    const ends: { to: number }[] = [];
    for (const [index, { elements }] of alternatives.entries()) {
      const isLast = index === alternatives.length - 1;
      const fork = isLast ? undefined : { type: 'fork' as const, first: this.#program.length + 1, second: 0 };
      if (fork) this.#add(fork);
      for (const element of isBack ? elements.toReversed() : elements) this.#element(element, isBack);
      if (!fork) break;
      const end = { type: 'jump' as const, to: 0 };
      ends.push(end);
      this.#add(end);
      fork.second = this.#program.length;
    }
    for (const end of ends) end.to = this.#program.length;
  }

  #element(element: AST.Element, isBack: boolean): void {
    switch (element.type) {
      case 'Group':
        this.#alternatives(element.alternatives, isBack);
        return;
      case 'CapturingGroup': {
        const start = 2 * groupNumber(element);
        this.#add({ type: 'save', register: isBack ? start + 1 : start });
        this.#alternatives(element.alternatives, isBack);
        this.#add({ type: 'save', register: isBack ? start : start + 1 });
        return;
      }
      case 'Quantifier':
        this.#quantifier(element, isBack);
        return;
      case 'Assertion':
        this.#assertion(element);
        return;
      case 'Backreference': {
        const [resolved] = [element.resolved].flat();
        this.#add({ type: 'backreference', group: resolved ? groupNumber(resolved) : 0, isBack });
        return;
      }
      default:
        this.#add({ type: 'read', accepts: accepting(element.raw, this.#flags), isBack });
    }
  }

  #quantifier(quantifier: AST.Quantifier, isBack: boolean): void {
    const { min, max, greedy, element } = quantifier;
    if (min === 0 && max === Infinity && element.type.startsWith('Character')) {
      // What always reads a character needs no registers.
      const at = this.#program.length;
      const [body, exit] = [at + 1, at + 3];
      this.#add({ type: 'fork', first: greedy ? body : exit, second: greedy ? exit : body });
      this.#element(element, isBack);
      this.#add({ type: 'jump', to: at });
      return;
    }
    const counter = this.#registers;
    const place = counter + 1;
    this.#registers += 2;
    this.#add({ type: 'clear', register: counter });
    const repeat = { type: 'repeat' as const, register: counter, quantifier, body: 0, exit: 0 };
    const at = this.#add(repeat);
    repeat.body = this.#program.length;
    this.#add({ type: 'increment', register: counter });
    this.#add({ type: 'save', register: place });
    this.#element(quantifier.element, isBack);
    // An iteration beyond the minimum that matches nothing fails.
    if (quantifier.max === Infinity) this.#add({ type: 'moved', register: place });
    this.#add({ type: 'jump', to: at });
    repeat.exit = this.#program.length;
  }

  #assertion(assertion: AST.Assertion): void {
    if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
      const look = { type: 'look' as const, isNegated: assertion.negate, body: this.#program.length + 1, next: 0 };
      this.#add(look);
      this.#alternatives(assertion.alternatives, assertion.kind === 'lookbehind');
      this.#add({ type: 'accept' });
      look.next = this.#program.length;
      return;
    }
    this.#add({ type: 'assert', holds: asserting(assertion.raw, this.#flags) });
  }
}

/** One attempt at one start. */
class Attempt {
  readonly #program: readonly Instruction[];
  readonly #text: string;
  readonly #isUnicode: boolean;
  readonly #most: number;
  readonly #registers: number[];
  steps = 0;

  constructor(program: readonly Instruction[], registers: number, text: string, isUnicode: boolean, most: number) {
    this.#program = program;
    this.#text = text;
    this.#isUnicode = isUnicode;
    this.#most = most;
    this.#registers = Array<number>(registers).fill(-1);
  }

  /** The end of the match; undefined if there is none. */
  run(first: number, start: number): number | undefined {
    const undo: Undo[] = [];
    let [pc, at] = [first, start];
    for (;;) {
      this.steps += 1;
      if (this.steps > this.#most) return undefined;
      const instruction = this.#program[pc];
      if (!instruction || instruction.type === 'accept') return at;
      const next = this.#step(instruction, pc, at, undo);
      if (next) [pc, at] = next;
      else {
        const back = this.#undo(undo);
        if (!back) return undefined;
        [pc, at] = back;
      }
    }
  }

  #undo(undo: Undo[]): [number, number] | undefined {
    for (let last = undo.pop(); last; last = undo.pop()) {
      if ('instruction' in last) return [last.instruction, last.at];
      this.#registers[last.register] = last.value;
    }
    return undefined;
  }

  #set(register: number, value: number, undo: Undo[]): void {
    undo.push({ register, value: this.#registers[register] ?? -1 });
    this.#registers[register] = value;
  }

  #step(
    instruction: Exclude<Instruction, { type: 'accept' }>,
    pc: number,
    at: number,
    undo: Undo[],
  ): [number, number] | undefined {
    switch (instruction.type) {
      case 'read': {
        const character = this.#characterAt(at, instruction.isBack);
        if (character === '' || !instruction.accepts(character)) return undefined;
        return [pc + 1, instruction.isBack ? at - character.length : at + character.length];
      }
      case 'fork':
        undo.push({ instruction: instruction.second, at });
        return [instruction.first, at];
      case 'jump':
        return [instruction.to, at];
      case 'save':
        this.#set(instruction.register, at, undo);
        return [pc + 1, at];
      case 'clear':
        this.#set(instruction.register, 0, undo);
        return [pc + 1, at];
      case 'increment':
        this.#set(instruction.register, (this.#registers[instruction.register] ?? 0) + 1, undo);
        return [pc + 1, at];
      case 'moved':
        return this.#registers[instruction.register] === at ? undefined : [pc + 1, at];
      case 'repeat': {
        const { min, max, greedy } = instruction.quantifier;
        const count = this.#registers[instruction.register] ?? 0;
        if (count < min) return [instruction.body, at];
        if (count >= max) return [instruction.exit, at];
        const [first, second] = greedy ? [instruction.body, instruction.exit] : [instruction.exit, instruction.body];
        undo.push({ instruction: second, at });
        return [first, at];
      }
      case 'assert':
        return instruction.holds(this.#text, at) ? [pc + 1, at] : undefined;
      case 'look':
        return (this.run(instruction.body, at) === undefined) === instruction.isNegated
          ? [instruction.next, at]
          : undefined;
      case 'backreference': {
        const start = this.#registers[2 * instruction.group] ?? -1;
        const end = this.#registers[2 * instruction.group + 1] ?? -1;
        if (start < 0 || end < 0) return [pc + 1, at];
        const length = end - start;
        this.steps += length;
        const from = instruction.isBack ? at - length : at;
        const isSame = this.#text.slice(from, from + length) === this.#text.slice(start, end);
        return from >= 0 && isSame ? [pc + 1, instruction.isBack ? from : from + length] : undefined;
      }
    }
  }

  /** The character after or before a place; empty at the ends. With the flag `u`, it can have two code units. */
  #characterAt(at: number, isBack: boolean): string {
    const text = this.#text;
    if (!this.#isUnicode) return text.charAt(isBack ? at - 1 : at);
    if (!isBack) return at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '';
    const pair = at > 1 ? text.slice(at - 2, at) : '';
    return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : text.charAt(at - 1);
  }
}

function countGroups(pattern: AST.Pattern): number {
  return groupsIn(pattern).length;
}

function groupsIn(pattern: AST.Pattern): readonly AST.CapturingGroup[] {
  const known = groups.get(pattern);
  if (known) return known;
  const found: AST.CapturingGroup[] = [];
  const visit = (node: AST.Pattern | AST.Element | AST.Alternative): void => {
    if (node.type === 'CapturingGroup') found.push(node);
    if (node.type === 'Quantifier') visit(node.element);
    if ('alternatives' in node)
      for (const alternative of node.alternatives) if ('elements' in alternative) visit(alternative);
    if (node.type === 'Alternative') node.elements.forEach(visit);
  };
  visit(pattern);
  groups.set(pattern, found);
  return found;
}

const groups = new WeakMap<AST.Pattern, readonly AST.CapturingGroup[]>();

/** The number of a group, as in `$1`. */
function groupNumber(group: AST.CapturingGroup): number {
  const pattern = patternOf(group);
  return pattern ? groupsIn(pattern).indexOf(group) + 1 : 0;
}

function patternOf(node: AST.Node): AST.Pattern | undefined {
  if (node.type === 'Pattern') return node;
  return node.parent ? patternOf(node.parent) : undefined;
}

/** Whether an element that reads one character accepts it. The engine of JavaScript decides, once for each character. */
function accepting(raw: string, flags: AST.Flags): (character: string) => boolean {
  const expression = new RegExp(`^(?:${raw})$`, modes(flags, false));
  const known = new Map<string, boolean>();
  return (character) => {
    let isAccepted = known.get(character);
    if (isAccepted === undefined) known.set(character, (isAccepted = expression.test(character)));
    return isAccepted;
  };
}

/** Whether an assertion without content holds, which depends on the characters next to the place only. */
function asserting(raw: string, flags: AST.Flags): (text: string, at: number) => boolean {
  const expression = new RegExp(raw, `${modes(flags, true)}y`);
  return (text, at) => {
    const from = Math.max(0, at - 2);
    // `^` and `$` must not hold at the ends of the part if they don't hold at the ends of the text.
    expression.lastIndex = at - from;
    if (raw === '^' && !flags.multiline) return at === 0;
    if (raw === '$' && !flags.multiline) return at === text.length;
    if (raw === '^') return at === 0 || /[\n\r\u2028\u2029]/.test(text.charAt(at - 1));
    if (raw === '$') return at === text.length || /[\n\r\u2028\u2029]/.test(text.charAt(at));
    return expression.test(text.slice(from, at + 2));
  };
}

function modes({ ignoreCase, unicode, unicodeSets, dotAll }: AST.Flags, hasMultiline: boolean): string {
  return `${ignoreCase ? 'i' : ''}${unicode ? 'u' : ''}${unicodeSets ? 'v' : ''}${dotAll ? 's' : ''}${hasMultiline ? 'm' : ''}`;
}
