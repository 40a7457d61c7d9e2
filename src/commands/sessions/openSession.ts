import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { MessagePlace } from '../../views/conversation/conversationRowModel.ts';
import { UserFacingError } from '../commandErrors.ts';
import type { CommandContext } from '../context.ts';

/**
 * Opens the conversation of a session, at a message or a step of it if one is given. The message is fetched if
 * necessary. Adds a transient session to the list. `step` is the position of the step in the message.
 * @throws UserFacingError if the message was removed from the service. ApiError if the request for it failed.
 */
export function openSession(context: CommandContext, key: SessionKey, messageId?: string, step?: number) {
  const place = placeOf(messageId, step);
  return open(context, key, place, () => context.navigation.openConversation(key, place));
}

/** Like {@link openSession}, in an editor tab. */
export function openSessionInEditor(context: CommandContext, key: SessionKey, messageId?: string) {
  const place = placeOf(messageId);
  return open(context, key, place, () => context.navigation.openInEditor(key, place));
}

/**
 * Opens a session. A transient child session is first added to the list, because the user might send messages to it.
 */
async function open(
  context: CommandContext,
  key: SessionKey,
  place: MessagePlace | undefined,
  show: () => unknown,
): Promise<void> {
  const { isTransient, parentId } = context.store.record(key)?.listEntry ?? {};
  if (isTransient && parentId !== undefined) await context.sessionList.add(key, { parentId });
  await show();
  await fetchMessage(context, key, place?.messageId);
}

/** A step of a message or, without its position, the steps of the message or the message itself. */
function placeOf(messageId: string | undefined, step: number | 'any' = 'any'): MessagePlace | undefined {
  return messageId === undefined ? undefined : { messageId, step };
}

/**
 * Fetches a message that isn't loaded yet, for a conversation that is already open.
 * @throws UserFacingError if the message was removed from the service. ApiError if the request for it failed.
 */
async function fetchMessage(context: CommandContext, key: SessionKey, messageId: string | undefined): Promise<void> {
  if (messageId === undefined) return;
  // The session may be open before there is a connection.
  await context.lifecycle.ensureStarted();
  if ((await context.sessions.fetchMessage(key, messageId)) !== false) return;
  throw new UserFacingError(context.t('This message was removed from the service. The conversation is open.'));
}
