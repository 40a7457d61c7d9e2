import * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { askText } from '../../host/prompts/askText.ts';
import { askChoice, type Choice, createPicker, showRows } from '../../host/prompts/askChoice.ts';
import { chosenRow } from '../../host/prompts/chosenRow.ts';
import { describeSession } from '../../state/presentation/session.ts';
import { type SessionKey, keyText, sameSession } from '../../state/store/sessionKey.ts';
import { SessionSearch, searchWords } from '../../state/sessions/search.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { recentFirst, type TreeFilter, type TreeOptions, defaultTreeOptions } from '../../state/sessions/sections.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import type { TextHit } from '../../sync/cache/textSearch.ts';
import type { Caller, CommandArguments, CommandHandlers } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { openSession } from './sessions.ts';

type Item = vscode.QuickPickItem & { readonly key?: SessionKey; readonly messageId?: string };

/** Delay after the last key before cached conversations are searched, because that search reads them from disk. */
const typingPauseMs = 100;

/** Results within this time are drawn together. */
const drawAfterMs = 20;

/** VS Code needs a tenth of a millisecond for each item, whether it is in view or not. */
const maxShown = 200;

/** Commands that find sessions, and that filter, group, and sort the tree. */
export function findCommands(context: CommandContext) {
  const { treeOptions } = context;
  return {
    findSessions: () => findSessions(context),
    filterSessions: (argument, caller) => filterSessions(context, argument, caller),
    filterUnread: () => toggleOnly(context, 'unread'),
    filterNeedsYou: () => toggleOnly(context, 'needsYou'),
    clearFilter: () => treeOptions.change({ filter: defaultTreeOptions.filter }),
    arrangeSessions: () => arrangeSessions(context),
  } satisfies Partial<CommandHandlers>;
}

function toggleOnly({ treeOptions }: CommandContext, only: TreeFilter['only']): void {
  const { filter } = treeOptions.options;
  treeOptions.change({ filter: { ...filter, only: filter.only === only ? 'all' : only } });
}

async function findSessions(context: CommandContext): Promise<void> {
  const finder = new SessionFinder(context);
  const item = await finder.pick();
  finder.dispose();
  if (!item?.key) return;
  await openSession(context, item.key, item.messageId);
}

/** A picker that finds sessions by title, tags, and ID, and then by their cached messages. */
class SessionFinder implements Disposable {
  readonly #context: CommandContext;
  readonly #pick = createPicker<Item>();
  readonly #drawing = new DelayedTask(drawAfterMs, () => this.#draw());
  readonly #sessions = new SessionSearch();
  #search = new AbortController();
  #found = new Map<SessionRecord, TextHit | undefined>();
  #choose: (item: Item | undefined) => void = () => undefined;
  /** Whether the user pressed Enter before the search found anything. */
  #isAccepted = false;

