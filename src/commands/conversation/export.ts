import * as vscode from 'vscode';
import { showInfo, showWarning } from '../../host/prompts/notify.ts';
import { withCancel } from '../../host/prompts/progress.ts';
import { writeWholeFile } from '../../host/files/wholeFile.ts';
import { type ExportPiece, exportPieces } from '../../state/markdown/export.ts';
import type { DocumentWords } from '../../state/markdown/document.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { type ExportFormat, exportFormats } from '../../state/markdown/exportFormat.ts';
import { fileNameOf } from '../../state/markdown/fileName.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { type Translate, wholeNumber } from '../../shared/text.ts';
import type { Readings } from '../../views/conversation/filters.ts';
import { type ExportChoices, askExport } from './exportQuestions.ts';
import { type LoadParts, loadWhole } from './loadFullHistory.ts';
import { ToldError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/sessionTarget.ts';
import { defaultFile } from './usage.ts';

export interface ExportParts extends LoadParts {
  readonly words: DocumentWords;
  readonly readings: Readings;
}

const endings: Readonly<Record<ExportFormat, string>> = { markdown: 'md', json: 'json', jsonl: 'jsonl' };

/** Taking conversations elsewhere. */
export function exportCommands(parts: ExportParts): CommandTable {
  return { exportConversation: (argument) => exportConversation(parts, argument) };
}

/** Resolves to the file's URI as text, or undefined where it was cancelled. */
async function exportConversation(parts: ExportParts, argument: CommandArgument): Promise<string | undefined> {
  const { t } = parts;
  const key = await currentOrTarget(parts, argument, t('Export Conversation'));
  if (!key) return undefined;
  const format = argument.format ?? (argument.uri ? formatOf(argument.uri) : undefined);
  const choices = await askExport(argument, format, parts.readings.get(key), t);
  if (!choices) return undefined;
  const target = argument.uri ?? (await askTarget(parts, key, choices.format));
  if (!target) return undefined;
  const written = await writeExport(parts, key, { ...choices, target });
  if (!written) return undefined;
  tellExported(parts, target, written, choices.isRedacted);
  return target.toString();
}

interface Wanted extends ExportChoices {
  readonly target: vscode.Uri;
}

interface Written {
  readonly last: ExportPiece;
  /** How many messages there are, written or not. */
  readonly totalCount: number;
}

async function writeExport(
  parts: ExportParts,
  key: SessionKey,
  { target, ...choices }: Wanted,
): Promise<Written | undefined> {
  const { store, words, t } = parts;
  await parts.prepare(key);
  if ((await loadWhole(parts, key)) === 'cancelled') return undefined;
  const record = store.record(key);
  if (!record) return undefined;
  if (record.history.extent !== 'complete') {
    throw new ToldError(
      t('Not all messages could be loaded, so nothing was exported. Try again when the service answers.'),
    );
  }
  let last: ExportPiece | undefined;
  const title = t('Exporting "{0}"', sessionTitle(record));
  const readBodies = (messageIds: readonly string[]) => store.readBodies(key, messageIds);
  const plan = { ...choices, record, connection: store.connection, words, readBodies };
  try {
    await withCancel(title, async (signal, report) => {
      const pieces = async function* () {
        for await (const piece of exportPieces(plan)) {
          signal.throwIfAborted();
          report(t('{0} of {1}', wholeNumber(piece.done), wholeNumber(piece.total)));
          last = piece;
          yield piece.text;
        }
      };
      await writeWholeFile(target, pieces());
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return undefined;
    throw error;
  }
  return last && { last, totalCount: record.headers.length };
}

function tellExported(
  { t }: ExportParts,
  target: vscode.Uri,
  { last, totalCount }: Written,
  isRedacted: boolean,
): void {
  const open = { label: t('Open'), run: () => vscode.commands.executeCommand('vscode.open', target) };
  const name = target.path.slice(target.path.lastIndexOf('/') + 1);
  const sentences = [
    last.done === totalCount
      ? t('{0} messages were exported to {1}.', wholeNumber(last.done), name)
      : t('{0} of {1} messages were exported to {2}.', wholeNumber(last.done), wholeNumber(totalCount), name),
    isRedacted ? redactedSentence(last.redacted, t) : '',
    last.missing > 0 ? t('{0} messages could not be read and are marked in the file.', wholeNumber(last.missing)) : '',
  ];
  const sentence = sentences.filter((text) => text !== '').join(' ');
  void (last.missing > 0 ? showWarning : showInfo)(sentence, open);
}

function redactedSentence(count: number, t: Translate): string {
  return count === 0
    ? t('No likely secrets were found in it.')
    : t('Likely secrets taken out: {0}.', wholeNumber(count));
}

function formatOf(uri: vscode.Uri): ExportFormat | undefined {
  return exportFormats.find((format) => uri.path.endsWith(`.${endings[format]}`));
}

function askTarget({ store, t }: ExportParts, key: SessionKey, format: ExportFormat): Thenable<vscode.Uri | undefined> {
  const record = store.record(key);
  const name = fileNameOf(record ? sessionTitle(record) : key.sessionId);
  return vscode.window.showSaveDialog({
    title: t('Export Conversation'),
    defaultUri: defaultFile(`${name}.${endings[format]}`),
    filters: { [format]: [endings[format]] },
  });
}
