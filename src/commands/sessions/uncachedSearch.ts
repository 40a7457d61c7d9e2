import * as vscode from 'vscode';
import type { PickerRow } from '../../host/prompts/picker.ts';
import { Emitter } from '../../shared/lifecycle.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { describeFailure } from '../../state/presentation/describeFailure.ts';
import { serviceNames } from '../../state/store/connection.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { TextHit } from '../../sync/cache/findWords.ts';
import type { ConversationSearch, SearchStop } from '../../sync/history/serviceSearch.ts';
import type { CommandContext } from '../context.ts';

/** The value of a row of {@link UncachedSearch}: an action, or information, which does nothing when selected. */
export type UncachedRow = 'search' | 'cancel' | 'information';

/**
 * The second part of a search for words: conversations that aren't completely cached, which are read from their
 * services if the user asks for it. Its rows show how many conversations were searched, and why others weren't.
 */
export class UncachedSearch {
  readonly #context: CommandContext;
  readonly #words: readonly string[];
  readonly #hits = new Emitter<{ readonly record: SessionRecord; readonly hit: TextHit }>();
  readonly #changes = new Emitter<void>();
  readonly onDidHit = this.#hits.event;
  /** Fires when the rows may have changed. */
  readonly onDidChange = this.#changes.event;
  /** The conversations that aren't completely cached, the most recent first. */
  readonly #records: SessionRecord[] = [];
  /** The outcomes of the conversations that were searched, by the texts of their session keys. */
  readonly #results = new Map<string, ConversationSearch['outcome']>();
  #stops: readonly SearchStop[] = [];
  #running: AbortController | undefined;
  /** Whether the whole cache has been searched, so all conversations have been added. */
  #isReady = false;

  constructor(context: CommandContext, words: readonly string[]) {
    this.#context = context;
    this.#words = words;
  }

  /** Adds a conversation without a hit in the cache, unless its session is transient or all its messages are cached. */
  add(record: SessionRecord, cachedCount: number | undefined): void {
    const { messageCount } = record.session ?? {};
    const isEmpty = messageCount === 0;
    const isCached = messageCount !== undefined && cachedCount !== undefined && cachedCount >= messageCount;
    if (!isEmpty && !isCached && !record.listEntry.isTransient) this.#records.push(record);
  }

  /** Offers to search the added conversations. */
  ready(): void {
    this.#isReady = true;
    this.#changes.fire();
  }

