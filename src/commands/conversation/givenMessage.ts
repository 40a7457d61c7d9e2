import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { MessageArgument } from '../commandArguments.ts';
import { messageIdOf } from '../sessions/messageLinks.ts';
import { activeOrTarget, type TargetServices } from '../sessions/pick.ts';

/** A message and its session. */
export interface GivenMessage {
  readonly key: SessionKey;
  readonly messageId: string;
}

/**
 * The message that an argument names, in the given session, or else in that of the active conversation. It is loaded if
 * it isn't in the store.
 * @throws UserFacingError if there is no message, or if it can't be loaded. ApiError if the request for it failed.
 */
export async function givenMessage(services: TargetServices, argument: MessageArgument): Promise<GivenMessage> {
  const { store, sessions, t } = services;
  const key = argument.messageId === undefined ? undefined : await activeOrTarget(services, argument, '');
  if (!key || argument.messageId === undefined) throw new NothingToDoError(t('Select a message first.'));
  await sessions.restoreFromCache(key);
  const messageId = messageIdOf(store, key, argument.messageId);
  const isSent = !store.record(key)?.outbox.some(({ entryId }) => entryId === messageId);
  if (isSent) await loadMessage(services, key, messageId);
  if (store.header(key, messageId)) return { key, messageId };
  throw new UserFacingError(t('This message is still loading. Try again in a moment.'));
}

/**
 * Loads a message that isn't in the store, and the messages around it in the background. Resolves without loading it if
 * its service isn't connected.
 * @throws UserFacingError if the message was removed from the service. ApiError if the request failed.
 */
export async function loadMessage(
  { store, sessions, t }: Pick<Services, 'store' | 'sessions' | 't'>,
  key: SessionKey,
  messageId: string,
): Promise<void> {
  if (store.header(key, messageId) || (await sessions.fetchMessage(key, messageId)) !== false) return;
  throw new UserFacingError(t('This message was removed from the service.'));
}
