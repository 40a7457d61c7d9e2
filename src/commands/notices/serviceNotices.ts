import * as vscode from 'vscode';
import { showError, showWarning } from '../../host/prompts/notify.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { plainLine } from '../../shared/text.ts';
import { describeUnusableService } from '../../state/presentation/describeFailure.ts';
import type { PageServices } from '../context.ts';
import type { Services } from '../services.ts';
import { copyDetails } from './supportCommands.ts';

/**
 * Notifies the user once when a service rejects its API key, and offers to enter a new one. No more requests are sent
 * with a rejected key (R12), and the views keep showing the rejection.
 */
export function notifyOfRejectedKey(services: PageServices): Disposable {
  const { store, commands, t } = services;
  let reported: ReadonlySet<string> = new Set();
  return store.onDidChange(({ type }) => {
    if (type !== 'connection') return;
    const rejected = store.connections.flatMap((connection) =>
      connection.kind === 'keyRejected' ? [connection.service] : [],
    );
    for (const { origin, name = origin } of rejected) {
      if (reported.has(origin)) continue;
      void showError(
        t('{0} rejected your API key. Updates are paused until you enter a new one.', plainLine(name, 60)),
        { label: t('Set API Key...'), run: () => commands.run('setApiKey', { service: origin }) },
        { label: t('Copy Details'), run: () => copyDetails(services, store.current) },
      );
    }
    reported = new Set(rejected.map(({ origin }) => origin));
  });
}

/**
 * Notifies the user when the setting `lineside.services` contains invalid entries, once for each change to those
 * entries.
 */
export function notifyOfUnusableServices({ connections, settings, t }: Services): Disposable {
  let reported = '[]';
  return settings.onDidChange(() => {
    const { unusable } = connections.known;
    const [first] = unusable;
    const state = JSON.stringify(unusable);
    if (state === reported) return;
    reported = state;
    if (!first) return;
    const reason = describeUnusableService(first.failure, t);
    void showWarning(t('The service "{0}" in your settings is invalid. {1}', plainLine(first.name, 60), reason), {
      label: t('Open Settings'),
      run: () => vscode.commands.executeCommand('workbench.action.openSettings', 'lineside.services'),
    });
  });
}
