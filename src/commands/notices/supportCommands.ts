import * as vscode from 'vscode';
import { describeFailure } from '../../state/presentation/describeFailure.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import type { Services } from '../services.ts';
import { refreshAll } from '../sessions/refreshAll.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import { failureDetails } from '../commandErrors.ts';

/**
 * Commands that help with assistive technology, and that retry or copy details after a failure. Welcome views and pages
 * also offer Retry and Copy Details.
 */
export function supportCommands(services: Services) {
  const { t } = services;
  return {
    openAccessibilityHelp: () => {
      const path = `/${t('Accessibility Help')}.md`;
      // A new query each time, because VS Code doesn't read an open file again, and key bindings change.
      const uri = vscode.Uri.from({ scheme: fileSchemes.help, path, query: String(Date.now()) });
      return vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    },
    retry: () => retry(services),
    copyDetails: () => copyDetails(services, services.activeConversation.key()),
  } satisfies Partial<CommandHandlers>;
}

/** Reconnects and refreshes every session, the current one first. Stops if no service accepts its key. */
export async function retry({
  store,
  connections,
  sessions,
}: Pick<Services, 'store' | 'connections' | 'sessions'>): Promise<void> {
  await connections.refresh(true);
  const rank = (key: SessionKey) => Number(sameSession(key, store.current));
  const keys = store.records.map(({ listEntry }) => listEntry.key).sort((a, b) => rank(b) - rank(a));
  await refreshAll(sessions, keys, () => store.connections.every(({ kind }) => kind !== 'ready'));
}

/**
 * Copies the details of a current failure: a rejected API key, or else a failure of the session `key`, or else of any
 * session. If nothing failed, the details say so.
 */
export async function copyDetails(services: Services, key: SessionKey | undefined): Promise<void> {
  const { store, keys, t } = services;
  const own = key && store.record(key);
  const failed = [own, ...store.records].find((record) => record?.failure ?? record?.history.failure);
  const connections = [...(key ? [store.connectionOf(key.origin)] : []), ...store.connections];
  const rejected = connections.find((connection) => connection.kind === 'keyRejected');
  const failure = rejected?.failure ?? failed?.failure ?? failed?.history.failure;
  const sentence = failure ? describeFailure(failure, t) : t('No errors recorded.');
  const details = failureDetails(failure, sentence, keys.seen);
  await vscode.env.clipboard.writeText(details);
}
