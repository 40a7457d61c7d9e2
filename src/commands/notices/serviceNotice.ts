import * as vscode from 'vscode';
import type { Disposable, Event } from '../../shared/lifecycle.ts';
import { showWarning } from '../../host/prompts/notify.ts';
import { describeUnusableService } from '../../state/presentation/failure.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { Connections } from '../../sync/connection/connections.ts';

/** Tells of an entry of `sessionDeck.services` that cannot be used, once for each state the setting has. */
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
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'sessionDeck.services'),
    });
  });
}
