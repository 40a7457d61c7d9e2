import { type Message, messageSteps } from '../../api/resources/message.ts';
import { jsonPieces, parsedJson } from '../../shared/longJson.ts';
import type { PausableWork } from '../../shared/slices.ts';

/**
 * Encodes a message as the service sent it, so that a later version can read parts that this one can't. Has pauses for
 * `inSlices`.
 */
export function* encodeMessage(message: Message): PausableWork<Uint8Array> {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for (const piece of yield* jsonPieces(message.wire ?? message)) {
    parts.push(encoder.encode(piece));
    yield;
  }
  return Buffer.concat(parts);
}

/**
 * Decodes the output of {@link encodeMessage}; undefined if the bytes aren't a message with an ID. `updatedAt` (Unix
 * ms) is used for an unreadable message that has no time. Has pauses for `inSlices`.
 */
export function* decodeMessage(bytes: Uint8Array, updatedAt: number): PausableWork<Message | undefined> {
  return yield* messageSteps(yield* parsedJson(bytes), updatedAt);
}
