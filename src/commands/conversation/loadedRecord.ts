import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { readOnce } from '../../sync/sessionReader.ts';
import { UserFacingError } from '../commandErrors.ts';
import type { Services } from '../services.ts';

/**
 * A session with the messages that are loaded. Loads the first page if none are.
 * @throws UserFacingError if none can be loaded.
 */
export async function loadedRecord(
  { store, sessions, t }: Pick<Services, 'store' | 'sessions' | 't'>,
  key: SessionKey,
): Promise<SessionRecord> {
  await sessions.restoreFromCache(key);
  if (store.record(key)?.history.completeness === 'unread') await readOnce(sessions, key);
  const record = store.record(key);
  if (record && record.history.completeness !== 'unread') return record;
  throw new UserFacingError(t("Couldn't load the messages of this session. Try again when the service is available."));
}

/**
 * Like {@link loadedRecord}, but also loads the message with this ID, unless its service isn't connected.
 * @throws UserFacingError if the session can't be loaded, or if the message was removed. ApiError if the request for
 * the message failed.
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
