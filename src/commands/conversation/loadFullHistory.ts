import { withCancel } from '../../host/prompts/progress.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';

/** The services that {@link loadFullHistory} needs. */
type HistoryServices = Pick<Services, 'store' | 'sessions' | 't'>;

/**
 * Loads all messages of a session, and shows the progress in a notification with a Cancel button. The history may still
 * be incomplete afterward, for example if a request failed. Resolves to whether the user canceled.
 */
export async function loadFullHistory(services: HistoryServices, key: SessionKey): Promise<'done' | 'canceled'> {
  const { store, sessions, t } = services;
  const record = () => store.record(key);
  if (record()?.history.completeness === 'complete') return 'done';
  return withCancel(t('Loading older messages'), async (signal, report) => {
    const subscription = sessions.watch(key, true);
    const listener = store.onDidChange((change) => {
      const { headers, session } = record() ?? {};
      if (change.type !== 'messages' || !headers || !session) return;
      const total = Math.max(session.messageCount, headers.length);
      report(t('{0} of {1}', headers.length, total));
    });
    signal.addEventListener('abort', () => sessions.stopLoading(key));
    try {
      if (record()?.history.completeness === 'unread') await sessions.refresh(key);
      if (!signal.aborted) await sessions.loadRest(key);
    } finally {
      listener.dispose();
      subscription.dispose();
    }
    return signal.aborted ? 'canceled' : 'done';
  });
}
