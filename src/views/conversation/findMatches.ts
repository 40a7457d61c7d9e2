import { type Context, createContext, Script } from 'node:vm';
import type { FindPattern } from '../../state/conversation/find.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';

/** So many matches are enough: the editor's own find stops about there. */
const mostMatches = 20_000;

/**
 * One match: the message, the block of it, and the how manieth match in that block it is, from 0. Without a block it is
 * in what no page draws of the message.
 */
export interface FoundPlace {
  readonly messageId: string;
  readonly block?: number;
  readonly place: number;
}

/** So many matches are in a block, or in what is not drawn. */
interface FoundCount {
  readonly block: number | undefined;
  count: number;
}

/** What was found: how many matches in which blocks of which messages, and which one the person is at. */
export class Matches {
  readonly #blocks = new Map<string, FoundCount[]>();
  readonly #searched = new Map<string, string>();
  #count = 0;
  #current: FoundPlace | undefined;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= mostMatches;
  }

  get current(): FoundPlace | undefined {
    return this.#current;
  }

  /** Whether the message was searched as it is in this version. */
  isSearched(messageId: string, version: string): boolean {
    return this.#searched.get(messageId) === version;
  }

  /** The message is being searched anew; one whose body was not at hand is due again when its next state comes. */
  searched(messageId: string, version: string, isHere: boolean): void {
    this.#searched.set(messageId, version);
    if (!isHere) return;
    this.#count -= this.#countIn(messageId);
    this.#blocks.delete(messageId);
  }

  /** Adds what was found in a block; undefined for what is not drawn, which comes last. */
  add(messageId: string, block: number | undefined, count: number): void {
    if (count <= 0) return;
    const known = this.#blocks.get(messageId) ?? [];
    this.#blocks.set(messageId, known);
    const last = known.at(-1);
    if (last && last.block === block) last.count += count;
    else known.push({ block, count });
    this.#count += count;
  }

  /** Begins at the first match in these messages, if the person is at none yet; answers the one they are at. */
  begin(messageIds: readonly string[]): FoundPlace | undefined {
    const messageId = this.#current ? undefined : messageIds.find((id) => this.#blocks.has(id));
    if (messageId !== undefined) this.#current = this.#placeAt(messageId, 0);
    return this.#current;
  }

  /** The place of the match the person is at among all of them, from 0. */
  indexOfCurrent(headers: readonly MessageHeader[]): number | undefined {
    const current = this.#current;
    if (!current) return undefined;
    let before = 0;
    for (const { messageId } of headers) {
      if (messageId === current.messageId) return before + this.#ordinalOf(current);
      before += this.#countIn(messageId);
    }
    return undefined;
  }

  /** Goes to the next match or the one before, around the end; answers whether there is one. */
  step(headers: readonly MessageHeader[], by: 1 | -1): boolean {
    if (this.#count === 0) return false;
    const index = ((this.indexOfCurrent(headers) ?? (by > 0 ? -1 : 0)) + by + this.#count) % this.#count;
    let before = 0;
    for (const { messageId } of headers) {
      const count = this.#countIn(messageId);
      if (index < before + count) {
        this.#current = this.#placeAt(messageId, index - before);
        return true;
      }
      before += count;
    }
    return false;
  }

  #placeAt(messageId: string, ordinal: number): FoundPlace | undefined {
    let before = 0;
    for (const { block, count } of this.#blocks.get(messageId) ?? []) {
      if (ordinal < before + count) {
        return { messageId, place: ordinal - before, ...(block === undefined ? {} : { block }) };
      }
      before += count;
    }
    return undefined;
  }

  #ordinalOf({ messageId, block, place }: FoundPlace): number {
    const blocks = this.#blocks.get(messageId) ?? [];
    const at = blocks.findIndex((other) => other.block === block);
    return blocks.slice(0, Math.max(0, at)).reduce((sum, { count }) => sum + count, place);
  }

  #countIn(messageId: string): number {
    return (this.#blocks.get(messageId) ?? []).reduce((sum, { count }) => sum + count, 0);
  }
}

/** In one text are counted at most so many matches, in at most so many characters. */
const mostMatchesPerText = 1_000;
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
    this.#context = createContext({ source, flags, most: mostMatchesPerText });
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
