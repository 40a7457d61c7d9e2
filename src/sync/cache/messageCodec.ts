import { type Message, messageSteps } from '../../api/resources/message.ts';
import { jsonLine, parsedJson } from '../../shared/longJson.ts';
import type { PausableWork } from '../../shared/slices.ts';

/**
 * Encodes a message as the service sent it, so that a later version can read parts that this one can't. Has pauses for
 * `inSlices`.
 */
export function* encodeMessage(message: Message): PausableWork<Uint8Array> {
  return new TextEncoder().encode(yield* jsonLine(message.wire ?? message));
}

/**
 * Decodes the output of {@link encodeMessage}; undefined if the bytes are anything else. `updatedAt` (Unix ms) is used
 * for an unreadable message that has no time. Has pauses for `inSlices`.
 */
export function* decodeMessage(bytes: Uint8Array, updatedAt: number): PausableWork<Message | undefined> {
  return yield* messageSteps(yield* parsedJson(bytes), updatedAt);
}
