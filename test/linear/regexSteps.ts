/**
 * Counts the steps that a backtracking engine takes to run a regular expression. V8's own engine can't count them, and
 * its time isn't the same in two runs.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** An instruction of a compiled expression. Numbers are indexes of instructions or registers; `group` is as in `$1`. */
type Instruction =
  | { readonly type: 'read'; readonly accepts: (code: number) => boolean; readonly isBack: boolean }
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
    const attempts = new Attempts(this.#program, this.#registers, text, this.#flags.unicode, most);
    // An expression that begins with `^` is tried only once, as in V8.
    const last = this.#flags.sticky || this.#isAnchored ? Math.min(from, text.length) : text.length;
    for (let start = from; start <= last && attempts.steps < most; start += 1) {
      const end = attempts.begin(start);
      if (end !== none) return { steps: attempts.steps, match: [start, end] };
    }
    return { steps: attempts.steps };
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
      // An iteration that always reads a character can't be empty, so it needs no registers.
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
    // An iteration that matches nothing fails. JavaScript would accept it within the minimum.
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

/** The value for no position or no instruction. */
const none = -1;

/**
 * The attempts of one `exec`, one for each start. The tests spend most of their time here, so a step creates no
 * objects: it puts what to do after a failure on a stack, as two numbers, and returns the next instruction.
 */
class Attempts {
  readonly #program: readonly Instruction[];
  readonly #text: string;
  readonly #isUnicode: boolean;
  readonly #most: number;
  readonly #registers: number[];
  /** Pairs: an instruction and the position at which it runs, or `-1 - register` and its earlier value. */
  readonly #undo: number[] = [];
  #at = 0;
  #hasSet = false;
  steps = 0;

  constructor(program: readonly Instruction[], registers: number, text: string, isUnicode: boolean, most: number) {
    this.#program = program;
    this.#text = text;
    this.#isUnicode = isUnicode;
    this.#most = most;
    this.#registers = Array<number>(registers).fill(none);
  }

  /** The end of the match that begins at `start`, or `none`. */
  begin(start: number): number {
    if (this.#hasSet) this.#registers.fill(none);
    this.#hasSet = false;
    return this.#run(0, start);
  }

  #run(first: number, start: number): number {
    const bottom = this.#undo.length;
    let pc = first;
    this.#at = start;
    while (pc !== none) {
      this.steps += 1;
      if (this.steps > this.#most) break;
      const instruction = this.#program[pc];
      if (!instruction || instruction.type === 'accept') {
        this.#undo.length = bottom;
        return this.#at;
      }
      pc = this.#step(instruction, pc);
      if (pc === none) pc = this.#goBack(bottom);
    }
    this.#undo.length = bottom;
    return none;
  }

  /** Undoes what was done since the last choice, and returns the other instruction of that choice. */
  #goBack(bottom: number): number {
    while (this.#undo.length > bottom) {
      const value = this.#undo.pop() ?? 0;
      const target = this.#undo.pop() ?? 0;
      if (target >= 0) {
        this.#at = value;
        return target;
      }
      this.#registers[-1 - target] = value;
    }
    return none;
  }

  #set(register: number, value: number): void {
    this.#hasSet = true;
    this.#undo.push(-1 - register, this.#registers[register] ?? none);
    this.#registers[register] = value;
  }

  #choose(first: number, second: number): number {
    this.#undo.push(second, this.#at);
    return first;
  }

  /** The next instruction, or `none` if this one fails. */
  #step(instruction: Exclude<Instruction, { type: 'accept' }>, pc: number): number {
    switch (instruction.type) {
      case 'read':
        return this.#read(instruction.accepts, instruction.isBack) ? pc + 1 : none;
      case 'fork':
        return this.#choose(instruction.first, instruction.second);
      case 'jump':
        return instruction.to;
      case 'save':
        this.#set(instruction.register, this.#at);
        return pc + 1;
      case 'clear':
        this.#set(instruction.register, 0);
        return pc + 1;
      case 'increment':
        this.#set(instruction.register, (this.#registers[instruction.register] ?? 0) + 1);
        return pc + 1;
      case 'moved':
        return this.#registers[instruction.register] === this.#at ? none : pc + 1;
      case 'repeat': {
        const { min, max, greedy } = instruction.quantifier;
        const count = this.#registers[instruction.register] ?? 0;
        if (count < min) return instruction.body;
        if (count >= max) return instruction.exit;
        return greedy
          ? this.#choose(instruction.body, instruction.exit)
          : this.#choose(instruction.exit, instruction.body);
      }
      case 'assert':
        return instruction.holds(this.#text, this.#at) ? pc + 1 : none;
      case 'look': {
        const at = this.#at;
        const isFound = this.#run(instruction.body, at) !== none;
        this.#at = at;
        return isFound === instruction.isNegated ? none : instruction.next;
      }
      case 'backreference':
        return this.#refer(instruction.group, instruction.isBack) ? pc + 1 : none;
    }
  }

  /** Moves over a character if it is accepted. With the flag `u`, it can have two code units. */
  #read(accepts: (code: number) => boolean, isBack: boolean): boolean {
    const at = isBack ? this.#at - 1 : this.#at;
    if (at < 0 || at >= this.#text.length) return false;
    let code = this.#text.charCodeAt(at);
    let end = isBack ? at : at + 1;
    if (this.#isUnicode && code >= 0xd800 && code <= 0xdfff) {
      // Before index 0 there is no code point, and `code` is only half of one.
      const whole = this.#text.codePointAt(isBack ? at - 1 : at) ?? code;
      if (whole > 0xffff) {
        code = whole;
        end = isBack ? at - 1 : at + 2;
      }
    }
    if (!accepts(code)) return false;
    this.#at = end;
    return true;
  }

  /** Moves over what a group matched, if it is there again. */
  #refer(group: number, isBack: boolean): boolean {
    const start = this.#registers[2 * group] ?? none;
    const end = this.#registers[2 * group + 1] ?? none;
    if (start < 0 || end < 0) return true;
    const length = end - start;
    this.steps += length;
    const from = isBack ? this.#at - length : this.#at;
    if (from < 0 || this.#text.slice(from, from + length) !== this.#text.slice(start, end)) return false;
    this.#at = isBack ? from : from + length;
    return true;
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

/**
 * Whether an element that reads one character accepts it. The engine of JavaScript decides, once for each character.
 */
function accepting(raw: string, flags: AST.Flags): (code: number) => boolean {
  const expression = new RegExp(`^(?:${raw})$`, modes(flags, false));
  const accepts = (code: number) => expression.test(String.fromCodePoint(code));
  const ascii: (boolean | undefined)[] = Array<boolean | undefined>(128).fill(undefined);
  // An index far beyond the end of an array would make V8 use a slow dictionary for the array.
  const others = new Map<number, boolean>();
  return (code) => {
    if (code < ascii.length) return (ascii[code] ??= accepts(code));
    const known = others.get(code) ?? accepts(code);
    others.set(code, known);
    return known;
  };
}

/** Whether an assertion without content holds, which depends only on the characters next to the place. */
function asserting(raw: string, flags: AST.Flags): (text: string, at: number) => boolean {
  const expression = new RegExp(raw, `${modes(flags, true)}y`);
  return (text, at) => {
    const from = Math.max(0, at - 2);
    // `^` and `$` must not hold at an end of the tested part that isn't an end of the text.
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
