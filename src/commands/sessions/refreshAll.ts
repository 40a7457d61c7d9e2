import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionReader } from '../../sync/sessionReader.ts';

/**
 * The maximum number of concurrent refreshes. Each uses its own connection, so more would cause a burst of requests.
 */
const atOnce = 8;

/** Refreshes sessions in the given order, a few at a time, until `isCanceled` returns true. */
export async function refreshAll(
  sessions: Pick<SessionReader, 'refresh'>,
  keys: readonly SessionKey[],
  isCanceled: () => boolean = () => false,
): Promise<void> {
  const remaining = keys.values();
  const refreshNext = async () => {
    for (const key of remaining) {
      if (isCanceled()) return;
      await sessions.refresh(key);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, refreshNext));
}
