import { untilAborted, withCancel } from '../../host/prompts/progress.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { readOnce } from '../../sync/sessionReader.ts';
import { UserFacingError } from '../commandErrors.ts';
import type { Services } from '../services.ts';

/**
 * A session with the messages that are loaded, including its newest ones unless the service can't be reached.
 * @throws UserFacingError if none can be loaded. CanceledWork if the user cancels loading them.
 */
export async function loadedRecord(
  { store, sessions, t }: Pick<Services, 'store' | 'sessions' | 't'>,
  key: SessionKey,
): Promise<SessionRecord> {
  await sessions.restoreFromCache(key);
  if (!sessions.hasNewestMessages(key)) {
    await withCancel(t('Loading...'), async (signal) => {
      await untilAborted(readOnce(sessions, key), signal);
      signal.throwIfAborted();
    });
  }
  const record = store.record(key);
  if (record && record.history.completeness !== 'unread') return record;
  throw new UserFacingError(t("Couldn't load the messages of this session. Try again when the service is available."));
}

/**
 * Like {@link loadedRecord}, but also loads the message with this ID, unless its service isn't connected.
 * @throws UserFacingError if the session can't be loaded, or if the message was removed. CanceledWork if the user
 * cancels loading the session. ApiError if the request for the message failed.
 */
export async function recordWithMessage(
  services: Pick<Services, 'store' | 'sessions' | 't'>,
  key: SessionKey,
  messageId: string | undefined,
): Promise<SessionRecord> {
  const { store, sessions, t } = services;
  const loaded = await loadedRecord(services, key);
  if (messageId === undefined || store.header(key, messageId)) return loaded;
  const isThere = await sessions.fetchMessage(key, messageId);
  if (isThere === false) throw new UserFacingError(t('This message was removed from the service.'));
  return store.record(key) ?? loaded;
}