  /**
   * Searches the conversations that haven't been searched, unless such a search is running. Resolves to true when it
   * has ended by itself, and to false if it was canceled or not started.
   */
  async run(): Promise<boolean> {
    if (this.#running) return false;
    const { sessions } = this.#context;
    const running = (this.#running = new AbortController());
    const records = new Map(this.#searchable.map((record) => [keyText(record.listEntry.key), record]));
    this.#stops = [];
    this.#changes.fire();
    try {
      const stops = await sessions.searchServices({
        keys: Array.from(records.values(), ({ listEntry }) => listEntry.key),
        words: this.#words,
        signal: running.signal,
        onSearched: (key, result) => this.#take(key, records.get(keyText(key)), result),
      });
      if (this.#running !== running) return false;
      this.#stops = stops;
      return true;
    } finally {
      if (this.#running === running) {
        this.#running = undefined;
        this.#changes.fire();
      }
    }
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Ends the search. What was found stays. */
  cancel(): void {
    this.#running?.abort();
    this.#running = undefined;
    this.#changes.fire();
  }

  /**
   * The rows about this search. While the search is running, only the row that cancels it; the caller shows it above
   * the sessions. Otherwise, rows that the caller shows below the sessions: the next action, if there is one; after a
   * search, "No results" if `foundCount` is 0, and what was searched; and warnings about what wasn't or can't be
   * searched. `foundCount` is the number of all sessions that were found so far. Empty before {@link ready} is called,
   * and if no conversation was added.
   */
  rows(foundCount: number): PickerRow<UncachedRow>[] {
    if (!this.#isReady || this.#records.length === 0) return [];
    const isOver = !this.#running && (this.#results.size > 0 || this.#stops.length > 0);
    return [
      ...(isOver && foundCount === 0 ? [this.#informationRow('circle-slash', this.#context.t('No results'))] : []),
      ...(this.#running ? [this.#cancelRow()] : this.#searchRows()),
      ...(isOver ? [this.#informationRow('info', this.#searchedText)] : []),
      ...(this.#running ? [] : this.#shortfalls.map((text) => this.#informationRow('warning', text))),
    ];
  }

  #take(key: SessionKey, record: SessionRecord | undefined, { outcome, hit }: ConversationSearch): void {
    this.#results.set(keyText(key), outcome);
    if (record && hit) this.#hits.fire({ record, hit });
    this.#changes.fire();
  }

  /** The conversations that haven't been searched and whose services are connected, so that they can be searched. */
  get #searchable(): readonly SessionRecord[] {
    return this.#unsearched.filter((record) => this.#isConnected(record));
  }

  get #unsearched(): readonly SessionRecord[] {
    const { store } = this.#context;
    return this.#records.filter(
      ({ listEntry: { key } }) => !this.#results.has(keyText(key)) && store.record(key) !== undefined,
    );
  }

  #isConnected({ listEntry }: SessionRecord): boolean {
    return this.#context.store.connectionOf(listEntry.key.origin).kind === 'ready';
  }

  #searchRows(): PickerRow<UncachedRow>[] {
    const { t } = this.#context;
    const count = this.#searchable.length;
    if (count === 0) return [];
    const label = t(
      {
        one: "Search 1 conversation that isn't completely cached on this machine",
        other: "Search {0} conversations that aren't completely cached on this machine",
      },
      count,
    );
    const detail = t('Reads their messages from the service. Nothing is saved.');
    return [rowOf('search', 'search', label, detail)];
  }

  #cancelRow(): PickerRow<UncachedRow> {
    const { t } = this.#context;
    const total = this.#results.size + this.#searchable.length;
    return rowOf(
      'cancel',
      'stop-circle',
      t('Cancel Search'),
      t('{0} of {1} conversations searched', this.#results.size, total),
    );
  }

  #informationRow(icon: string, text: string): PickerRow<UncachedRow> {
    return rowOf('information', icon, text);
  }

  get #searchedText(): string {
    const { t } = this.#context;
    const searched = this.#countOf('searched');
    return t(
      {
        one: "Searched {1} of 1 conversation that isn't completely cached",
        other: "Searched {1} of {0} conversations that aren't completely cached",
      },
      this.#records.length,
      searched,
    );
  }

  /** What wasn't searched, and why. */
  get #shortfalls(): readonly string[] {
    const { store, t } = this.#context;
    const names = serviceNames(store.connections);
    const tooLarge = this.#countOf('tooLarge');
    const failed = this.#countOf('failed');
    const unconnected = this.#unsearched.length - this.#searchable.length;
    const texts: string[] = [];
    for (const stop of this.#stops) {
      const name = names.get(stop.origin) ?? new URL(stop.origin).host;
      texts.push(t('{0}: {1}', plainLine(name, 60), this.#stopText(stop)));
    }
    if (tooLarge > 0) texts.push(tooLargeText(tooLarge, t));
    if (failed > 0)
      texts.push(t({ one: "1 conversation couldn't be read", other: "{0} conversations couldn't be read" }, failed));
    if (unconnected > 0) texts.push(unconnectedText(unconnected, t));
    return texts;
  }

  #stopText({ failure, pausedUntil }: SearchStop): string {
    const { t } = this.#context;
    if (pausedUntil !== undefined)
      return t('The service is busy or not responding. Search again after {0}.', t.formats.time(pausedUntil));
    return failure ? describeFailure(failure, t) : '';
  }

  #countOf(wanted: ConversationSearch['outcome']): number {
    return [...this.#results.values()].filter((outcome) => outcome === wanted).length;
  }
}

function rowOf(value: UncachedRow, icon: string, label: string, detail?: string): PickerRow<UncachedRow> {
  const row = { label, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, value };
  // The search and its cancellation are one row, which stays active.
  const id = value === 'information' ? label : 'uncached';
  return { ...row, id, ...(detail === undefined ? {} : { detail }) };
}

function tooLargeText(count: number, t: Translate): string {
  return t(
    {
      one: '1 conversation is too large and was searched only in part',
      other: '{0} conversations are too large and were searched only in part',
    },
    count,
  );
}

function unconnectedText(count: number, t: Translate): string {
  return t(
    {
      one: "1 conversation isn't completely cached, and its service isn't connected",
      other: "{0} conversations aren't completely cached, and their services aren't connected",
    },
    count,
  );
}
