import { type Context, Script, createContext } from 'node:vm';
import type { FindPattern } from '../state/findPattern.ts';

/** In one text are counted at most so many matches, in at most so many characters. */
const mostMatches = 1_000;
const mostCharacters = 1_000_000;
/** Expressions can take forever: so long is given to many texts together, and to one by itself. */
const manyMs = 500;
const oneMs = 300;

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

  /** In how many texts the expression took too long; they count as without a match. */
  get slowCount(): number {
    return this.#slowCount;
  }

  /** How many matches each text has. */
  count(texts: readonly string[]): readonly number[] {
    return this.#run(texts, manyMs) ?? texts.map((text) => this.#countOne(text));
  }

  #countOne(text: string): number {
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
