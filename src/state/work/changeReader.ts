import { LruMap } from '../../shared/lruMap.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { turnAround } from '../store/turns.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { keyText } from '../store/sessionKey.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { MarkReader } from './calls.ts';
import { type AgentChanges, readingChanges } from './changes.ts';

/**
 * A range of a session's messages, by the IDs of the first and the last one. With an empty `first`, it begins with the
 * first message that is loaded.
 */
export interface MessageRange {
  readonly first: string;
  readonly last: string;
}

/**
 * The range of the turn that contains a message or, without `messageId`, of all messages that are loaded. Undefined if
 * that message isn't loaded, or if none is.
 */
export function rangeOf({ headers }: SessionRecord, messageId?: string): MessageRange | undefined {
  const turn = messageId === undefined ? { start: 0, end: headers.length } : turnAround(headers, messageId);
  const last = turn && headers[turn.end - 1]?.messageId;
  if (!turn || last === undefined) return undefined;
  return { first: messageId === undefined ? '' : (headers[turn.start]?.messageId ?? ''), last };
}

/** Reads the changes of sessions and turns. Keeps the changes of the last eight ranges until the messages change. */
export class ChangeReader {
  readonly #marks = new MarkReader();
  readonly #read = new LruMap<string, { readonly headers: readonly MessageHeader[]; readonly changes: AgentChanges }>(
    8,
  );

  /** The changes in a range of messages. A range without loaded messages has none. */
  changes(record: SessionRecord, range: MessageRange): AgentChanges {
    return withoutPause(this.reading(record, range));
  }

  /** Like {@link changes}, but with pauses for `inSlices`. */
  *reading({ listEntry, headers }: SessionRecord, { first, last }: MessageRange): PausableWork<AgentChanges> {
    const name = JSON.stringify([keyText(listEntry.key), first, last]);
    const known = this.#read.get(name);
    if (known?.headers === headers) return known.changes;
    const start = first === '' ? 0 : headers.findIndex(({ messageId }) => messageId === first);
    const end = headers.findIndex(({ messageId }) => messageId === last) + 1;
    const own = start < 0 ? [] : headers.slice(start, end);
    const changes = yield* readingChanges(own, headers.slice(end), this.#marks);
    this.#read.set(name, { headers, changes });
    return changes;
  }
}
