import { type Context, Script, createContext } from 'node:vm';
import type { FindPattern } from '../../state/conversation/find.ts';

/** In one text are counted at most so many matches, in at most so many characters. */
const mostMatches = 1_000;
const mostCharacters = 1_000_000;
/** Expressions can take forever: so long is given to many texts together, and to one by itself. */
const manyMs = 250;
const oneMs = 100;
/** After so many texts that took too long, the expression is given up. */
const mostSlow = 4;

const counting = new Script(`(() => {
  const expression = new RegExp(source, flags);
  return JSON.stringify(texts.map((text) => {
    let count = 0;
    expression.lastIndex = 0;
    for (let found; count < most && (found = expression.exec(text)) !== null;) {
      if (found[0] === '') expression.lastIndex += 1;
      else count += 1;
    }
    return count;
  }));
})()`);

/**
 * Counts matches of an expression, and never for long: it runs where it can be ended from outside, which a regular
 * expression that tries every way there is makes necessary.
 */
export class MatchCounter {
  readonly #context: Context;
  #slowCount = 0;

  constructor({ source, flags }: FindPattern) {
    this.#context = createContext({ source, flags, most: mostMatches });
  }

  /** The expression took too long too often and is not run any more; what it did not get to counts as no match. */
  get isGivenUp(): boolean {
    return this.#slowCount >= mostSlow;
  }

  /** How many matches each text has. */
  count(texts: readonly string[]): readonly number[] {
    return this.#run(texts, manyMs) ?? texts.map((text) => this.#countOne(text));
  }

  #countOne(text: string): number {
    if (this.isGivenUp) return 0;
    const [count] = this.#run([text], oneMs) ?? [];
    if (count === undefined) this.#slowCount += 1;
    return count ?? 0;
  }

  #run(texts: readonly string[], timeout: number): readonly number[] | undefined {
    this.#context['texts'] = texts.map((text) => text.slice(0, mostCharacters));
    try {
      const counts: unknown = JSON.parse(String(counting.runInContext(this.#context, { timeout })));
      return Array.isArray(counts) ? counts.map(Number) : undefined;
    } catch {
      return undefined;
    }
  }
}
