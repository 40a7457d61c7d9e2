import * as vscode from 'vscode';
import { suggestedFile } from '../../host/files/saveAs.ts';
import { writeWholeFile } from '../../host/files/wholeFile.ts';
import { askChoice, type Choice, type ChoiceAnswer } from '../../host/prompts/askChoice.ts';
import { showInfo, showWarning } from '../../host/prompts/notify.ts';
import { CanceledWork, withCancel } from '../../host/prompts/progress.ts';
import { inSlices } from '../../shared/slices.ts';
import { type Translate } from '../../shared/text.ts';
import { type ConversationFilter, unfiltered } from '../../state/conversation/filter.ts';
import {
  type ExportFormat,
  exportFormats,
  type ExportPiece,
  exportPieces,
  fileNameOf,
} from '../../state/documents/export.ts';
import { redactingRecord } from '../../state/documents/redactedParts.ts';
import { detailLevelLabel } from '../../state/presentation/describeFilter.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { documentWords } from '../../views/documents/documentStrings.ts';
import type { CommandContext } from '../context.ts';
import { UserFacingError } from '../commandErrors.ts';
import type { Caller, CommandArguments, CommandHandlers } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import { loadFullHistory, outdatedMessage } from './loadFullHistory.ts';

/** The answers to the questions about an export. */
interface ExportChoices {
  readonly format: ExportFormat;
  /** The messages to export; {@link unfiltered} for all of them. */
  readonly filter: ConversationFilter;
  readonly isRedacted: boolean;
}

type Question = 'format' | 'messages' | 'redaction';
type Place = Pick<Parameters<typeof askChoice>[0], 'step' | 'totalSteps' | 'canGoBack'>;

/**
 * Asks for the choices that the argument leaves open, in steps with a Back button. For a script, asks only for a
 * missing format. `shown` is the filter of the conversation, and `format` is the format if it is already known.
 * Resolves to undefined if canceled.
 */
async function askExport(
  argument: CommandArguments['exportConversation'],
  caller: Caller,
  format: ExportFormat | undefined,
  shown: ConversationFilter,
  t: Translate,
): Promise<ExportChoices | undefined> {
  const isWhole = shown.detailLevel === 'everything';
  const questions: Question[] = [
    ...(format === undefined ? (['format'] as const) : []),
    ...(caller === 'script' || argument.detailLevel !== undefined || isWhole ? [] : (['messages'] as const)),
    ...(caller === 'script' ? [] : (['redaction'] as const)),
  ];
  let choices: ExportChoices = {
    format: format ?? 'markdown',
    filter: argument.detailLevel ? { detailLevel: argument.detailLevel } : unfiltered,
    isRedacted: argument.redact === true,
  };
  for (let at = 0; at < questions.length;) {
    const place = { step: at + 1, totalSteps: questions.length, canGoBack: at > 0 };
    const answer = await ask(questions[at], choices, shown, place, t);
    if (answer.kind === 'cancelled') return undefined;
    if (answer.kind === 'chosen') choices = { ...choices, ...answer.value };
    at += answer.kind === 'back' ? -1 : 1;
  }
  return choices;
}

function ask(
  question: Question | undefined,
  { format }: ExportChoices,
  shown: ConversationFilter,
  place: Place,
  t: Translate,
): Promise<ChoiceAnswer<Partial<ExportChoices>>> {
  const title = t('Export Conversation');
  switch (question) {
    case 'messages':
      return askChoice({
        ...place,
        title,
        placeholder: t('Select the messages to export'),
        choices: messageChoices(format, shown, t),
      });
    case 'redaction':
      return askChoice({
        ...place,
        title,
        placeholder: t('Redact likely secrets?'),
        choices: redactions(t),
      });
    default:
      return askChoice({ ...place, title, placeholder: t('Select a format'), choices: formats(t) });
  }
}

function formats(t: Translate): Choice<Partial<ExportChoices>>[] {
  return [
    {
      label: 'Markdown',
      detail: t('For reading and sharing'),
      value: { format: 'markdown' },
    },
    { label: 'JSON', detail: t('One object with all messages'), value: { format: 'json' } },
    { label: 'JSONL', detail: t('One message per line'), value: { format: 'jsonl' } },
  ];
}

/** The choices of messages to export. "As Shown" comes first only for Markdown, which is meant for reading. */
function messageChoices(
  format: ExportFormat,
  shown: ConversationFilter,
  t: Translate,
): Choice<Partial<ExportChoices>>[] {
  const asShown = {
    label: t('As Shown'),
    detail: t('Messages in the "{0}" view', detailLevelLabel(shown.detailLevel, t)),
    value: { filter: shown },
  };
  const all = {
    label: t('All Messages'),
    detail: t('Includes hidden messages'),
    value: { filter: unfiltered },
  };
  return format === 'markdown' ? [asShown, all] : [all, asShown];
}

function redactions(t: Translate): Choice<Partial<ExportChoices>>[] {
  return [
    {
      label: t('Redact Likely Secrets'),
      detail: t('Removes API keys, tokens, and passwords in common formats. Review the file before you share it.'),
      value: { isRedacted: true },
    },
    { label: t('Export Unredacted'), detail: t('Includes everything, unredacted'), value: { isRedacted: false } },
  ];
}

