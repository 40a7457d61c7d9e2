import { defined } from '../../shared/defined.ts';
import { noteBlock } from '../../shared/protocol/vocabulary.ts';
import type { PageFind } from '../../shared/protocol/pageModel.ts';
import { withoutAnswers } from '../../state/presentation/blocks.ts';
import { describeEach } from '../../state/presentation/describeMessage.ts';
import {
  findPattern,
  type FindPattern,
  type FindQuery,
  findTexts,
  type FindTexts,
} from '../../state/conversation/findPattern.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { HistoryState } from '../../state/store/sessionRecord.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { resultMarks } from '../../state/conversation/toolPairs.ts';
import { oneLine, reasonOf } from '../../shared/log.ts';
import { inSlices } from '../../shared/slices.ts';
import type { Translate } from '../../shared/text.ts';
import { type FoundPlace, MatchCounter, Matches, MatchThread } from './findMatches.ts';
import { readToolPairs } from './sessionRowBodies.ts';

/** The maximum number of messages that are read together, and the maximum sum of their estimated heights, in lines. */
const chunkSize = 100;
const chunkLines = 4_000;
/**
 * When the collected strings have this many characters, they are searched before those of further messages are added.
 */
const searchedLength = 250_000;
/** Minimum interval between two intermediate results. */
const reportIntervalMs = 100;

/** Maximum number of rows that the rail marks as containing matches: more than a screen has lines. */
const maxMarkedRows = 2_000;

/** A message to search. Its `version` changes whenever it must be searched again. */
interface DueMessage {
  readonly header: MessageHeader;
  readonly version: string;
}

/** Searches all loaded messages of a session, including hidden ones, until the page stops the search. */
export class ConversationFind {
  readonly #store: Store;
  readonly #t: Translate;
  readonly #report: (find: PageFind, place?: FoundPlace) => void;
  #key: SessionKey | undefined;
  #findId = 0;
  #pattern: FindPattern | undefined;
  readonly #thread = new MatchThread();
  #counter: MatchCounter | undefined;
  #matches = new Matches();
  #fromId: string | undefined;
  #failure: string | undefined;
  #isSearching = false;
  /**
   * Whether the user waits for the first match, which then becomes the current one. False once the messages that the
   * user wanted to search have been searched: new messages only add matches, and don't move the list.
   */
  #isAwaited = false;
  /** The load that the user waits for. It may still be queued, so the history doesn't show it yet. */
  #loading: Promise<void> | undefined;
  #isRegex = false;
  /** Whether the page has the pattern of this search. */
  #isPatternSent = false;
  #reportedAt = 0;
  /** The revision of the matches whose rows the page knows. */
  #markedRevision: number | undefined;

  /** `report` receives each state of the search, and the match to scroll to if it changed. */
  constructor(store: Store, t: Translate, report: (find: PageFind, place?: FoundPlace) => void) {
    this.#store = store;
    this.#t = t;
    this.#report = report;
  }

