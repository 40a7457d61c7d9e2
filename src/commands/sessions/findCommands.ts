import * as vscode from 'vscode';
import { DelayedTask } from '../../shared/delayedTask.ts';
import { onDispose } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import { askChoice, type Choice } from '../../host/prompts/askChoice.ts';
import { Picker, type PickerRow } from '../../host/prompts/picker.ts';
import { describeSession } from '../../state/presentation/describeSession.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import { SessionSearch, searchWords } from '../../state/sessions/sessionSearch.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { recentFirst, type TreeOptions } from '../../state/sessions/sections.ts';
import { plainLine } from '../../shared/text.ts';
import type { CacheSearch, TextForRole } from '../../sync/cache/messageCache.ts';
import type { TextHit } from '../../sync/cache/findWords.ts';
import type { CommandHandlers } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { openSession } from './openSession.ts';
import { UncachedSearch, type UncachedRow } from './uncachedSearch.ts';

/** A session and, if the words were found in a message, the ID of that message. */
interface Found {
  readonly key: SessionKey;
  readonly messageId?: string;
}

/** The delay between the last keystroke and the search in cached conversations, which reads them from disk. */
const typingPauseMs = 100;

/** Results within this time are drawn together. */
const drawAfterMs = 20;

/** VS Code needs a tenth of a millisecond for each item, whether it is in view or not. */
const maxShown = 200;

/** Commands that find sessions, and that group and sort the tree. */
export function findCommands(context: CommandContext) {
  return {
    findSessions: () => findSessions(context),
    arrangeSessions: () => arrangeSessions(context),
  } satisfies Partial<CommandHandlers>;
}

async function findSessions(context: CommandContext): Promise<void> {
  const found = await new SessionFinder(context).choose();
  if (found) await openSession(context, found.key, found.messageId);
}

/**
 * A picker that finds sessions by title, tags, and ID, then by their cached messages, and, if the user asks for it, by
 * their messages on the service.
 */
class SessionFinder {
  readonly #context: CommandContext;
  readonly #picker: Picker<Found | UncachedRow, Found>;
  readonly #drawing = new DelayedTask(drawAfterMs, () => this.#draw());
  readonly #sessions = new SessionSearch();
  #search = new AbortController();
  #found = new Map<SessionRecord, TextHit | undefined>();
  /** The search on services for the same words. Undefined without words, and until the cache has been searched. */
  #uncached: UncachedSearch | undefined;
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
    this.#picker.add(onDispose(() => this.#end()));
  }

  /** Resolves to what the user selects, or undefined if the picker is closed. */
  choose(): Promise<Found | undefined> {
    void this.#find('');
    return this.#picker.ask({
      accept: (choice) => this.#accept(choice),
      type: (text) => void this.#find(text),
    });
  }

  async #accept(choice: Found | UncachedRow | undefined): Promise<void> {
    if (choice === undefined) this.#isAccepted = this.#picker.isBusy;
    else if (choice === 'search') await this.#searchServices();
    else if (choice === 'cancel') this.#cancel();
    else if (choice !== 'information') this.#picker.finish(choice);
  }

  #end(): void {
    this.#search.abort();
    this.#uncached?.cancel();
    this.#uncached = undefined;
    // Dispose last, because ending the search on services requests a redraw.
    this.#drawing.dispose();
  }

  async #find(text: string): Promise<void> {
    this.#end();
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
    const uncached = new UncachedSearch(this.#context, words);
    uncached.onDidHit(({ record, hit }) => this.#found.set(record, hit));
    uncached.onDidChange(() => this.#drawing.request());
    for await (const { record, hit, cachedCount } of searchCache(this.#context, recentFirst(records), words, signal)) {
      if (!hit) {
        uncached.add(record, cachedCount);
        continue;
      }
      this.#found.set(record, hit);
      this.#drawing.request();
    }
    // If a later search has replaced this one, keep the busy indicator for that search.
    if (signal.aborted) return;
    this.#picker.isBusy = false;
    this.#uncached = uncached;
    uncached.ready();
  }

  async #searchServices(): Promise<void> {
    this.#picker.isBusy = true;
    // If the user pressed Enter before there was a row to open, only a result from the cache may be opened.
    this.#isAccepted = false;
    if (await this.#uncached?.run()) this.#picker.isBusy = false;
  }

  #cancel(): void {
    this.#uncached?.cancel();
    this.#picker.isBusy = false;
  }

  /** Shows the most recent of the sessions found, and what the search on services can do or did. */
  #draw(): void {
    const { t } = this.#context;
    const shown = recentFirst([...this.#found.keys()]).slice(0, maxShown);
    const found = shown.map((record) => rowOf(this.#context, record, this.#found.get(record)));
    const [first] = found;
    const rows: PickerRow<Found | UncachedRow>[] = [...found];
    const hidden = this.#found.size - shown.length;
    if (hidden > 0) rows.push({ label: t('and {0} more', hidden), kind: vscode.QuickPickItemKind.Separator });
    // While results appear, the row with the progress comes first: VS Code would otherwise select a result that takes
    // its place.
    const about = this.#uncached?.rows(this.#found.size) ?? [];
    const all = this.#uncached?.isRunning ? [...about, ...rows] : [...rows, ...about];
    this.#picker.show(all, this.#picker.text === '' ? first : undefined);
    if (this.#isAccepted && first) this.#picker.finish(first.value);
  }
}

/**
 * Yields the sessions with a cached message that contains all words (lowercase), as they are found. Ends if `signal` is
 * aborted. For `shownText`, see `MessageCache.find`.
 */
export async function* hitsIn(
  context: Pick<CommandContext, 'messages' | 'log'>,
  records: readonly SessionRecord[],
  words: readonly string[],
  signal = new AbortController().signal,
  shownText?: TextForRole,
): AsyncGenerator<{ readonly record: SessionRecord; readonly hit: TextHit }> {
  for await (const { record, hit } of searchCache(context, records, words, signal, shownText))
    if (hit) yield { record, hit };
}

/**
 * Searches the cached messages of each session for all words. A session whose cache can't be read counts as not cached.
 * Ends if the signal is aborted.
 */
async function* searchCache(
  { messages, log }: Pick<CommandContext, 'messages' | 'log'>,
  records: readonly SessionRecord[],
  words: readonly string[],
  signal: AbortSignal,
  shownText?: TextForRole,
): AsyncGenerator<CacheSearch & { readonly record: SessionRecord }> {
  for (const record of records) {
    const result = await messages.find(record.listEntry.key, words, signal, shownText).catch((error: unknown) => {
      log.warn(`couldn't search cached messages: ${reasonOf(error)}`);
      return { hit: undefined, cachedCount: undefined };
    });
    if (signal.aborted) return;
    yield { record, ...result };
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
    // The picker matches only visible text, but tags and IDs aren't shown.
    alwaysShow: true,
    ...(hit ? { detail: plainLine(hit.excerpt, 160) } : {}),
  };
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
      group(t('Service'), 'service'),
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
