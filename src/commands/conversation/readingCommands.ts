import * as vscode from 'vscode';
import { askChoice } from '../../host/prompts/askChoice.ts';
import type { DetailLevel, JumpTarget } from '../../shared/protocol/vocabulary.ts';
import { detailLevels } from '../../state/conversation/filter.ts';
import { detailLevelLabel } from '../../state/presentation/describeFilter.ts';
import type { CommandContext } from '../context.ts';
import type { CommandArguments, CommandHandlers, MessageArgument } from '../commandArguments.ts';
import { activeOrTarget } from '../sessions/pick.ts';
import type { CopyAction } from './messageActions.ts';
import { goToPrompt } from './goToPrompt.ts';

/** Commands that change the conversation view, navigate in a conversation, and copy or quote messages. */
export function readingCommands(context: CommandContext) {
  const { activeConversation, navigation, t } = context;
  const act = (action: CopyAction) => async (argument: MessageArgument) => {
    const key = await activeOrTarget(context, argument, t('Copy'));
    if (key) await context.messageActions.run(key, action, argument.messageId);
  };
  const goTo = (target: JumpTarget, by: 1 | -1) => () => activeConversation.page?.post({ type: 'goTo', target, by });
  return {
    setDetailLevel: (argument) => setDetailLevel(context, argument),
    goToPrompt: (argument) => goToPrompt(context, argument),
    previousPrompt: goTo('prompt', -1),
    nextPrompt: goTo('prompt', 1),
    previousCodeBlock: goTo('codeBlock', -1),
    nextCodeBlock: goTo('codeBlock', 1),
    previousHeading: goTo('heading', -1),
    nextHeading: goTo('heading', 1),
    previousStep: goTo('step', -1),
    nextStep: goTo('step', 1),
    previousError: goTo('error', -1),
    nextError: goTo('error', 1),
    previousBookmark: goTo('bookmark', -1),
    nextBookmark: goTo('bookmark', 1),
    focusMessageInput: () => navigation.focusComposer(),
    findInConversation: () => activeConversation.page?.post({ type: 'openFind' }),
    copySelection: () => vscode.commands.executeCommand('editor.action.clipboardCopyAction'),
    copyMessage: act('copy'),
    copyMessageAsPlainText: act('copyPlain'),
    copyFinalAnswer: act('copyAnswer'),
    copyConversation: act('copyConversation'),
    quoteMessage: ({ messageId }) =>
      messageId !== undefined && activeConversation.page?.post({ type: 'quote', key: messageId }),
  } satisfies Partial<CommandHandlers>;
}

async function setDetailLevel(context: CommandContext, argument: CommandArguments['setDetailLevel']): Promise<void> {
  const { filters, t } = context;
  const key = await activeOrTarget(context, argument, t('Change Conversation View'));
  if (!key) return;
  const { detailLevel: shown } = filters.get(key);
  const hints = {
    answers: t('Prompts and final answers'),
    work: t('Includes tool calls, collapsed'),
    everything: t('Includes content visible only to the agent'),
  };
  const ask = async () => {
    const answer = await askChoice<DetailLevel>({
      title: t('Change Conversation View'),
      placeholder: t('Select what to show'),
      choices: detailLevels.map((value) => ({
        label: detailLevelLabel(value, t),
        description: value === shown ? t('current') : '',
        detail: hints[value],
        value,
      })),
      current: shown,
    });
    return answer.kind === 'chosen' ? answer.value : undefined;
  };
  const detailLevel = argument.detailLevel ?? (await ask());
  if (detailLevel) filters.set(key, { detailLevel });
}
