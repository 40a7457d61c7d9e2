import type { Disposable } from '../../shared/lifecycle.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { type Translate, wholeNumber } from '../../shared/text.ts';

export interface LoadParts {
  readonly store: Store;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  /** Ends the loading of older messages; what came stays. */
  readonly stopLoading: (key: SessionKey) => void;
  readonly prepare: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

/**
 * Brings all messages here, told and cancelled in a notification; whoever needs all of them looks whether they came.
 * Resolves to whether the person cancelled it.
 */
export async function loadFullHistory(parts: LoadParts, key: SessionKey): Promise<'over' | 'cancelled'> {
  const { store, t } = parts;
  const record = () => store.record(key);
  if (record()?.history.completeness === 'complete') return 'over';
  return withCancel(t('Loading older messages'), async (signal, report) => {
    const watching = parts.watch(key, true);
    const listening = store.onDidChange((change) => {
      const { headers, session } = record() ?? {};
      if (change.type !== 'messages' || !headers || !session) return;
      const total = Math.max(session.messageCount, headers.length);
      report(t('{0} of {1}', wholeNumber(headers.length), wholeNumber(total)));
    });
    signal.addEventListener('abort', () => parts.stopLoading(key));
    try {
      if (record()?.history.completeness === 'unread') await parts.refresh(key);
      while (!signal.aborted && record()?.history.completeness === 'partial') {
        const before = record()?.headers.length;
        await parts.loadOlder(key);
        if (record()?.history.failure || record()?.headers.length === before) break;
      }
    } finally {
      listening.dispose();
      watching.dispose();
    }
    return signal.aborted ? 'cancelled' : 'over';
  });
}