const extensions: Readonly<Record<ExportFormat, string>> = { markdown: 'md', json: 'json', jsonl: 'jsonl' };

/** The command that exports a conversation. */
export function exportCommands(context: CommandContext) {
  return {
    exportConversation: (argument, caller) => exportConversation(context, argument, caller),
  } satisfies Partial<CommandHandlers>;
}

/**
 * Exports a conversation to a file. Resolves to the URI of the file, or undefined if canceled.
 * @throws UserFacingError if not all messages can be loaded.
 */
async function exportConversation(
  context: CommandContext,
  argument: CommandArguments['exportConversation'],
  caller: Caller,
): Promise<string | undefined> {
  const { t } = context;
  const key = await activeOrTarget(context, argument, t('Export Conversation'));
  if (!key) return undefined;
  const format = argument.format ?? (argument.uri ? formatOf(argument.uri) : undefined);
  const choices = await askExport(argument, caller, format, context.filters.get(key), t);
  if (!choices) return undefined;
  const target = argument.uri ?? (await askTarget(context, key, choices));
  if (!target) return undefined;
  const written = await writeExport(context, key, { ...choices, target });
  if (!written) return undefined;
  showExported(context, target, written, choices.isRedacted);
  return target.toString();
}

interface ExportPlan extends ExportChoices {
  readonly target: vscode.Uri;
}

interface Written {
  readonly last: ExportPiece;
  /** The number of messages in the conversation, exported or not. */
  readonly totalCount: number;
  /** Whether newer messages may be missing. */
  readonly isOutdated: boolean;
}

async function writeExport(
  context: CommandContext,
  key: SessionKey,
  { target, ...choices }: ExportPlan,
): Promise<Written | undefined> {
  const { store, t } = context;
  const loaded = await loadFullHistory(context, key);
  if (loaded === 'canceled') return undefined;
  const record = store.record(key);
  if (!record) return undefined;
  if (record.history.completeness !== 'complete') {
    throw new UserFacingError(
      t("Couldn't load all messages, so nothing was exported. Try again when the service is available."),
    );
  }
  let last: ExportPiece | undefined;
  const title = t('Exporting "{0}"', sessionTitle(record));
  const readBodies = (messageIds: readonly string[]) => store.readBodies(key, messageIds);
  const plan = { ...choices, record, connection: store.connectionOf(key.origin), words: documentWords(t), readBodies };
  try {
    await withCancel(title, async (signal, report) => {
      const pieces = async function* () {
        for await (const piece of exportPieces(plan)) {
          signal.throwIfAborted();
          report(t('{0} of {1}', piece.done, piece.total));
          last = piece;
          yield piece.text;
        }
      };
      await writeWholeFile(target, pieces());
    });
  } catch (error) {
    if (error instanceof CanceledWork) return undefined;
    throw error;
  }
  return last && { last, totalCount: record.headers.length, isOutdated: loaded === 'outdated' };
}

function showExported(
  { t }: CommandContext,
  target: vscode.Uri,
  { last, totalCount, isOutdated }: Written,
  isRedacted: boolean,
): void {
  const open = { label: t('Open'), run: () => vscode.commands.executeCommand('vscode.open', target) };
  const name = target.path.slice(target.path.lastIndexOf('/') + 1);
  const sentences = [
    last.done === totalCount
      ? t({ one: 'Exported 1 message to {1}.', other: 'Exported {0} messages to {1}.' }, last.done, name)
      : t('Exported {0} of {1} messages to {2}.', last.done, totalCount, name),
    isRedacted ? redactionMessage(last.redacted, t) : '',
    missingMessage(last.missing, t),
    isOutdated ? outdatedMessage(t) : '',
  ];
  const sentence = sentences.filter((text) => text !== '').join(' ');
  void (last.missing > 0 || isOutdated ? showWarning : showInfo)(sentence, open);
}

function missingMessage(count: number, t: Translate): string {
  if (count === 0) return '';
  return t(
    {
      one: "1 message couldn't be loaded and is marked in the file.",
      other: "{0} messages couldn't be loaded and are marked in the file.",
    },
    count,
  );
}

function redactionMessage(count: number, t: Translate): string {
  return count === 0 ? t('No likely secrets found.') : t('Likely secrets redacted: {0}.', count);
}

function formatOf(uri: vscode.Uri): ExportFormat | undefined {
  return exportFormats.find((format) => uri.path.endsWith(`.${extensions[format]}`));
}

async function askTarget(
  { store, t }: CommandContext,
  key: SessionKey,
  { format, isRedacted }: ExportChoices,
): Promise<vscode.Uri | undefined> {
  const record = store.record(key);
  const shown = record && isRedacted ? (await inSlices(redactingRecord(record))).value : record;
  const name = fileNameOf(shown ? sessionTitle(shown) : key.sessionId);
  return vscode.window.showSaveDialog({
    title: t('Export Conversation'),
    defaultUri: suggestedFile(`${name}.${extensions[format]}`),
    filters: { [format]: [extensions[format]] },
  });
}
