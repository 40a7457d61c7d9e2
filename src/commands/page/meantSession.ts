import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';

/**
 * The session that a message of a page is about: the one the page showed when it sent the message, which may no longer
 * be the one it shows now. Undefined if the page shows no session.
 */
export function meantSession(
  { key }: ConversationPage,
  { sessionId }: { readonly sessionId?: string | undefined },
): SessionKey | undefined {
  return key && { origin: key.origin, sessionId: sessionId ?? key.sessionId };
}
