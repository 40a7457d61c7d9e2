import { untilAborted, withCancel } from '../../host/prompts/progress.ts';
import type { Translate } from '../../shared/text.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';

type HistoryServices = Pick<Services, 'store' | 'sessions' | 't'>;

/**
 * Loads all messages of a session, older and newer ones, and shows the progress in a notification with a Cancel button.
 * The history may still be incomplete afterward, for example if a request failed. Resolves to `canceled` if the user
 * cancels, and to `outdated` if newer messages may be missing because the session couldn't be refreshed.
 */
export async function loadFullHistory(
  services: HistoryServices,
  key: SessionKey,
): Promise<'current' | 'outdated' | 'canceled'> {
  const { store, sessions, t } = services;
  await sessions.restoreFromCache(key);
  const isComplete = isHistoryComplete(services, key);
  if (!isComplete || !sessions.hasNewestMessages(key)) {
    const title = isComplete ? t('Loading...') : t('Loading older messages');
    const isCanceled = await withCancel(title, async (signal, report) => {
      await load(services, key, signal, report);
      return signal.aborted;
    });
    if (isCanceled) return 'canceled';
  }
  const isRefreshed = store.connectionOf(key.origin).kind === 'ready' && !store.record(key)?.failure;
  return isRefreshed ? 'current' : 'outdated';
}

/** Says that newer messages may be missing. */
export function outdatedMessage(t: Translate): string {
  return t("Couldn't refresh the conversation, so newer messages may be missing.");
}

async function load(
  services: HistoryServices,
  key: SessionKey,
  signal: AbortSignal,
  report: (line: string) => void,
): Promise<void> {
  const { store, sessions, t } = services;
  const hasNewest = sessions.hasNewestMessages(key);
  const subscription = sessions.watch(key, true);
  const listener = store.onDidChange((change) => {
    const { headers, session } = store.record(key) ?? {};
    if (change.type !== 'messages' || !headers || !session) return;
    const total = Math.max(session.messageCount, headers.length);
    report(t('{0} of {1}', headers.length, total));
  });
  signal.addEventListener('abort', () => sessions.stopLoading(key));
  try {
    if (!hasNewest) await untilAborted(sessions.refresh(key), signal);
    if (!signal.aborted && !isHistoryComplete(services, key)) await sessions.loadRest(key);
  } finally {
    listener.dispose();
    subscription.dispose();
  }
}

function isHistoryComplete({ store }: HistoryServices, key: SessionKey): boolean {
  return store.record(key)?.history.completeness === 'complete';
}
