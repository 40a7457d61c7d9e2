import * as vscode from 'vscode';
import type { Disposable } from '../../shared/lifecycle.ts';
import { showError } from '../../host/prompts/notify.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';

/** Tells once that the service refused the key, and leads to a new one; the surfaces go on saying it quietly (R12). */
export function tellRefusedKey(store: Store, t: Translate): Disposable {
  let wasRefused = false;
  return store.onDidChange(({ type }) => {
    if (type !== 'connection') return;
    const { connection } = store;
    const isRefused = connection.kind === 'keyRefused';
    if (isRefused && !wasRefused) {
      const { origin } = connection.service;
      void showError(
        t(
          '{0} refused the API key, so nothing is asked of it until the key changes. Drafts and unsent messages are kept.',
          origin,
        ),
        { label: t('Set API Key...'), run: () => vscode.commands.executeCommand('sessionDeck.setApiKey') },
        { label: t('Copy Details'), run: () => vscode.commands.executeCommand('sessionDeck.copyDetails') },
      );
    }
    wasRefused = isRefused;
  });
}
