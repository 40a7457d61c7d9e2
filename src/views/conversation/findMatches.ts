import { Worker } from 'node:worker_threads';
import { defined } from '../../shared/defined.ts';
import { DelayedTask } from '../../shared/delayedTask.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { inSlices } from '../../shared/slices.ts';
import type { FindPattern } from '../../state/conversation/findPattern.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';

/** A search stops after this many matches, like Find in VS Code. */
const maxMatches = 20_000;

/**
 * A match: the message, the block, and the zero-based index of the match within the block. Without a block, the match
 * is in a part of the message that the page doesn't render; with `noteBlock`, it is in the note of the message's
 * bookmark.
 */
export interface FoundPlace {
  readonly messageId: string;
  readonly block?: number;
  readonly place: number;
}

/** The number of matches in a block, or in the part of a message that isn't rendered. */
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

  /**
   * Adds the number of matches in a block. Call this for the blocks in their order, then without a block for the part
   * that isn't rendered, and then for the note.
   */
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

  /**
   * The zero-based index of the current match among all matches; undefined if there is no current match, or if
   * `headers` lacks its message.
   */
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

/** Time limit for several strings, because an expression can run forever. */
const textsTimeoutMs = 500;
/** Time limit for a single string, after it timed out together with others. */
const textTimeoutMs = 250;
/** Maximum number of characters searched in one string, because the thread gets a copy. */
const maxCharacters = 4_000_000;
/** After this many timeouts, the expression is no longer run. */
const maxTimeouts = 4;

/**
 * The script of the thread. It answers each message, which contains a pattern and strings, with the number of matches
 * in each string.
 */
const counting = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ source, flags, texts }) => {
  const expression = new RegExp(source, flags);
  parentPort.postMessage(texts.map((text) => {
    let count = 0;
    expression.lastIndex = 0;
    for (let found; count < ${maxMatches} && (found = expression.exec(text)) !== null;) {
      if (found[0] === '') expression.lastIndex += 1;
      else count += 1;
    }
    return count;
  }));
});`;

/**
 * The thread in which regular expressions run, so that none can block the extension host. It starts with the first run,
 * and again with the next run after one was stopped.
 */
export class MatchThread implements Disposable {
  #worker: Worker | undefined;
  #stopRun: (() => void) | undefined;

  /**
   * The number of matches in each string; undefined if the run takes longer than `timeoutMs`, fails, or is stopped.
   * Stops an earlier run.
   */
  run(pattern: FindPattern, texts: readonly string[], timeoutMs: number): Promise<readonly number[] | undefined> {
    this.stop();
    const known = this.#worker;
    const worker = known ?? new Worker(counting, { eval: true });
    this.#worker = worker;
    return new Promise((resolve) => {
      const timer = new DelayedTask(timeoutMs, () => this.stop());
      const end = (counts: unknown) => {
        timer.dispose();
        // Only these, because a worker needs the listeners that it added itself to deliver messages.
        for (const event of ['message', 'error', 'online']) worker.removeAllListeners(event);
        this.#stopRun = undefined;
        resolve(Array.isArray(counts) ? counts.map(Number) : undefined);
      };
      this.#stopRun = () => {
        this.#worker = undefined;
        void worker.terminate();
        end(undefined);
      };
      worker.on('message', end);
      worker.on('error', () => this.stop());
      if (known) timer.request();
      else worker.on('online', () => timer.request());
      worker.postMessage({ ...pattern, texts });
    });
  }

  /** Stops the current run. */
  stop(): void {
    this.#stopRun?.();
  }

  dispose(): void {
    this.stop();
    void this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** Number of characters of a string that are searched between two pauses; up to twice as many, to end with a line. */
const pieceLength = 100_000;

/**
 * Counts matches: of literal text in slices, and of regular expressions, which can run forever, in a thread within a
 * time limit.
 */
export class MatchCounter {
  readonly #pattern: FindPattern;
  readonly #thread: MatchThread | undefined;
  #timeoutCount = 0;
  #isStopped = false;
  #isCut = false;

  /** Without a thread, the pattern is literal text. */
  constructor(pattern: FindPattern, thread?: MatchThread) {
    this.#pattern = pattern;
    this.#thread = thread;
  }

  /** True after too many timeouts. The search then ends, and the remaining strings count as having no matches. */
  get isGivenUp(): boolean {
    return this.#timeoutCount >= maxTimeouts;
  }

  /** Whether a string took too long, so its matches aren't counted. */
  get hasTimedOut(): boolean {
    return this.#timeoutCount > 0;
  }

  /** Whether a string wasn't searched completely, because it was too long or took too long. */
  get isCut(): boolean {
    return this.#isCut || this.hasTimedOut;
  }

  /** The numbers of matches in the strings. They are incomplete if the counter is stopped meanwhile. */
  async count(texts: readonly string[]): Promise<readonly number[]> {
    const thread = this.#thread;
    if (!thread) return (await inSlices(countLiteral(this.#pattern, texts), () => this.#isStopped)) ?? [];
    this.#isCut ||= texts.some(({ length }) => length > maxCharacters);
    const searched = texts.map((text) => text.slice(0, maxCharacters));
    const counts = await thread.run(this.#pattern, searched, textsTimeoutMs);
    if (counts) return counts;
    const single: number[] = [];
    for (const text of searched) single.push(await this.#countOne(text, thread));
    return single;
  }

  /** Ends the current count and all later ones. */
  stop(): void {
    this.#isStopped = true;
    this.#thread?.stop();
  }

  async #countOne(text: string, thread: MatchThread): Promise<number> {
    if (this.isGivenUp || this.#isStopped) return 0;
    const [count] = (await thread.run(this.#pattern, [text], textTimeoutMs)) ?? [];
    if (count === undefined) this.#timeoutCount += 1;
    return count ?? 0;
  }
}

/**
 * Counts the matches of a literal pattern in each string. The pattern has no line breaks, so strings are searched in
 * pieces that end with a line, unless a line is very long.
 */
function* countLiteral({ source, flags }: FindPattern, texts: readonly string[]): Generator<undefined, number[]> {
  const expression = new RegExp(source, flags);
  const counts: number[] = [];
  for (const text of texts) {
    let count = 0;
    for (let from = 0; from < text.length && count < maxMatches;) {
      const lineEnd = text.indexOf('\n', from + pieceLength) + 1;
      const isNear = lineEnd > 0 && lineEnd < from + 2 * pieceLength;
      const to = isNear ? lineEnd : Math.min(text.length, from + 2 * pieceLength);
      const piece = text.slice(from, to);
      expression.lastIndex = 0;
      while (count < maxMatches && expression.test(piece)) count += 1;
      from = to;
      yield;
    }
    counts.push(count);
  }
  return counts;
}
