/**
 * Counts the work of functions: the iterations of their loops and their calls, the steps of regular expressions, and
 * the characters and elements that the built-in functions of strings and arrays read. Counts are the same in every run.
 */
import { createContext, Script } from 'node:vm';
import { build } from 'esbuild';
import ts from 'typescript';
import { CountedRegex } from './regexSteps.ts';

/** The name of the counter in counted code. It is a parameter: looking up a global of a context takes much longer. */
const counter = '$work';

type Count = (amount?: number) => void;
type CountRegex = (source: string, flags: string, text: string, from: number) => void;

/** A module whose functions count their work. */
export class CountedModule<T> {
  readonly exports: T;
  readonly #regexes = new Map<string, CountedRegex>();
  readonly #counter: Counter;

  private constructor(code: string) {
    const context = createContext({
      TextEncoder,
      TextDecoder,
      Buffer,
      URL,
      btoa,
      atob,
      Intl,
      console,
      performance,
      structuredClone,
    });
    const makeCounter: unknown = new Script(counting).runInContext(context);
    this.#counter = (makeCounter as (onLimit: (most: number) => void) => Counter)((most) => {
      throw new WorkLimitError(`More work than ${most}`);
    });
    const { add } = this.#counter;
    const countRegex: CountRegex = (...found) => this.#runRegex(...found);
    const countBuiltIns: unknown = new Script(countingBuiltIns).runInContext(context);
    (countBuiltIns as (count: Count, countRegex: CountRegex) => void)(add, countRegex);
    const run: unknown = new Script(`(${counter}) => {${code}\nreturn counted;}`).runInContext(context);
    this.exports = (run as (count: Count) => T)(add);
  }

  /** Bundles a module with the packages that it imports, adds counters to the code, and runs it. */
  static async load<T>(file: string): Promise<CountedModule<T>> {
    const { outputFiles } = await build({
      entryPoints: [file],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'counted',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      conditions: ['import'],
      target: 'es2023',
      logLevel: 'silent',
    });
    return new CountedModule<T>(withCounters(outputFiles[0]?.text ?? ''));
  }

  /**
   * The work that `run` does.
   * @throws WorkLimitError if it is more than `most`.
   */
  count(run: () => unknown, most = Infinity): number {
    this.#counter.start(most);
    try {
      run();
    } finally {
      this.#counter.end();
    }
    return this.#counter.work();
  }

  #runRegex(source: string, flags: string, text: string, from: number): void {
    const name = `/${source}/${flags}`;
    let regex = this.#regexes.get(name);
    if (!regex) this.#regexes.set(name, (regex = new CountedRegex(source, flags)));
    this.#counter.add(regex.run(text, from, this.#counter.left() + 1).steps);
  }
}

export class WorkLimitError extends Error {}

interface Counter {
  readonly add: Count;
  readonly start: (most: number) => void;
  readonly end: () => void;
  readonly work: () => number;
  /** The work that may still be done. */
  readonly left: () => number;
}

/** The counter belongs to the context of the counted code, because V8 doesn't inline functions of another context. */
const counting = `(onLimit) => {
  let work = 0;
  let most = Infinity;
  return {
    add(amount = 1) {
      work += amount;
      if (work > most) onLimit(most);
    },
    start(limit) {
      work = 0;
      most = limit;
    },
    end() {
      most = Infinity;
    },
    work: () => work,
    left: () => most - work,
  };
}`;

/** Replaces built-in functions with ones that also count. Functions with callbacks are counted by their callbacks. */
const countingBuiltIns = `(${counter}, $regex) => {
  const { apply } = Reflect;
  const wrap = (owner, name, amount) => {
    const original = owner[name];
    Object.defineProperty(owner, name, { configurable: true, writable: true, value(...args) {
      const result = apply(original, this, args);
      ${counter}(amount.call(this, result, args));
      return result;
    } });
  };
  const found = function (result, [, from = 0]) {
    return 1 + (typeof result === 'number' && result >= 0 ? result - from : Math.max(0, this.length - from));
  };
  const whole = function () { return 1 + this.length; };
  const made = (result) => 1 + result.length;
  wrap(String.prototype, 'indexOf', found);
  wrap(String.prototype, 'lastIndexOf', function (result, [, from = this.length]) {
    return 1 + Math.max(0, from - Math.max(0, result));
  });
  wrap(String.prototype, 'includes', whole);
  for (const name of ['toLowerCase', 'toUpperCase', 'normalize', 'repeat', 'padStart', 'padEnd']) {
    wrap(String.prototype, name, made);
  }
  for (const name of ['trim', 'trimStart', 'trimEnd']) {
    wrap(String.prototype, name, function (result) { return 1 + this.length - result.length; });
  }
  for (const name of ['split', 'replaceAll']) {
    const original = String.prototype[name];
    Object.defineProperty(String.prototype, name, { configurable: true, writable: true, value(...args) {
      // Regular expressions count by themselves.
      if (typeof args[0] === 'string') ${counter}(1 + this.length);
      return apply(original, this, args);
    } });
  }
  for (const name of ['indexOf', 'lastIndexOf', 'includes', 'join', 'fill']) wrap(Array.prototype, name, whole);
  for (const name of ['slice', 'concat', 'splice', 'flat', 'reverse', 'toReversed', 'toSpliced', 'with']) {
    wrap(Array.prototype, name, made);
  }
  for (const name of ['shift', 'unshift']) wrap(Array.prototype, name, whole);
  wrap(Array, 'from', made);
  for (const owner of [Map, Set]) {
    for (const name of ['get', 'has', 'add', 'set']) if (owner.prototype[name]) wrap(owner.prototype, name, () => 1);
  }
  wrap(JSON, 'parse', (_result, [text]) => text.length);
  wrap(JSON, 'stringify', (result) => result?.length ?? 1);
  const exec = RegExp.prototype.exec;
  Object.defineProperty(RegExp.prototype, 'exec', { configurable: true, writable: true, value(text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    $regex(this.source, this.flags, String(text), from);
    return apply(exec, this, [text]);
  } });
}`;

/** Adds a counter to each function and to each iteration of a loop. */
function withCounters(code: string): string {
  const file = ts.createSourceFile('counted.js', code, ts.ScriptTarget.ES2023, true, ts.ScriptKind.JS);
  const inserts: (readonly [at: number, text: string])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) around(node.statement);
    if (ts.isFunctionLike(node) && 'body' in node && node.body) around(node.body);
    ts.forEachChild(node, visit);
  };
  const around = (body: ts.Node) => {
    if (ts.isBlock(body)) inserts.push([body.getStart(file) + 1, `${counter}();`]);
    else if (ts.isStatement(body)) inserts.push([body.getStart(file), `{${counter}();`], [body.end, '}']);
    else inserts.push([body.getStart(file), `(${counter}(),`], [body.end, ')']);
  };
  visit(file);
  let result = '';
  let end = 0;
  for (const [at, text] of inserts.sort(([one], [other]) => one - other)) {
    result += code.slice(end, at) + text;
    end = at;
  }
  return result + code.slice(end);
}
