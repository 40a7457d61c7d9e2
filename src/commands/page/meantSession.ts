import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';

/**
 * The session that a page message is about: the session that the page showed when it sent the message. The page may
 * have switched to another session since. Undefined if the page shows no session.
 */
export function meantSession(
  { key }: ConversationPage,
  { sessionId }: { readonly sessionId?: string | undefined },
): SessionKey | undefined {
  return key && { origin: key.origin, sessionId: sessionId ?? key.sessionId };
}
