import * as vscode from 'vscode';
import type { MessageAction } from '../../shared/protocol/readingProtocol.ts';
import { lensLabel } from '../../state/presentation/filter.ts';
import { lenses } from '../../state/conversation/filter.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { choosePrompt } from './choosePrompt.ts';
import type { MessageActionParts, MessageActions } from './messageActions.ts';
import { ToldError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/sessionTarget.ts';
import type { SessionPickParts } from '../sessions/pick.ts';

export interface ReadingParts extends SessionPickParts, MessageActionParts {
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  readonly openConversation: (key: SessionKey, messageId?: string) => Promise<void>;
  readonly messageActions: MessageActions;
  /** The page the person is at, if there is one. */
  readonly activePage: () => ConversationPage | undefined;
}

/** How a conversation is read: what is shown, where one goes in it, and what one takes from it. */
export function readingCommands(parts: ReadingParts): CommandTable {
  const { activePage, t } = parts;
  const act = (action: MessageAction) => async (argument: CommandArgument) => {
    const key = await currentOrTarget(parts, argument, t('Copy'));
    if (key) await parts.messageActions.run(key, action, argument.messageId);
  };
  return {
    setLens: (argument) => setLens(parts, argument),
    goToPrompt: (argument) => goToPrompt(parts, argument),
    previousPrompt: () => activePage()?.tell({ type: 'goToPrompt', by: -1 }),
    nextPrompt: () => activePage()?.tell({ type: 'goToPrompt', by: 1 }),
    findInConversation: () => activePage()?.tell({ type: 'openFind' }),
    copyMessage: act('copy'),
    copyMessageAsPlainText: act('copyPlain'),
    copyFinalAnswer: act('copyAnswer'),
    copyConversation: act('copyConversation'),
    quoteMessage: ({ messageId }) => messageId !== undefined && activePage()?.tell({ type: 'quote', key: messageId }),
  };
}

async function setLens(parts: ReadingParts, argument: CommandArgument): Promise<void> {
  const { readings, t } = parts;
  const key = await currentOrTarget(parts, argument, t('Choose Lens'));
  if (!key) return;
  const { lens: shown, hiddenRoles } = readings.get(key);
  const hints = {
    answers: t('Prompts and final answers'),
    work: t('What the agent did as well, tools folded'),
    everything: t('What only the model gets as well'),
  };
  const items = lenses.map((lens) => ({
    label: lensLabel(lens, t),
    description: lens === shown ? t('current') : '',
    detail: hints[lens],
    lens,
  }));
  const given = lenses.find((lens) => lens === argument.lens);
  if (argument.lens !== undefined && !given) throw new ToldError(t('There is no lens "{0}".', argument.lens));
  const lens = given ?? (await vscode.window.showQuickPick(items, { title: t('Choose Lens') }))?.lens;
  if (lens) readings.set(key, { lens, hiddenRoles });
}

/** Lets the person pick one of the prompts of a session, and shows it. */
async function goToPrompt(parts: ReadingParts, argument: CommandArgument): Promise<void> {
  const key = await currentOrTarget(parts, argument, parts.t('Go to Prompt'));
  const messageId = key && (await choosePrompt(parts, key));
  if (key && messageId !== undefined) await showPrompt(parts, key, messageId);
}

/** On the page the person is at, if that shows the session, else in the side bar. */
async function showPrompt(parts: ReadingParts, key: SessionKey, messageId: string): Promise<void> {
  const page = parts.activePage();
  if (page?.key?.sessionId === key.sessionId && page.key.origin === key.origin) page.show(key, messageId);
  else await parts.openConversation(key, messageId);
}
