import * as vscode from 'vscode';
import { askChoice } from '../host/askChoice.ts';
import { showInfo, showWarning } from '../host/notify.ts';
import { withCancel } from '../host/progress.ts';
import { writeWholeFile } from '../host/wholeFile.ts';
import { type ExportPiece, exportPieces } from '../state/conversationExport.ts';
import type { DocumentWords } from '../state/describeDocument.ts';
import { sessionTitle } from '../state/describeSession.ts';
import { type ExportFormat, exportFormats } from '../state/exportFormat.ts';
import { fileNameOf } from '../state/fileName.ts';
import type { SessionKey } from '../state/sessionKey.ts';
import { wholeNumber } from '../state/words.ts';
import { type LoadParts, loadWhole } from './loadWhole.ts';
import { ToldError } from './problems.ts';
import type { CommandArgument, CommandTable } from './register.ts';
import { currentOrTarget } from './sessionTarget.ts';
import { defaultFile } from './showUsage.ts';

export interface ExportParts extends LoadParts {
  readonly words: DocumentWords;
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
  const format = argument.format ?? (argument.uri ? formatOf(argument.uri) : undefined) ?? (await askFormat(parts));
  if (!format) return undefined;
  // A script says what it wants; a person is asked.
  const isRedacted = argument.isScripted ? argument.redact === true : await askRedaction(parts);
  if (isRedacted === undefined) return undefined;
  const target = argument.uri ?? (await askTarget(parts, key, format));
  if (!target) return undefined;
  const last = await writeExport(parts, key, { format, isRedacted, target });
  if (!last) return undefined;
  tellExported(parts, target, last, isRedacted);
  return target.toString();
}

interface Wanted {
  readonly format: ExportFormat;
  readonly isRedacted: boolean;
  readonly target: vscode.Uri;
}

async function writeExport(
  parts: ExportParts,
  key: SessionKey,
  { format, isRedacted, target }: Wanted,
): Promise<ExportPiece | undefined> {
  const { store, words, t } = parts;
  await parts.prepare(key);
  await loadWhole(parts, key);
  const record = store.record(key);
  if (!record) return undefined;
  if (record.history.extent !== 'complete') {
    throw new ToldError(
      t('Not all messages could be loaded, so nothing was exported. Try again when the service answers.'),
    );
  }
  let last: ExportPiece | undefined;
  const title = t('Exporting "{0}"', sessionTitle(record));
  const { headers, deck } = record;
  const readBodies = (messageIds: readonly string[]) => store.readBodies(deck.key, messageIds);
  const plan = { format, isRedacted, record, connection: store.connection, headers, words, readBodies };
  try {
    await withCancel(title, async (signal, report) => {
      const pieces = async function* () {
        for await (const piece of exportPieces(plan)) {
          signal.throwIfAborted();
          report(t('{0} of {1}', wholeNumber(piece.done), wholeNumber(headers.length)));
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
  return last;
}

function tellExported({ t }: ExportParts, target: vscode.Uri, last: ExportPiece, isRedacted: boolean): void {
  const open = { label: t('Open'), run: () => vscode.commands.executeCommand('vscode.open', target) };
  const name = target.path.slice(target.path.lastIndexOf('/') + 1);
  const sentences = [
    t('{0} messages were exported to {1}.', wholeNumber(last.done), name),
    isRedacted ? t('Likely secrets taken out: {0}.', wholeNumber(last.redacted)) : '',
    last.missing > 0 ? t('{0} messages could not be read and are marked in the file.', wholeNumber(last.missing)) : '',
  ];
  const sentence = sentences.filter((text) => text !== '').join(' ');
  void (last.missing > 0 ? showWarning : showInfo)(sentence, open);
}

function formatOf(uri: vscode.Uri): ExportFormat | undefined {
  return exportFormats.find((format) => uri.path.endsWith(`.${endings[format]}`));
}

async function askFormat({ t }: ExportParts): Promise<ExportFormat | undefined> {
  const answer = await askChoice<ExportFormat>({
    title: t('Export Conversation'),
    placeholder: t('Choose a format'),
    choices: [
      { label: 'Markdown', detail: t('To read: headings by message, code and tools in fences'), value: 'markdown' },
      { label: 'JSON', detail: t('To process: the session and its messages as one value'), value: 'json' },
      { label: 'JSONL', detail: t('To process: the session, then a message on each line'), value: 'jsonl' },
    ],
    step: 1,
    totalSteps: 2,
  });
  return answer.kind === 'chosen' ? answer.value : undefined;
}

async function askRedaction({ t }: ExportParts): Promise<boolean | undefined> {
  const answer = await askChoice<boolean>({
    title: t('Export Conversation'),
    placeholder: t('Leave likely secrets out?'),
    choices: [
      {
        label: t('Leave Likely Secrets Out'),
        detail: t('Keys, tokens and passwords by their usual forms; look before you share'),
        value: true,
      },
      { label: t('Export as It Is'), detail: t('Every word as the service has it'), value: false },
    ],
    step: 2,
    totalSteps: 2,
  });
  return answer.kind === 'chosen' ? answer.value : undefined;
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
