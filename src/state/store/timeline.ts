import { type MessageHeader, pickTraits, sameTraits } from './messageHeader.ts';

/**
 * The messages of one session in order: by `createdAt`, then by arrival (design, section 6). Merging is by id; the
 * order in which pages come matters only among messages of one time.
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
   * Takes over new and changed messages. An older state of a known message (smaller `updatedAt`) is ignored, and a role
   * once learned is kept when a later state does not say one. `arrival`: new ones of a time that is here already stand
   * after, or before, those that came earlier.
   * @returns whether anything changed.
   */
  merge(incoming: readonly MessageHeader[], arrival: 'before' | 'after' = 'after'): boolean {
    let place = arrival === 'after' ? this.#nextArrival : (this.#firstArrival -= incoming.length);
    let changed = false;
    let needsSort = false;
    const added: MessageHeader[] = [];
    for (const header of incoming) {
      const known = this.#byId.get(header.messageId);
      const next = known ? newerOf(known, header) : header;
      if (next === known) continue;
      changed = true;
      this.#byId.set(next.messageId, next);
      if (!known) this.#arrivals.set(next.messageId, place++);
      const last = added.at(-1) ?? this.#headers.at(-1);
      const index = known?.createdAt === next.createdAt ? this.#headers.lastIndexOf(known) : -1;
      if (index !== -1) this.#headers = this.#headers.with(index, next);
      else if (!known && arrival === 'after' && next.createdAt >= (last?.createdAt ?? 0)) added.push(next);
      else needsSort = true;
    }
    this.#nextArrival = Math.max(this.#nextArrival, place);
    if (added.length > 0) this.#headers = [...this.#headers, ...added];
    if (needsSort) this.#headers = [...this.#byId.values()].sort((a, b) => this.#compare(a, b));
    return changed;
  }

  /** Marks what the service does not list any more. @returns whether anything changed. */
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
  // Whatever its state: what comes with its neighbours is listed, and what stands among them stays there.
  const isDetached = incoming.isDetached === true && known.isDetached === true;
  const newer = incoming.updatedAt < known.updatedAt ? known : incoming;
  const next = placed({ ...newer, role }, isDetached);
  return sameHeader(known, next) ? known : next;
}

function placed(header: MessageHeader, isDetached: boolean): MessageHeader {
  const { messageId, role, createdAt, updatedAt, firstLine, weightLines, isError } = header;
  const traits = pickTraits(header);
  const listed = { messageId, role, createdAt, updatedAt, firstLine, weightLines, isError, ...traits };
  return isDetached ? { ...listed, isDetached } : listed;
}

/** Whether two headers say the same. */
export function sameHeader(a: MessageHeader, b: MessageHeader): boolean {
  return (
    a.updatedAt === b.updatedAt &&
    a.createdAt === b.createdAt &&
    a.role === b.role &&
    a.firstLine === b.firstLine &&
    a.weightLines === b.weightLines &&
    a.isError === b.isError &&
    a.isGone === b.isGone &&
    a.isDetached === b.isDetached &&
    sameTraits(a, b)
  );
}
