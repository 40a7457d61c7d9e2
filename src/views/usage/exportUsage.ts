import * as vscode from 'vscode';
import { baseName } from '../../host/files/workspacePaths.ts';
import { suggestedFile } from '../../host/files/saveAs.ts';
import { showError, showInfo } from '../../host/prompts/notify.ts';
import { plainLine } from '../../shared/text.ts';
import { reasonOf } from '../../shared/log.ts';
import { fileNameOf } from '../../state/documents/export.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { usageCsv } from '../../state/presentation/describeUsage.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ViewServices } from '../viewServices.ts';

/**
 * Writes the recorded token usage of a session to a CSV file that the user chooses. Rejects if that fails. Doesn't wait
 * until the user has opened the file; a failure to open it is shown.
 */
export async function exportUsage({ store, usage, t, log }: ViewServices, key: SessionKey): Promise<void> {
  const record = store.record(key);
  const name = fileNameOf(record ? sessionTitle(record) : key.sessionId);
  const target = await vscode.window.showSaveDialog({
    title: t('Export Token Usage'),
    defaultUri: suggestedFile(`${name} usage.csv`),
    filters: { CSV: ['csv'] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(usageCsv(await usage.read(key))));
  const open = { label: t('Open'), run: () => vscode.commands.executeCommand('vscode.open', target) };
  showInfo(t('Exported token usage for "{0}".', name), open).catch((error: unknown) => {
    void showError(t('Couldn\'t read "{0}".', plainLine(baseName(target), 120)));
    log.error(`could not open the exported token usage: ${reasonOf(error)}`);
  });
}
