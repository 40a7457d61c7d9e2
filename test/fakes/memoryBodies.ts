import type { Message } from '../../src/api/resources/message.ts';
import { type SessionKey, keyText } from '../../src/state/store/sessionKey.ts';
import type { MessageBodies } from '../../src/state/store/store.ts';

/** Stores message bodies in memory only, in place of the message cache. */
export function memoryBodies(): MessageBodies {
  const bodies = new Map<string, Map<string, Message>>();
  return {
    put(key, messages) {
      const bucket = bucketOf(bodies, key);
      for (const message of messages) {
        const known = bucket.get(message.id);
        if (!known || known.updatedAt <= message.updatedAt) bucket.set(message.id, message);
      }
    },
    changed: () => undefined,
    read(key, messageIds) {
      const bucket = bodies.get(keyText(key));
      return Promise.resolve(messageIds.flatMap((messageId) => bucket?.get(messageId) ?? []));
    },
    forget(key) {
      bodies.delete(keyText(key));
    },
  };
}

function bucketOf(bodies: Map<string, Map<string, Message>>, key: SessionKey): Map<string, Message> {
  const text = keyText(key);
  const bucket = bodies.get(text) ?? new Map<string, Message>();
  bodies.set(text, bucket);
  return bucket;
}
