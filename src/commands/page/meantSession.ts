import type { SessionKey } from '../../state/store/sessionKey.ts';

/**
 * The session that a page message is about: the session that the page showed when it sent the message. The page may
 * have switched to another session since.
 */
export function meantSession({ origin, sessionId }: SessionKey): SessionKey {
  return { origin, sessionId };
}
