import { type Context, createContext, Script } from 'node:vm';
import { defined } from '../../shared/defined.ts';
import type { FindPattern } from '../../state/conversation/find.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';

/** A search stops after this many matches, like Find in VS Code. */
const maxMatches = 20_000;

/**
 * A match: the message, the block, and the zero-based index of the match within the block. Without a block, the match
 * is in a part of the message that the page doesn't render; with `noteBlock`, it is in the note of its bookmark.
 */
export interface FoundPlace {
  readonly messageId: string;
  readonly block?: number;
  readonly place: number;
}

/** The number of matches in a block, or in the part of a message that is not rendered. */
interface FoundCount {
  readonly block: number | undefined;
  count: number;
}

/** The matches of a search, by message and block, and the current one. */
export class Matches {
  readonly #blocks = new Map<string, FoundCount[]>();
  readonly #searched = new Map<string, string>();
  #count = 0;
  #revision = 0;
  #current: FoundPlace | undefined;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= maxMatches;
  }

  /** Increases when the matches change. */
  get revision(): number {
    return this.#revision;
  }

  has(messageId: string): boolean {
    return this.#blocks.has(messageId);
  }

  get current(): FoundPlace | undefined {
    return this.#current;
  }

  /** Whether this version of the message was searched. */
  isSearched(messageId: string, version: string): boolean {
    return this.#searched.get(messageId) === version;
  }

  /**
   * Records that this version of the message was searched, and removes its earlier matches. If its body is missing,
   * keeps them; the message is then searched again only if its version changes.
   */
  searched(messageId: string, version: string, hasBody: boolean): void {
    this.#searched.set(messageId, version);
    if (!hasBody) return;
    this.#count -= this.#countIn(messageId);
    if (this.#blocks.delete(messageId)) this.#revision += 1;
  }

  /** Adds the number of matches in a block. The part that is not rendered has no block and is added last. */
  add(messageId: string, block: number | undefined, count: number): void {
    if (count <= 0) return;
    const known = this.#blocks.get(messageId) ?? [];
    this.#blocks.set(messageId, known);
    const last = known.at(-1);
    if (last && last.block === block) last.count += count;
    else known.push({ block, count });
    this.#count += count;
    this.#revision += 1;
  }

  /**
   * Makes the first match in these messages the current one, unless a match is already current. Returns the current
   * match.
   */
  begin(messageIds: readonly string[]): FoundPlace | undefined {
    const messageId = this.#current ? undefined : messageIds.find((id) => this.#blocks.has(id));
    if (messageId !== undefined) this.#current = this.#placeAt(messageId, 0);
    return this.#current;
  }

  /** The zero-based index of the current match among all matches. */
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

  /** Goes to the next or previous match and wraps around. Returns false if there are no matches. */
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
        return { messageId, place: ordinal - before, ...defined({ block }) };
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

/** Maximum number of matches counted in one string. */
const maxMatchesPerText = 1_000;
/** Maximum number of characters searched in one string. */
const maxCharacters = 1_000_000;
/** Time limit for a chunk of strings, because an expression can run forever. */
const chunkTimeoutMs = 250;
/** Time limit for a single string, after its chunk timed out. */
const textTimeoutMs = 100;
/** After this many timeouts, the expression is no longer run. */
const maxTimeouts = 4;

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
 * Counts the matches of a regular expression within a time limit. The expression runs in a `vm` script, which can be
 * terminated.
 */
export class MatchCounter {
  readonly #context: Context;
  #timeoutCount = 0;

  constructor({ source, flags }: FindPattern) {
    this.#context = createContext({ source, flags, most: maxMatchesPerText });
  }

  /** True after too many timeouts. The search then ends, and the remaining strings count as having no matches. */
  get isGivenUp(): boolean {
    return this.#timeoutCount >= maxTimeouts;
  }

  /** The number of matches in each string. */
  count(texts: readonly string[]): readonly number[] {
    return this.#run(texts, chunkTimeoutMs) ?? texts.map((text) => this.#countOne(text));
  }

  #countOne(text: string): number {
    if (this.isGivenUp) return 0;
    const [count] = this.#run([text], textTimeoutMs) ?? [];
    if (count === undefined) this.#timeoutCount += 1;
    return count ?? 0;
  }

  #run(texts: readonly string[], timeout: number): readonly number[] | undefined {
    this.#context['texts'] = texts.map((text) => text.slice(0, maxCharacters));
    try {
      const counts: unknown = JSON.parse(String(counting.runInContext(this.#context, { timeout })));
      return Array.isArray(counts) ? counts.map(Number) : undefined;
    } catch {
      return undefined;
    }
  }
}
