import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { sameHeader } from '../../state/store/timeline.ts';
import type { IndexLine, KeptPlace } from './indexFormat.ts';
import type { BodyPlace } from './storedBodies.ts';

/** Messages that came one after the other and are not in the index yet. */
export interface Arrival {
  readonly arrival: 'before' | 'after';
  messageIds: string[];
}

const entriesPerLine = 1_000;

/** Notes that messages came; those that came the same way before are one with them. */
export function addArrival(arrivals: Arrival[], arrival: Arrival['arrival'], messageIds: readonly string[]): void {
  const last = arrivals.at(-1);
  if (last?.arrival !== arrival) arrivals.push({ arrival, messageIds: [...messageIds] });
  else if (arrival === 'after') last.messageIds.push(...messageIds);
  else last.messageIds = [...messageIds, ...last.messageIds];
}

/**
 * The lines that add what came. `written` says where new bodies lie; others are where they were. What the index says
 * already, as `indexed` has it, is left out, and so is what stands apart: the index has no holes.
 */
export function addedLines(
  arrivals: readonly Arrival[],
  headerOf: (messageId: string) => MessageHeader | undefined,
  written: ReadonlyMap<string, BodyPlace>,
  indexed: ReadonlyMap<string, MessageHeader>,
): IndexLine[] {
  const isNew = (header: MessageHeader) => {
    const known = indexed.get(header.messageId);
    if (header.isDetached) return false;
    return written.has(header.messageId) || !known || !sameHeader(known, header);
  };
  return arrivals.flatMap(({ arrival, messageIds }) => {
    const headers = messageIds.flatMap((messageId) => headerOf(messageId) ?? []).filter(isNew);
    const entries = headers.map((header) => ({ header, body: written.get(header.messageId) }));
    return entries.length === 0 ? [] : [{ arrival, entries }];
  });
}

/** The lines of a whole index; where reading stood comes last, so that half of it counts as nothing. */
export function* wholeLines(
  headers: readonly MessageHeader[],
  bodies: ReadonlyMap<string, BodyPlace>,
  place: KeptPlace,
): Generator<IndexLine, void, undefined> {
  for (let start = 0; start < headers.length; start += entriesPerLine) {
    const part = headers.slice(start, start + entriesPerLine).filter((header) => !header.isDetached);
    const entries = part.map((header) => ({ header, body: bodies.get(header.messageId) }));
    yield { arrival: 'after', entries };
  }
  yield { arrival: 'after', entries: [], place };
}
