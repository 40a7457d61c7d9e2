import * as vscode from 'vscode';
import type { MessageAction } from '../../shared/protocol/vocabulary.ts';
import { detailLevels } from '../../state/conversation/filter.ts';
import { detailLevelLabel } from '../../state/presentation/filter.ts';
import type { CommandContext } from '../context.ts';
import { UserFacingError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/pick.ts';
import { goToPrompt } from './goToPrompt.ts';

/** Commands that change the conversation view, navigate in a conversation, and copy or quote messages. */
export function readingCommands(context: CommandContext): CommandTable {
  const { navigation, t } = context;
  const act = (action: MessageAction) => async (argument: CommandArgument) => {
    const key = await currentOrTarget(context, argument, t('Copy'));
    if (key) await context.messageActions.run(key, action, argument.messageId);
  };
  return {
    setDetailLevel: (argument) => setDetailLevel(context, argument),
    goToPrompt: (argument) => goToPrompt(context, argument),
    previousPrompt: () => navigation.activePage?.post({ type: 'goToPrompt', by: -1 }),
    nextPrompt: () => navigation.activePage?.post({ type: 'goToPrompt', by: 1 }),
    findInConversation: () => navigation.activePage?.post({ type: 'openFind' }),
    copyMessage: act('copy'),
    copyMessageAsPlainText: act('copyPlain'),
    copyFinalAnswer: act('copyAnswer'),
    copyConversation: act('copyConversation'),
    quoteMessage: ({ messageId }) =>
      messageId !== undefined && navigation.activePage?.post({ type: 'quote', key: messageId }),
  };
}

async function setDetailLevel(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { filters, t } = context;
  const key = await currentOrTarget(context, argument, t('Change Conversation View'));
  if (!key) return;
  const { detailLevel: shown, hiddenRoles } = filters.get(key);
  const hints = {
    answers: t('Prompts and final answers'),
    work: t('Includes tool calls, collapsed'),
    everything: t('Includes content visible only to the agent'),
  };
  const items = detailLevels.map((detailLevel) => ({
    label: detailLevelLabel(detailLevel, t),
    description: detailLevel === shown ? t('current') : '',
    detail: hints[detailLevel],
    detailLevel,
  }));
  const given = detailLevels.find((detailLevel) => detailLevel === argument.detailLevel);
  if (argument.detailLevel !== undefined && !given)
    throw new UserFacingError(t('Unknown view "{0}".', argument.detailLevel));
  const detailLevel =
    given ?? (await vscode.window.showQuickPick(items, { title: t('Change Conversation View') }))?.detailLevel;
  if (detailLevel) filters.set(key, { detailLevel, hiddenRoles });
}
