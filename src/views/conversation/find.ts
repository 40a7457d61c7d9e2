import type { PageFind } from '../../shared/protocol/readingProtocol.ts';
import { describeMessage } from '../../state/presentation/message.ts';
import {
  findPattern,
  type FindPattern,
  type FindQuery,
  findTexts,
  type FindTexts,
} from '../../state/conversation/find.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import { resultMarks } from '../../state/conversation/toolPairs.ts';
import type { Translate } from '../../shared/text.ts';
import { type FoundPlace, MatchCounter, Matches } from './findMatches.ts';
import { readToolPairs } from './rowBodies.ts';

/** Bodies are read and searched so many at a time; between, everything else has its turn. */
const chunkSize = 100;
/** The page is told of what was found so far at most so often. */
const tellEveryMs = 100;

export interface FindOptions {
  readonly store: Store;
  /** What there is to say; with a place where the page is to go. */
  readonly tell: (find: PageFind, place?: FoundPlace) => void;
  readonly t: Translate;
}

/** A message that is to be searched, and what changes when it has to be searched again. */
interface DueMessage {
  readonly header: MessageHeader;
  readonly version: string;
}

/** One search through all messages of a session that are here, shown or not, for as long as its page asks for it. */
export class ConversationFind {
  readonly #options: FindOptions;
  #key: SessionKey | undefined;
  #findId = 0;
  #pattern: FindPattern | undefined;
  #counter: MatchCounter | undefined;
  #matches = new Matches();
  #fromId: string | undefined;
  #problem: string | undefined;
  #isSearching = false;
  #toldAt = 0;

  constructor(options: FindOptions) {
    this.#options = options;
  }

  /** Looks for something, beginning with the message the reader is at. An earlier search is given up. */
  start(key: SessionKey, query: FindQuery & { readonly findId: number }, fromId: string | undefined): void {
    this.stop();
    this.#key = key;
    this.#findId = query.findId;
    this.#fromId = fromId;
    const pattern = query.text === '' ? undefined : findPattern(query, this.#options.t);
    if (!pattern || 'problem' in pattern) {
      this.#problem = pattern?.problem;
      this.#tell();
      return;
    }
    this.#pattern = pattern;
    this.#counter = new MatchCounter(pattern);
    this.update();
  }

  stop(): void {
    this.#key = undefined;
    this.#pattern = undefined;
    this.#counter = undefined;
    this.#problem = undefined;
    this.#isSearching = false;
    this.#matches = new Matches();
  }

  /** Messages came or changed: those are searched too. */
  update(): void {
    if (this.#isSearching || !this.#counter) return;
    this.#isSearching = true;
    void this.#search(this.#counter).finally(() => {
      if (this.#isSearching) return;
      this.#tell();
    });
  }

  /** Goes to the next match, or with -1 to the one before, and from the last to the first. */
  step(findId: number, by: 1 | -1): void {
    const headers = this.#headers;
    if (findId === this.#findId && this.#matches.step(headers, by)) this.#tell(this.#matches.current);
  }

  get #headers(): readonly MessageHeader[] {
    return (this.#key && this.#options.store.record(this.#key)?.headers) ?? [];
  }

  async #search(counter: MatchCounter): Promise<void> {
    const isOver = () => counter !== this.#counter;
    const hasEnough = () => this.#matches.isFull;
    for (let due = this.#due(); due.length > 0 && !hasEnough(); due = this.#due()) {
      for (let from = 0; from < due.length && !hasEnough(); from += chunkSize) {
        await this.#searchChunk(counter, due.slice(from, from + chunkSize));
        if (isOver()) return;
        if (counter.isGivenUp) {
          this.#giveUp();
          return;
        }
        if (Date.now() - this.#toldAt >= tellEveryMs) this.#tell();
        await new Promise<void>((resolve) => void setImmediate(resolve));
        if (isOver()) return;
      }
    }
    this.#isSearching = false;
  }

  async #searchChunk(counter: MatchCounter, due: readonly DueMessage[]): Promise<void> {
    const { store, t } = this.#options;
    const key = this.#key;
    if (!key) return;
    const ids = due.map(({ header }) => header.messageId);
    const bodies = await store.readBodies(key, ids);
    const messages = new Map(bodies.map((message) => [message.id, message]));
    // What came of a tool's call is drawn with the call as well as in its own message.
    const pairsOf = await readToolPairs(store, key, bodies);
    if (counter !== this.#counter) return;
    const found: { readonly messageId: string; readonly texts: FindTexts }[] = [];
    for (const { header, version } of due) {
      const { messageId, role } = header;
      const message = messages.get(messageId);
      this.#matches.searched(messageId, version, message !== undefined);
      if (!message) continue;
      const { blocks } = describeMessage(message, role, messageId, t, pairsOf(message));
      found.push({ messageId, texts: findTexts(blocks, t) });
    }
    this.#count(counter, found);
    const hadOne = this.#matches.current !== undefined;
    const first = this.#matches.begin(ids);
    if (!hadOne && first) this.#tell(first);
  }

  /** Counts in all texts at once, which costs one run of the expression and not one for each. */
  #count(counter: MatchCounter, found: readonly { readonly messageId: string; readonly texts: FindTexts }[]): void {
    const all = found.flatMap(({ texts: { drawn, whole = [] } }) => [...drawn.flat(), ...whole]);
    const counts = counter.count(all).values();
    const next = (texts: readonly string[]) => texts.reduce((sum) => sum + (counts.next().value ?? 0), 0);
    for (const { messageId, texts } of found) {
      const { drawn, whole } = texts;
      const inDrawn = drawn.map(next);
      const drawnCount = inDrawn.reduce((sum, count) => sum + count, 0);
      inDrawn.forEach((count, block) => this.#matches.add(messageId, block, count));
      if (whole) this.#matches.add(messageId, undefined, next(whole) - drawnCount);
    }
  }

  /** What is to be searched: from where the reader is to the end, then from the beginning. */
  #due(): DueMessage[] {
    const headers = this.#headers;
    const marks = resultMarks(headers);
    const from = Math.max(
      0,
      headers.findIndex(({ messageId }) => messageId === this.#fromId),
    );
    return [...headers.slice(from), ...headers.slice(0, from)].flatMap((header) => {
      const version = `${header.updatedAt}${marks.get(header.messageId) ?? ''}`;
      return this.#matches.isSearched(header.messageId, version) ? [] : [{ header, version }];
    });
  }

  #giveUp(): void {
    this.#counter = undefined;
    this.#isSearching = false;
    this.#problem = this.#options.t('This expression takes too long. Make it simpler.');
  }

  #tell(place?: FoundPlace): void {
    this.#toldAt = Date.now();
    const history = this.#key && this.#options.store.record(this.#key)?.history;
    const index = this.#matches.indexOfCurrent(this.#headers);
    const find: PageFind = {
      findId: this.#findId,
      count: this.#matches.count,
      isMore: this.#matches.isFull,
      isSearching: this.#isSearching,
      isOlderMissing: history?.completeness === 'partial',
      isOlderLoading: history?.isLoading === true,
      ...(this.#pattern && this.#problem === undefined ? { pattern: this.#pattern } : {}),
      ...(index === undefined ? {} : { index }),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
    this.#options.tell(find, place);
  }
}
