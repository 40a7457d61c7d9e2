import type { MessageHeader } from '../state/messageHeader.ts';

/** So many matches are enough: the editor's own find stops about there. */
const mostMatches = 20_000;

/** One match: the message, the block of it, and the how manieth match in that block it is, from 0. */
export interface FoundPlace {
  readonly messageId: string;
  readonly block: number;
  readonly place: number;
}

/** What was found: how many matches in which blocks of which messages, and which one the person is at. */
export class Matches {
  readonly #blocks = new Map<string, { readonly block: number; count: number }[]>();
  readonly #searchedAt = new Map<string, number>();
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

  /** Whether this state of the message was searched. */
  isSearched({ messageId, updatedAt }: MessageHeader): boolean {
    return this.#searchedAt.get(messageId) === updatedAt;
  }

  /** The message is being searched anew; one whose body was not at hand is due again when its next state comes. */
  searched({ messageId, updatedAt }: MessageHeader, isHere: boolean): void {
    this.#searchedAt.set(messageId, updatedAt);
    if (!isHere) return;
    this.#count -= this.#countIn(messageId);
    this.#blocks.delete(messageId);
  }

  add(messageId: string, block: number, count: number): void {
    const known = this.#blocks.get(messageId) ?? [];
    this.#blocks.set(messageId, known);
    const last = known.at(-1);
    if (last?.block === block) last.count += count;
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
      if (ordinal < before + count) return { messageId, block, place: ordinal - before };
      before += count;
    }
    return undefined;
  }

  #ordinalOf({ messageId, block, place }: FoundPlace): number {
    const before = (this.#blocks.get(messageId) ?? []).filter((other) => other.block < block);
    return before.reduce((sum, { count }) => sum + count, place);
  }

  #countIn(messageId: string): number {
    return (this.#blocks.get(messageId) ?? []).reduce((sum, { count }) => sum + count, 0);
  }
}
