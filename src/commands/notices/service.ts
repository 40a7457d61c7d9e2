import * as vscode from 'vscode';
import { showError, showWarning } from '../../host/prompts/notify.ts';
import type { Disposable, Event } from '../../shared/lifecycle.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { describeUnusableService } from '../../state/presentation/failure.ts';
import type { Store } from '../../state/store/store.ts';
import type { Connections } from '../../sync/connection/connections.ts';

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
        { label: t('Set API Key...'), run: () => vscode.commands.executeCommand('lineside.setApiKey') },
        { label: t('Copy Details'), run: () => vscode.commands.executeCommand('lineside.copyDetails') },
      );
    }
    wasRefused = isRefused;
  });
}

/** Tells of an entry of `lineside.services` that cannot be used, once for each state the setting has. */
export function tellUnusableServices(
  connections: Connections,
  onDidChangeSettings: Event<void>,
  t: Translate,
): Disposable {
  let told = '[]';
  return onDidChangeSettings(() => {
    const { unusable } = connections.known;
    const [first] = unusable;
    const state = JSON.stringify(unusable);
    if (state === told) return;
    told = state;
    if (!first) return;
    const reason = describeUnusableService(first.problem, t);
    void showWarning(t('The service "{0}" in the settings cannot be used. {1}', plainLine(first.name, 60), reason), {
      label: t('Open Settings'),
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'lineside.services'),
    });
  });
}
