/** Messages of a conversation that make one document: from the first to the last, both included. */
export interface PartRange {
  readonly first: number;
  readonly last: number;
}

/** A document is no larger than this, in UTF-8 bytes, unless a single message is: what editors take with ease. */
export const partSizeBytes = 5_000_000;

/**
 * Divides messages into documents, given the size of each. Counted from the oldest, so that what comes to the end
 * leaves the documents before as they are. There is always one.
 */
export function partsOf(sizesBytes: readonly number[], limitBytes = partSizeBytes): PartRange[] {
  const parts: PartRange[] = [];
  let first = 0;
  let sizeBytes = 0;
  for (const [index, size] of sizesBytes.entries()) {
    if (index > first && sizeBytes + size > limitBytes) {
      parts.push({ first, last: index - 1 });
      first = index;
      sizeBytes = 0;
    }
    sizeBytes += size;
  }
  return [...parts, { first, last: sizesBytes.length - 1 }];
}