  constructor(context: CommandContext) {
    const { t } = context;
    this.#context = context;
    Object.assign(this.#pick, {
      keepScrollPosition: true,
      title: t('Find Sessions'),
      placeholder: t('Search titles, tags, IDs, and cached conversations'),
    });
    this.#pick.onDidChangeValue((text) => void this.#find(text));
  }

  /** Resolves to the item that the user selects, or undefined if the picker is closed. */
  pick(): Promise<Item | undefined> {
    void this.#find('');
    return new Promise((resolve) => {
      this.#choose = resolve;
      this.#pick.onDidAccept(() => {
        const chosen = chosenRow(this.#pick);
        if (chosen) resolve(chosen);
        else this.#isAccepted = this.#pick.busy;
      });
      this.#pick.onDidHide(() => resolve(undefined));
      this.#pick.show();
    });
  }

  dispose(): void {
    this.#search.abort();
    this.#drawing.dispose();
    this.#pick.dispose();
  }

  async #find(text: string): Promise<void> {
    this.#search.abort();
    this.#isAccepted = false;
    const { signal } = (this.#search = new AbortController());
    const words = searchWords(text);
    const { records } = this.#context.store;
    this.#found = new Map(this.#sessions.matching(records, words).map((record) => [record, undefined]));
    this.#draw();
    this.#pick.busy = words.length > 0;
    if (words.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, typingPauseMs));
    if (this.#search.signal !== signal) return;
    for await (const { record, hit } of hitsIn(this.#context, recentFirst(records), words, signal)) {
      this.#found.set(record, hit);
      this.#drawing.request();
    }
    // If a later search has replaced this one, keep the busy indicator for that search.
    if (!signal.aborted) this.#pick.busy = false;
  }

  /** Shows the most recent of the sessions found. */
  #draw(): void {
    const { t } = this.#context;
    const active = this.#pick.activeItems[0]?.key;
    const shown = recentFirst([...this.#found.keys()]).slice(0, maxShown);
    const items = shown.map((record) => itemOf(this.#context, record, this.#found.get(record)));
    const hidden = this.#found.size - shown.length;
    if (hidden > 0) items.push({ label: t('and {0} more', hidden), kind: vscode.QuickPickItemKind.Separator });
    showRows(this.#pick, items);
    if (this.#isAccepted && items[0]) this.#choose(items[0]);
    const same = active && items.find(({ key }) => sameSession(key, active));
    if (same && this.#pick.value !== '') this.#pick.activeItems = [same];
  }
}

/** Yields the sessions whose cached messages contain all words, as they are found. */
export async function* hitsIn(
  { messages }: Pick<CommandContext, 'messages'>,
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
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    key: record.listEntry.key,
    // The picker matches only visible text, but tags and IDs are not shown.
    alwaysShow: true,
    ...(hit ? { detail: plainLine(hit.excerpt, 160), messageId: hit.messageId } : {}),
  };
}

async function filterSessions(
  context: CommandContext,
  argument: CommandArguments['filterSessions'],
  caller: Caller,
): Promise<void> {
  const { store, treeOptions, t } = context;
  const { filter } = treeOptions.options;
  const text = caller === 'script' ? (argument.text ?? '') : await askFilter(filter.text, t);
  if (text === undefined) return;
  treeOptions.change({ filter: { ...filter, text: text.trim() } });
  const words = searchWords(text);
  if (words.length === 0) return;
  const found = new Set<string>();
  for await (const { record } of hitsIn(context, store.records, words)) {
    // Stop if the filter has changed in the meantime.
    if (treeOptions.options.filter.text !== text.trim()) return;
    found.add(keyText(record.listEntry.key));
    treeOptions.setTextMatches(new Set(found));
  }
}

async function askFilter(value: string, t: Translate): Promise<string | undefined> {
  const answer = await askText({
    title: t('Filter Sessions'),
    prompt: t('Filter by title, tag, ID, or message text. Leave empty to show all.'),
    value,
  });
  return answer.kind === 'text' ? answer.text : undefined;
}

/** Asks how the tree groups and sorts sessions. */
async function arrangeSessions({ treeOptions, t }: CommandContext): Promise<void> {
  const { options } = treeOptions;
  const group = (label: string, groupBy: TreeOptions['groupBy']): Choice<Partial<TreeOptions>> =>
    choiceOf(label, options.groupBy === groupBy, { groupBy });
  const sort = (label: string, sortBy: TreeOptions['sortBy']): Choice<Partial<TreeOptions>> =>
    choiceOf(label, options.sortBy === sortBy, { sortBy });
  const answer = await askChoice<Partial<TreeOptions>>({
    title: t('Group and Sort Sessions'),
    placeholder: t('Select how to group and sort your sessions'),
    choices: [
      { label: t('Group By') },
      group(t('Age'), 'age'),
      group(t('Status'), 'status'),
      group(t('Tag'), 'tag'),
      { label: t('Sort By') },
      sort(t('Updated'), 'updated'),
      sort(t('Created'), 'created'),
      sort(t('Name'), 'name'),
      sort(t('Needs Attention First'), 'attention'),
    ],
  });
  if (answer.kind === 'chosen') treeOptions.change(answer.value);
}

function choiceOf(label: string, isCurrent: boolean, value: Partial<TreeOptions>): Choice<Partial<TreeOptions>> {
  return { label, value, icon: isCurrent ? 'check' : 'blank' };
}
