import * as vscode from 'vscode';
import { plainPickLabel } from '../../host/prompts/askChoice.ts';
import { Disposables } from '../../shared/lifecycle.ts';
import type { MessageAction } from '../../shared/protocol/vocabulary.ts';
import { plainLine } from '../../shared/text.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';
import { detailLevels } from '../../state/conversation/filter.ts';
import { isPrompt } from '../../state/conversation/turns.ts';
import { detailLevelLabel } from '../../state/presentation/filter.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import { currentOrTarget } from '../sessions/pick.ts';

interface Item extends vscode.QuickPickItem {
  /** Undefined for headings and the entry that loads older messages. */
  readonly messageId?: string;
}

/**
 * Lets the user select a prompt of a session, newest first and grouped by day. Resolves to its message ID, or undefined
 * if canceled. The list can load older messages without losing the text typed in its filter.
 * @throws NothingToDoError if the session has no prompts.
 */
async function choosePrompt(context: CommandContext, key: SessionKey): Promise<string | undefined> {
  const { sessions, t } = context;
  const own = new Disposables();
  const first = itemsOf(context, key);
  if (first.length === 0) throw new NothingToDoError(t('No prompts found.'));
  const pick = own.add(vscode.window.createQuickPick<Item>());
  Object.assign(pick, { title: t('Go to Prompt'), placeholder: t('Select a prompt'), items: first });
  const load = async () => {
    pick.busy = true;
    await sessions.loadOlder(key);
    pick.items = itemsOf(context, key);
    pick.busy = false;
  };
  try {
    return await new Promise((resolve, reject) => {
      own.add(pick.onDidHide(() => resolve(undefined)));
      own.add(
        pick.onDidAccept(() => {
          const [chosen] = pick.selectedItems;
          if (chosen?.messageId !== undefined) resolve(chosen.messageId);
          else if (chosen && !pick.busy) load().catch(reject);
        }),
      );
      pick.show();
    });
  } finally {
    own.dispose();
  }
}

function itemsOf({ store, t }: CommandContext, key: SessionKey): Item[] {
  const record = store.record(key);
  const days = new CalendarDays();
  const items: Item[] = [];
  let before = '';
  for (const { messageId, firstLine, createdAt } of record?.headers.filter(isPrompt).toReversed() ?? []) {
    const time = new Date(createdAt);
    const day = days.nameOf(createdAt);
    if (day !== before) {
      before = day;
      const label = time.toLocaleDateString(vscode.env.language, { dateStyle: 'full' });
      items.push({ label, kind: vscode.QuickPickItemKind.Separator });
    }
    items.push({
      label: plainPickLabel(plainLine(firstLine, 120)) || t('({0}, no text)', t('User')),
      description: time.toLocaleTimeString(vscode.env.language, { timeStyle: 'short' }),
      messageId,
    });
  }
  if (record?.history.completeness === 'partial') {
    items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
    items.push({ label: t('Load Older Messages'), iconPath: new vscode.ThemeIcon('history'), alwaysShow: true });
  }
  return items;
}

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

/** Lets the user select a prompt of a session, and shows it. */
async function goToPrompt(context: CommandContext, argument: CommandArgument): Promise<void> {
  const key = await currentOrTarget(context, argument, context.t('Go to Prompt'));
  const messageId = key && (await choosePrompt(context, key));
  if (key && messageId !== undefined) await showPrompt(context, key, messageId);
}

/** Shows a prompt on the active page if it shows the session; otherwise in the side bar. */
async function showPrompt(context: CommandContext, key: SessionKey, messageId: string): Promise<void> {
  const page = context.navigation.activePage;
  if (page?.key?.sessionId === key.sessionId && page.key.origin === key.origin) page.show(key, messageId);
  else await context.navigation.openConversation(key, messageId);
}
