import { type Message, readMessage } from '../../api/resources/message.ts';
import { parseJson } from '../../shared/json.ts';

/** Encodes a message as the service sent it, so that a later version can read parts that this one can't. */
export function encodeMessage(message: Message): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message.wire ?? message));
}

/**
 * Decodes the output of {@link encodeMessage}; undefined if the bytes are anything else. `updatedAt` (Unix ms) is used
 * for an unreadable message that has no time.
 */
export function decodeMessage(bytes: Uint8Array, updatedAt: number): Message | undefined {
  return readMessage(parseJson(bytes), updatedAt);
}
