import * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { onDispose } from '../../shared/lifecycle.ts';
import { askChoice, type Choice } from '../../host/prompts/askChoice.ts';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import { describeSession } from '../../state/presentation/session.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import { SessionSearch, searchWords } from '../../state/sessions/search.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { recentFirst, type TreeOptions, type TreeFilter, defaultTreeOptions } from '../../state/sessions/sections.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { TextHit } from '../../sync/cache/textSearch.ts';
import type { CommandHandlers, Caller, CommandArguments } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { openSession } from './sessions.ts';
import { askText } from '../../host/prompts/askText.ts';

/** A session, and the message that contains the searched words. */
interface Found {
  readonly key: SessionKey;
  readonly messageId?: string;
}

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
  const found = await new SessionFinder(context).choose();
  if (found) await openSession(context, found.key, found.messageId);
}

/** A picker that finds sessions by title, tags, and ID, and then by their cached messages. */
class SessionFinder {
  readonly #context: CommandContext;
  readonly #picker: Picker<Found, Found>;
  readonly #drawing = new DelayedTask(drawAfterMs, () => this.#draw());
  readonly #sessions = new SessionSearch();
  #search = new AbortController();
  #found = new Map<SessionRecord, TextHit | undefined>();
  /** Whether the user pressed Enter before the search found anything. */
  #isAccepted = false;

  constructor(context: CommandContext) {
    const { t } = context;
    this.#context = context;
    this.#picker = new Picker({
      keepScrollPosition: true,
      title: t('Find Sessions'),
      placeholder: t('Search titles, tags, IDs, and cached conversations'),
    });
    this.#picker.add(this.#drawing);
    this.#picker.add(onDispose(() => this.#search.abort()));
  }

  /** Resolves to what the user selects, or undefined if the picker is closed. */
  choose(): Promise<Found | undefined> {
    void this.#find('');
    return this.#picker.ask({
      accept: (found) => {
        if (found) this.#picker.finish(found);
        else this.#isAccepted = this.#picker.isBusy;
      },
      type: (text) => void this.#find(text),
    });
  }

  async #find(text: string): Promise<void> {
    this.#search.abort();
    this.#isAccepted = false;
    const { signal } = (this.#search = new AbortController());
    const words = searchWords(text);
    const { records } = this.#context.store;
    this.#found = new Map(this.#sessions.matching(records, words).map((record) => [record, undefined]));
    this.#draw();
    this.#picker.isBusy = words.length > 0;
    if (words.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, typingPauseMs));
    if (this.#search.signal !== signal) return;
    for await (const { record, hit } of hitsIn(this.#context, recentFirst(records), words, signal)) {
      this.#found.set(record, hit);
      this.#drawing.request();
    }
    // If a later search has replaced this one, keep the busy indicator for that search.
    if (!signal.aborted) this.#picker.isBusy = false;
  }

  /** Shows the most recent of the sessions found. */
  #draw(): void {
    const { t } = this.#context;
    const shown = recentFirst([...this.#found.keys()]).slice(0, maxShown);
    const rows = shown.map((record) => rowOf(this.#context, record, this.#found.get(record)));
    const [first] = rows;
    const hidden = this.#found.size - shown.length;
    if (hidden > 0) rows.push({ label: t('and {0} more', hidden), kind: vscode.QuickPickItemKind.Separator });
    this.#picker.show(rows, this.#picker.text === '' ? first : undefined);
    if (this.#isAccepted && first) this.#picker.finish(first.value);
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

function rowOf({ store, t }: CommandContext, record: SessionRecord, hit: TextHit | undefined): PickerRow<Found> {
  const { key } = record.listEntry;
  const { label, description, icon } = describeSession(record, store.connectionOf(key.origin), Date.now(), t);
  return {
    label,
    description,
    iconPath: new vscode.ThemeIcon(icon),
    value: { key, ...(hit ? { messageId: hit.messageId } : {}) },
    id: keyText(key),
    // The picker matches only visible text, but tags and IDs are not shown.
    alwaysShow: true,
    ...(hit ? { detail: plainLine(hit.excerpt, 160) } : {}),
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