  /**
   * Starts a search at the message `fromId`; at the first message if it is undefined or not loaded. Stops an earlier
   * search.
   */
  start(key: SessionKey, query: FindQuery & { readonly findId: number }, fromId: string | undefined): void {
    this.#reset();
    this.#key = key;
    this.#findId = query.findId;
    this.#fromId = fromId;
    const pattern = query.text === '' ? undefined : findPattern(query, this.#t);
    if (!pattern || 'failure' in pattern) {
      this.#failure = pattern?.failure;
      this.#send();
      return;
    }
    this.#pattern = pattern;
    this.#isRegex = query.isRegex;
    this.#isAwaited = true;
    this.#counter = new MatchCounter(pattern, query.isRegex ? this.#thread : undefined);
    this.update();
  }

  /** Call this when the user loads the messages that aren't searched yet; `loading` settles when that has ended. */
  awaitMatch(loading: Promise<void>): void {
    this.#isAwaited = true;
    this.#loading = loading;
    const end = () => {
      if (this.#loading !== loading) return;
      this.#loading = undefined;
      this.update();
    };
    loading.then(end, end);
  }

  /** Stops the search and the thread that it runs in. */
  stop(): void {
    this.#reset();
    this.#thread.dispose();
  }

  #reset(): void {
    this.#key = undefined;
    this.#pattern = undefined;
    this.#counter?.stop();
    this.#counter = undefined;
    this.#failure = undefined;
    this.#isSearching = false;
    this.#isPatternSent = false;
    this.#matches = new Matches();
    this.#loading = undefined;
    this.#markedRevision = undefined;
  }

  /** Searches messages that are new or have changed. */
  update(): void {
    if (this.#isSearching || !this.#counter) return;
    this.#isSearching = true;
    // Withdraws the pattern before the page receives the rows of these messages, because matching them could block the
    // page.
    if (this.#isRegex && this.#isPatternSent && this.#due().length > 0) this.#send();
    const counter = this.#counter;
    void this.#search(counter)
      .catch((error: unknown) => {
        if (counter !== this.#counter) return;
        this.#fail(this.#t("Couldn't search the conversation: {0}", oneLine(reasonOf(error), 200)));
      })
      .finally(() => {
        if (this.#isSearching) return;
        this.#isAwaited &&= this.#loading !== undefined;
        this.#send();
      });
  }

  /** Goes to the next match (1) or the previous match (-1). Wraps around at both ends. */
  step(findId: number, by: 1 | -1): void {
    const headers = this.#headers;
    if (findId === this.#findId && this.#matches.step(headers, by)) this.#send(this.#matches.current);
  }

  get #headers(): readonly MessageHeader[] {
    return (this.#key && this.#store.record(this.#key)?.headers) ?? [];
  }

  get #history(): HistoryState | undefined {
    return this.#key && this.#store.record(this.#key)?.history;
  }

  /** Whether older messages are being loaded. The page may show the newest ones before the store has any. */
  get #isOlderLoading(): boolean {
    return this.#history?.completeness === 'unread' || this.#history?.isLoading === true;
  }

  /** The notes of bookmarks, by message. */
  get #notes(): ReadonlyMap<string, string> {
    const bookmarks = (this.#key && this.#store.record(this.#key)?.listEntry.bookmarks) ?? [];
    return new Map(bookmarks.map(({ messageId, note = '' }) => [messageId, note]));
  }

  async #search(counter: MatchCounter): Promise<void> {
    const isOver = () => counter !== this.#counter;
    const hasEnough = () => this.#matches.isFull;
    for (let due = this.#due(); due.length > 0 && !hasEnough(); due = this.#due()) {
      for (let from = 0; from < due.length && !hasEnough();) {
        const chunk = chunkOf(due, from);
        from += chunk.length;
        await this.#searchChunk(counter, chunk);
        if (isOver()) return;
        if (counter.isGivenUp) {
          this.#fail(this.#tooLong);
          return;
        }
        if (Date.now() - this.#reportedAt >= reportIntervalMs) this.#send();
        await new Promise<void>((resolve) => void setImmediate(resolve));
        if (isOver()) return;
      }
    }
    this.#isSearching = false;
  }

  async #searchChunk(counter: MatchCounter, due: readonly DueMessage[]): Promise<void> {
    const store = this.#store;
    const t = this.#t;
    const key = this.#key;
    if (!key) return;
    const ids = due.map(({ header }) => header.messageId);
    const bodies = await store.readBodies(key, ids);
    const messages = new Map(bodies.map((message) => [message.id, message]));
    // Search a tool's result in the message with the call too, because it is rendered there as well.
    const pairsOf = await readToolPairs(store, key, bodies);
    if (counter !== this.#counter) return;
    const notes = this.#notes;
    let found: FoundTexts[] = [];
    let length = 0;
    for (const { header, version } of due) {
      const { messageId } = header;
      const message = messages.get(messageId);
      this.#matches.searched(messageId, version, message !== undefined);
      if (!message) continue;
      const isOver = () => counter !== this.#counter;
      const described = describeEach(message, header, messageId, t, pairsOf(message), withoutAnswers(header));
      const row = await inSlices(described, isOver);
      const texts = row && (await inSlices(findTexts(row.blocks, t, row.role === 'user'), isOver));
      if (!texts) return;
      found.push({ messageId, texts: { ...texts, note: notes.get(messageId) } });
      length += lengthOf(texts);
      if (length < searchedLength) continue;
      await this.#count(counter, found);
      found = [];
      length = 0;
    }
    await this.#count(counter, found);
    if (counter !== this.#counter) return;
    const hadOne = this.#matches.current !== undefined;
    const first = this.#isAwaited ? this.#matches.begin(ids) : undefined;
    if (!hadOne && first) this.#send(first);
  }

  /** Counts the matches in all strings in one run, because a separate run for each string is slower. */
  async #count(counter: MatchCounter, found: readonly FoundTexts[]): Promise<void> {
    const all = found.flatMap(({ texts: { drawn, whole = [], note = '' } }) => [...drawn.flat(), ...whole, note]);
    const counts = (await counter.count(all)).values();
    if (counter !== this.#counter) return;
    const next = (texts: readonly string[]) => texts.reduce((sum) => sum + (counts.next().value ?? 0), 0);
    for (const { messageId, texts } of found) {
      const { drawn, whole, note = '' } = texts;
      const inDrawn = drawn.map(next);
      const drawnCount = inDrawn.reduce((sum, count) => sum + count, 0);
      inDrawn.forEach((count, block) => this.#matches.add(messageId, block, count));
      if (whole) this.#matches.add(messageId, undefined, next(whole) - drawnCount);
      this.#matches.add(messageId, noteBlock, next([note]));
    }
  }

  /** The messages that still have to be searched: from the start message to the end, then from the beginning. */
  #due(): DueMessage[] {
    const headers = this.#headers;
    const marks = resultMarks(headers);
    const notes = this.#notes;
    const from = Math.max(
      0,
      headers.findIndex(({ messageId }) => messageId === this.#fromId),
    );
    return [...headers.slice(from), ...headers.slice(0, from)].flatMap((header) => {
      const drawn = `${header.updatedAt} ${String(header.hasAddedText)}`;
      const version = `${drawn}${marks.get(header.messageId) ?? ''} ${notes.get(header.messageId) ?? ''}`;
      return this.#matches.isSearched(header.messageId, version) ? [] : [{ header, version }];
    });
  }

  #fail(failure: string): void {
    this.#counter = undefined;
    this.#isSearching = false;
    this.#failure = failure;
  }

  get #tooLong(): string {
    return this.#t('This expression takes too long. Try a simpler one.');
  }

  #send(place?: FoundPlace): void {
    this.#reportedAt = Date.now();
    const completeness = this.#history?.completeness;
    const index = this.#matches.indexOfCurrent(this.#headers);
    const { count } = this.#matches;
    const isMore = this.#matches.isFull || this.#counter?.isCut === true;
    const isWithout = count === 0 && !this.#isSearching && this.#counter?.hasTimedOut === true;
    const failure = this.#failure ?? (isWithout ? this.#tooLong : undefined);
    // A regular expression can take forever in a text that the thread hasn't searched, and would then block the page.
    const isSafe = failure === undefined && !(this.#isRegex && (this.#isSearching || isMore));
    const pattern = isSafe ? this.#pattern : undefined;
    this.#isPatternSent = pattern !== undefined;
    const find: PageFind = {
      findId: this.#findId,
      count,
      isMore,
      isSearching: this.#isSearching,
      isOlderMissing: completeness === 'unread' || completeness === 'partial',
      isOlderLoading: this.#isOlderLoading,
      ...defined({ matchKeys: place ? undefined : this.#changedKeys() }),
      ...defined({ pattern, index, failure }),
    };
    this.#report(find, place);
  }

  /** The keys of the rows with matches, or of every nth of them; undefined while searching, or if unchanged. */
  #changedKeys(): readonly string[] | undefined {
    const record = this.#key && this.#store.record(this.#key);
    if (!record || this.#isSearching || this.#markedRevision === this.#matches.revision) return undefined;
    this.#markedRevision = this.#matches.revision;
    const found = record.headers.filter(({ messageId }) => this.#matches.has(messageId));
    const every = Math.ceil(found.length / maxMarkedRows);
    return found
      .filter((_, index) => index % every === 0)
      .map(({ messageId }) => record.entryIdByMessageId.get(messageId) ?? messageId);
  }
}

/** The strings of a message to search. */
interface FoundTexts {
  readonly messageId: string;
  readonly texts: FindTexts;
}

/** The messages from the index `from` on that are read together. */
function chunkOf(due: readonly DueMessage[], from: number): readonly DueMessage[] {
  let end = from + 1;
  let lines = due[from]?.header.estimatedLines ?? 0;
  for (; end < due.length && end < from + chunkSize; end += 1) {
    lines += due[end]?.header.estimatedLines ?? 0;
    if (lines > chunkLines) break;
  }
  return due.slice(from, end);
}

function lengthOf({ drawn, whole = [] }: FindTexts): number {
  return [...drawn.flat(), ...whole].reduce((sum, text) => sum + text.length, 0);
}
