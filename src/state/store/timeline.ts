import { expandedHeader, isExpansion } from './expansions.ts';
import { type MessageHeader, makeFields, sameHeader } from './messageHeader.ts';

/**
 * The messages of one session, sorted by `createdAt`, then by arrival (spec 10.2). Messages are merged by ID;
 * the order in which pages arrive matters only for messages with the same `createdAt`.
 */
export class Timeline {
  #headers: MessageHeader[] = [];
  readonly #arrivals = new Map<string, number>();
  readonly #byId = new Map<string, MessageHeader>();
  #nextArrival = 0;
  #firstArrival = 0;

  get headers(): readonly MessageHeader[] {
    return this.#headers;
  }

  get(messageId: string): MessageHeader | undefined {
    return this.#byId.get(messageId);
  }

  /**
   * Adds new messages and updates known ones. Of an older state of a known message (smaller `updatedAt`), only the role
   * is used, and the fact that the message is listed. A known role is kept if another state doesn't include one.
   * `arrival` sorts new messages after or before the known ones with the same `createdAt`.
   * @returns whether anything changed.
   */
  merge(incoming: readonly MessageHeader[], arrival: 'before' | 'after' = 'after'): boolean {
    let place = arrival === 'after' ? this.#nextArrival : (this.#firstArrival -= incoming.length);
    let changed = false;
    let needsSort = false;
    /** The range of the changed messages, as indexes. */
    let [low, high] = [Number.POSITIVE_INFINITY, 0];
    const added: MessageHeader[] = [];
    const first = arrival === 'before' ? this.#headers[0] : undefined;
    for (const header of incoming) {
      const known = this.#byId.get(header.messageId);
      const next = known ? newerOf(known, header) : header;
      if (next === known) continue;
      changed = true;
      this.#byId.set(next.messageId, next);
      if (!known) this.#arrivals.set(next.messageId, place++);
      const last = added.at(-1) ?? (arrival === 'after' ? this.#headers.at(-1) : undefined);
      const isInOrder =
        next.createdAt >= (last?.createdAt ?? 0) && (first === undefined || next.createdAt <= first.createdAt);
      const index = known?.createdAt === next.createdAt ? this.#headers.lastIndexOf(known) : -1;
      if (index !== -1) {
        this.#headers = this.#headers.with(index, next);
        [low, high] = [Math.min(low, index), Math.max(high, index)];
      } else if (!known && isInOrder) added.push(next);
      else needsSort = true;
    }
    this.#nextArrival = Math.max(this.#nextArrival, place);
    // Messages in order are only appended or prepended. Sorting 100,000 messages for each loaded page would take longer
    // than everything else.
    if (added.length > 0) {
      this.#headers = arrival === 'after' ? [...this.#headers, ...added] : [...added, ...this.#headers];
    }
    if (needsSort) this.#headers = [...this.#byId.values()].sort((a, b) => this.#compare(a, b));
    const { length } = this.#headers;
    if (added.length > 0) {
      [low, high] = arrival === 'after' ? [Math.min(low, length - added.length), length] : [0, high + added.length];
    }
    if (needsSort) [low, high] = [0, length];
    if (changed) this.#foldExpansions(low, high);
    return changed;
  }

  /**
   * Marks the texts of commands and skills among the changed messages and their neighbors. `first`, `last`: the range
   * of the changed messages, as indexes.
   */
  #foldExpansions(first: number, last: number): void {
    for (let index = Math.max(0, first - 1); index <= Math.min(last + 1, this.#headers.length - 1); index += 1) {
      const header = this.#headers[index];
      if (!header || !isExpansion(this.#headers, index)) continue;
      const expanded = expandedHeader(header);
      this.#headers[index] = expanded;
      this.#byId.set(expanded.messageId, expanded);
    }
  }

  /** Marks messages that the service no longer lists, except for detached ones. Returns whether anything changed. */
  markGone(messageIds: ReadonlySet<string>): boolean {
    const isNew = (header: MessageHeader) => messageIds.has(header.messageId) && !header.isGone && !header.isDetached;
    if (!this.#headers.some(isNew)) return false;
    this.#headers = this.#headers.map((header) => (isNew(header) ? { ...header, isGone: true } : header));
    for (const header of this.#headers) this.#byId.set(header.messageId, header);
    return true;
  }

  #compare(a: MessageHeader, b: MessageHeader): number {
    return a.createdAt - b.createdAt || this.#arrivalOf(a) - this.#arrivalOf(b);
  }

  #arrivalOf(header: MessageHeader): number {
    return this.#arrivals.get(header.messageId) ?? 0;
  }
}

function newerOf(known: MessageHeader, incoming: MessageHeader): MessageHeader {
  const role = incoming.role ?? known.role;
  // A message is detached only until it first arrives as part of a list.
  const isDetached = incoming.isDetached === true && known.isDetached === true;
  const newest = incoming.updatedAt < known.updatedAt ? known : incoming;
  const isFound = known.expansion === 'found' && newest.expansion === 'candidate';
  const newer = isFound ? expandedHeader(newest) : newest;
  const { messageId, createdAt, updatedAt } = newer;
  const listed = { messageId, role, createdAt, updatedAt, ...makeFields((name) => newer[name]) };
  const next = isDetached ? { ...listed, isDetached } : listed;
  return sameHeader(known, next) ? known : next;
}
