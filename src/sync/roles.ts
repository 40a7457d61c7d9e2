import type { RoleFilter } from '../api/message.ts';
import type { SessionsApi } from '../api/sessionsApi.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import type { Store } from '../state/store.ts';
import { walkPages } from './walk.ts';

const filters: readonly RoleFilter[] = ['user', 'assistant', 'tool'];
/** Up to this many messages are asked for one by one, which always says the role (spec 2.4). */
const singlesLimit = 3;

/**
 * Learns the roles of messages that were listed without one: a few by their id, many through the `role` filter, which
 * costs one walk a role but stops as soon as nothing is left to learn. What no filter names stays unknown, shown so.
 */
export async function learnRoles(api: SessionsApi, key: SessionKey, store: Store, signal: AbortSignal): Promise<void> {
  const missing = () =>
    (store.record(key)?.headers ?? []).filter((header) => header.role === undefined).map((header) => header.messageId);
  const asked = missing();
  const computerId = store.record(key)?.deck.computerId;
  if (asked.length > singlesLimit) {
    for (const role of filters) {
      for await (const { page } of walkPages(api, key.sessionId, { computerId, signal, role })) {
        store.takeMessages(key, page.messages, role);
        if (missing().length === 0) return;
      }
    }
  }
  for (const messageId of missing().slice(0, singlesLimit)) {
    store.takeMessages(key, [await api.getMessage(key.sessionId, messageId, { computerId, signal })], 'unknown');
  }
}
