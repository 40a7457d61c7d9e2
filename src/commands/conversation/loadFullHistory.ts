import { withCancel } from '../../host/prompts/progress.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { wholeNumber } from '../../shared/text.ts';
import type { Services } from '../context.ts';

/** What loading a whole history needs. */
export type HistoryServices = Pick<Services, 'store' | 'sessions' | 't'>;

/**
 * Brings all messages here, told and cancelled in a notification; whoever needs all of them looks whether they came.
 * Resolves to whether the person cancelled it.
 */
export async function loadFullHistory(services: HistoryServices, key: SessionKey): Promise<'over' | 'cancelled'> {
  const { store, sessions, t } = services;
  const record = () => store.record(key);
  if (record()?.history.completeness === 'complete') return 'over';
  return withCancel(t('Loading older messages'), async (signal, report) => {
    const watching = sessions.watch(key, true);
    const listening = store.onDidChange((change) => {
      const { headers, session } = record() ?? {};
      if (change.type !== 'messages' || !headers || !session) return;
      const total = Math.max(session.messageCount, headers.length);
      report(t('{0} of {1}', wholeNumber(headers.length), wholeNumber(total)));
    });
    signal.addEventListener('abort', () => sessions.stopLoading(key));
    try {
      if (record()?.history.completeness === 'unread') await sessions.refresh(key);
      while (!signal.aborted && record()?.history.completeness === 'partial') {
        const before = record()?.headers.length;
        await sessions.loadOlder(key);
        if (record()?.history.failure || record()?.headers.length === before) break;
      }
    } finally {
      listening.dispose();
      watching.dispose();
    }
    return signal.aborted ? 'cancelled' : 'over';
  });
}
