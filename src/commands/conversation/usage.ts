import * as vscode from 'vscode';
import { showInfo } from '../../host/prompts/notify.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { usageCsv } from '../../state/presentation/usage.ts';
import { fileNameOf } from '../../state/markdown/export.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { UsageSamples } from '../../sync/usageSamples.ts';
import type { CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/pick.ts';

export interface UsageParts {
  readonly store: Store;
  readonly usage: UsageSamples;
  readonly refresh: (key: SessionKey) => Promise<void>;
  readonly t: Translate;
}

/** What sessions used. */
export function usageCommands(parts: UsageParts & { readonly openUsage: (key: SessionKey) => void }): CommandTable {
  return {
    showUsage: async (argument) => {
      const key = await currentOrTarget(parts, argument, parts.t('Show Token Usage'));
      if (key) parts.openUsage(key);
    },
  };
}

/** Writes the readings of a session into a CSV file that the person chooses. */
export async function exportUsage({ store, usage, t }: UsageParts, key: SessionKey): Promise<void> {
  const record = store.record(key);
  const name = fileNameOf(record ? sessionTitle(record) : key.sessionId);
  const target = await vscode.window.showSaveDialog({
    title: t('Export Token Usage'),
    defaultUri: defaultFile(`${name} usage.csv`),
    filters: { CSV: ['csv'] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(usageCsv(await usage.read(key))));
  const open = { label: t('Open'), run: () => vscode.commands.executeCommand('vscode.open', target) };
  await showInfo(t('The token usage of "{0}" was exported.', name), open);
}

/** Where a file of this name is proposed: in the first folder of the workspace, where there is one. */
export function defaultFile(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name);
}
