import * as vscode from 'vscode';
import { askText } from '../../host/prompts/askText.ts';
import { type Choice, askChoice, plainPickLabel } from '../../host/prompts/askChoice.ts';
import { describeSession } from '../../state/presentation/session.ts';
import { type SessionKey, keyText, sameSession } from '../../state/store/sessionKey.ts';
import { matchesWords, searchWords } from '../../state/sessions/search.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { lastTouched, type TreeOptions, defaultTreeOptions } from '../../state/sessions/sections.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { TextHit } from '../../sync/cache/textSearch.ts';
import type { CommandArgument, CommandTable } from '../register.ts';
import type { CommandContext } from '../context.ts';

type Item = vscode.QuickPickItem & { readonly key?: SessionKey; readonly messageId?: string };

/** ConversationFilter all that is kept takes a moment, so it waits until the typing pauses. */
const typingPauseMs = 250;

/** Finding a session among many, and how the tree shows them. */
export function findCommands(context: CommandContext): CommandTable {
  const { treeOptions } = context;
  return {
    findSessions: () => findSessions(context),
    filterSessions: (argument) => filterSessions(context, argument),
    filterUnread: () => toggleUnread(context),
    clearFilter: () => treeOptions.change({ filter: defaultTreeOptions.filter }),
    arrangeSessions: () => arrangeSessions(context),
  };
}

function toggleUnread({ treeOptions }: CommandContext): void {
  const { filter } = treeOptions.options;
  treeOptions.change({ filter: { ...filter, isUnreadOnly: !filter.isUnreadOnly } });
}

/** A pick of sessions by what they are called, and then by what was said in them, as far as it is kept here. */
async function findSessions(context: CommandContext): Promise<void> {
  const { t } = context;
  const pick = vscode.window.createQuickPick<Item>();
  let search = new AbortController();
  const show = (text: string): void => {
    search.abort();
    search = new AbortController();
    void fillPick(context, pick, text, search.signal);
  };
  Object.assign(pick, {
    keepScrollPosition: true,
    title: t('Find Sessions'),
    placeholder: t('Title, name, tag, ID, or words of a conversation kept on this machine'),
  });
  pick.onDidChangeValue(show);
  show('');
  const item = await new Promise<Item | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.activeItems[0]));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  search.abort();
  pick.dispose();
  if (!item?.key) return;
  const { key, messageId } = item;
  const target = { sessionId: key.sessionId, service: key.origin, ...(messageId === undefined ? {} : { messageId }) };
  await vscode.commands.executeCommand('lineside.openConversation', target);
}

async function fillPick(
  context: CommandContext,
  pick: vscode.QuickPick<Item>,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const words = searchWords(text);
  const records = [...context.store.records].sort((a, b) => lastTouched(b) - lastTouched(a));
  const found = new Map<SessionRecord, TextHit | undefined>();
  for (const record of records) if (matchesWords(record, words)) found.set(record, undefined);
  const draw = (): void => {
    const active = pick.activeItems[0]?.key;
    pick.items = records
      .filter((record) => found.has(record))
      .map((record) => itemOf(context, record, found.get(record)));
    const same = active && pick.items.find(({ key }) => sameSession(key, active));
    if (same && words.length > 0) pick.activeItems = [same];
  };
  draw();
  if (words.length === 0) return;
  await new Promise((resolve) => setTimeout(resolve, typingPauseMs));
  const isGivenUp = () => signal.aborted;
  if (isGivenUp()) return;
  pick.busy = true;
  for await (const { record, hit } of hitsIn(context, records, words, signal)) {
    found.set(record, hit);
    draw();
  }
  // A later search is still at work where this one was given up for it.
  if (!isGivenUp()) pick.busy = false;
}

/** Sessions in whose kept messages all words are found, as they are found. */
async function* hitsIn(
  { messages }: CommandContext,
  records: readonly SessionRecord[],
  words: readonly string[],
  signal = new AbortController().signal,
): AsyncGenerator<{ readonly record: SessionRecord; readonly hit: TextHit }> {
  for (const record of records) {
    const hit = await messages.find(record.listEntry.key, words, signal);
    if (signal.aborted) return;
    if (hit) yield { record, hit };
  }
}

function itemOf({ store, t }: CommandContext, record: SessionRecord, hit: TextHit | undefined): Item {
  const { label, description, icon } = describeSession(record, store.connection, Date.now(), t);
  return {
    label: `$(${icon}) ${plainPickLabel(label)}`,
    description: plainPickLabel(description),
    key: record.listEntry.key,
    // The pick itself matches what is typed only with what it shows; tags and ids are shown nowhere else.
    alwaysShow: true,
    ...(hit ? { detail: plainPickLabel(plainLine(hit.excerpt, 160)), messageId: hit.messageId } : {}),
  };
}

async function filterSessions(context: CommandContext, argument: CommandArgument): Promise<void> {
  const { store, treeOptions, t } = context;
  const { filter } = treeOptions.options;
  const text = argument.isScripted ? (argument.text ?? '') : await askFilter(filter.text, t);
  if (text === undefined) return;
  treeOptions.change({ filter: { ...filter, text: text.trim() } });
  const words = searchWords(text);
  if (words.length === 0) return;
  const found = new Set<string>();
  for await (const { record } of hitsIn(context, store.records, words)) {
    // Another filter was set meanwhile.
    if (treeOptions.options.filter.text !== text.trim()) return;
    found.add(keyText(record.listEntry.key));
    treeOptions.setTextMatches(new Set(found));
  }
}

async function askFilter(value: string, t: Translate): Promise<string | undefined> {
  const answer = await askText({
    title: t('Filter Sessions'),
    prompt: t('Words of a title, name, tag, ID or conversation. Empty shows all sessions.'),
    value,
  });
  return answer.kind === 'text' ? answer.text : undefined;
}

/** How the tree groups and sorts. */
async function arrangeSessions({ treeOptions, t }: CommandContext): Promise<void> {
  const { options } = treeOptions;
  const group = (label: string, groupBy: TreeOptions['groupBy']): Choice<Partial<TreeOptions>> =>
    choiceOf(label, options.groupBy === groupBy, { groupBy });
  const sort = (label: string, sortBy: TreeOptions['sortBy']): Choice<Partial<TreeOptions>> =>
    choiceOf(label, options.sortBy === sortBy, { sortBy });
  const answer = await askChoice<Partial<TreeOptions>>({
    title: t('Group and Sort Sessions'),
    placeholder: t('Choose how the tree shows your sessions'),
    choices: [
      { label: t('Group by') },
      group(t('Age'), 'age'),
      group(t('Status'), 'status'),
      group(t('Tag'), 'tag'),
      { label: t('Sort by') },
      sort(t('Updated'), 'updated'),
      sort(t('Created'), 'created'),
      sort(t('Name'), 'name'),
      sort(t('Needs Attention First'), 'attention'),
    ],
  });
  if (answer.kind === 'chosen') treeOptions.change(answer.value);
}

function choiceOf(label: string, isInForce: boolean, value: Partial<TreeOptions>): Choice<Partial<TreeOptions>> {
  return { label, value, icon: isInForce ? 'check' : 'blank' };
}
