import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import type { Translate } from '../../shared/text.ts';
import { describeLoadedPart } from '../../state/presentation/describeChanges.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { recognizeCall } from '../../state/tools/recognize.ts';
import { stepsAround } from '../../state/conversation/turnSteps.ts';
import type { PairedCall } from '../../state/work/calls.ts';
import { commandsIn } from '../../state/work/commands.ts';
import { type AgentError, errorsIn } from '../../state/work/agentErrors.ts';
import type { MessagePlace } from '../../views/conversation/conversationRowModel.ts';
import type { CommandContext } from '../context.ts';
import { byDay } from '../conversation/dayItems.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { CommandHandlers, MessageArgument, SessionArgument } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import { loadedRecord, recordWithMessage } from '../conversation/loadedRecord.ts';

interface Step {
  readonly place: MessagePlace;
  /** The call whose command a button copies. */
  readonly call?: PairedCall;
}

/** The commands that list the commands and errors of a session. They run nothing. */
export function stepCommands(context: CommandContext) {
  return {
    showCommands: (argument) => showCommands(context, argument),
    showErrors: (argument) => showErrors(context, argument),
  } satisfies Partial<CommandHandlers>;
}

/** Lets the user select a command that the agent ran, newest first, and goes to its step. A button copies it. */
async function showCommands(context: CommandContext, argument: SessionArgument): Promise<void> {
  const { t } = context;
  const title = t('Show Commands');
  const key = await activeOrTarget(context, argument, title);
  if (!key) return;
  const record = await loadedRecord(context, key);
  const isPart = describeLoadedPart(record, t) !== '';
  const calls = commandsIn(record.headers);
  if (calls.length === 0) {
    throw new NothingToDoError(
      isPart ? t('No commands found in the loaded messages.') : t('No commands found in this session.'),
    );
  }
  const entries = calls.toReversed().map((call) => ({ call, createdAt: call.header.createdAt }));
  const copyButton = { iconPath: new vscode.ThemeIcon('copy'), tooltip: t('Copy Command') };
  const rows = byDay(entries, t, ({ call, createdAt }): PickerRow<Step> => ({
    label: call.mark.label,
    description: [t.formats.time(createdAt), outcomeLabel(call, t)].filter((part) => part !== '').join(' · '),
    iconPath: outcomeIcon(call),
    buttons: [copyButton],
    value: { place: { messageId: call.header.messageId, step: call.mark.index }, call },
  }));
  const placeholder = isPart
    ? t('Select a command from the loaded messages to go to its step')
    : t('Select a command to go to its step');
  await goToStep(context, key, { title, placeholder, rows });
}

/**
 * Lets the user select a failed step or an error message, newest first, and goes to it. With `messageId`, covers only
 * the turn of that message, and goes to a single error without asking.
 */
async function showErrors(context: CommandContext, argument: MessageArgument): Promise<void> {
  const { t } = context;
  const title = t('Show Errors');
  const key = await activeOrTarget(context, argument, title);
  if (!key) return;
  const { messageId: turnId } = argument;
  const record = await recordWithMessage(context, key, turnId);
  const isPart = describeLoadedPart(record, t) !== '';
  const turn = turnId === undefined ? undefined : stepsAround(record.headers, turnId);
  const errors = turnId === undefined ? errorsIn(record.headers) : (turn?.errors ?? []);
  const [only, ...others] = errors;
  if (turn && only && others.length === 0) {
    await context.navigation.openConversation(key, placeOf(only));
    return;
  }
  if (errors.length === 0 && turn) throw new NothingToDoError(t('No errors found in this turn.'));
  if (errors.length === 0) {
    throw new NothingToDoError(
      isPart ? t('No errors found in the loaded messages.') : t('No errors found in this session.'),
    );
  }
  const entries = errors
    .toReversed()
    .map((error) => ({ ...error, createdAt: error.header.createdAt, place: placeOf(error) }));
  const rows = byDay(entries, t, ({ label, detail, createdAt, place }): PickerRow<Step> => ({
    label: label || t('Error'),
    description: t.formats.time(createdAt),
    ...(detail === '' ? {} : { detail: detail }),
    iconPath: new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground')),
    value: { place },
  }));
  const placeholder = isPart
    ? t('Select an error from the loaded messages to go to it')
    : t('Select an error to go to it');
  await goToStep(context, key, { title, placeholder, rows });
}

function outcomeLabel({ outcome }: PairedCall, t: Translate): string {
  switch (outcome) {
    case 'done':
      return '';
    case 'failed':
      return t('failed');
    case 'rejected':
      return t('rejected');
    case 'unanswered':
      return t('no result');
  }
}

function outcomeIcon({ outcome }: PairedCall): vscode.ThemeIcon {
  switch (outcome) {
    case 'done':
      return new vscode.ThemeIcon('terminal');
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('errorForeground'));
    case 'rejected':
      return new vscode.ThemeIcon('circle-slash');
    case 'unanswered':
      return new vscode.ThemeIcon('circle-outline');
  }
}

interface StepList {
  readonly title: string;
  readonly placeholder: string;
  readonly rows: readonly PickerRow<Step>[];
}

async function goToStep(
  context: CommandContext,
  key: SessionKey,
  { title, placeholder, rows }: StepList,
): Promise<void> {
  const picker = new Picker<Step, MessagePlace>({ title, placeholder, matchOnDescription: true, matchOnDetail: true });
  picker.show(rows);
  const place = await picker.ask({
    accept: (step) => step && picker.finish(step.place),
    rowButton: (step) => copyCommand(context, key, step),
  });
  if (place) await context.navigation.openConversation(key, place);
}

function placeOf({ header, stepIndex }: AgentError): MessagePlace {
  return { messageId: header.messageId, ...defined({ step: stepIndex }) };
}

/** Copies the whole command, which can be longer than its label. */
async function copyCommand({ store, t }: CommandContext, key: SessionKey, { call }: Step): Promise<void> {
  if (!call) return;
  const [body] = await store.readBodies(key, [call.header.messageId]);
  const block = body?.content[call.mark.index];
  const known = block?.type === 'tool_use' ? recognizeCall(block.name, block.input) : undefined;
  if (known?.kind !== 'execute') {
    vscode.window.setStatusBarMessage(t('This command is still loading. Try again in a moment.'), 5_000);
    return;
  }
  await vscode.env.clipboard.writeText(known.command);
  vscode.window.setStatusBarMessage(t('Command copied.'), 3_000);
}
