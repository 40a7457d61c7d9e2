import {
  type DocumentSection,
  type DocumentWords,
  liveEnd,
  liveHead,
  messageHeading,
  messageTitle,
  type PartRange,
  partsOf,
} from '../../state/documents/document.ts';
import type { DocumentAddress } from '../../state/documents/documentUri.ts';
import { SerialQueue } from '../../shared/serialQueue.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import type { Message } from '../../api/resources/message.ts';
import { withoutAnswers } from '../../state/presentation/blocks.ts';
import { noPairs } from '../../state/conversation/toolPairs.ts';
import { authorLabel, describeEach, describePlace } from '../../state/presentation/describeMessage.ts';
import type { MessageHeader } from '../../state/store/messageHeader.ts';
import { messageDocument, messageText, outputText } from '../../state/documents/messageMarkdown.ts';
import { branchFrom } from '../../state/conversation/branches.ts';
import { findStep } from '../../state/conversation/turnSteps.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import type { Store } from '../../state/store/store.ts';

/** The number of message bodies read from disk at a time. */
const batchSize = 50;
/**
 * Maximum total length of cached message texts, in characters. With this cache, only the end of a growing conversation
 * is rendered again.
 */
const cachedLength = 12_000_000;

interface Section {
  /** The header that was rendered; a changed message has a new header object. */
  readonly header: MessageHeader;
  readonly sizeBytes: number;
  /** Whether the body wasn't cached. If so, it is requested again each time. */
  readonly isMissing: boolean;
}

interface WrittenPart {
  readonly record: SessionRecord;
  readonly range: PartRange;
  readonly head: string;
  readonly sections: readonly DocumentSection[];
  /** What follows the sections; empty if nothing does. */
  readonly end: string;
}

/** A part of a conversation. `number` is 1-based; `firstHeading` is plain text. */
export interface PartSummary {
  readonly number: number;
  readonly firstHeading: string;
}

/** Receives the number of processed messages, and the number of messages that must be processed. */
export type OnProgress = (done: number, total: number) => void;

/**
 * A conversation as Markdown, in parts. Caches the size of every message and the text of the most recently rendered
 * ones, so that rendering after a new message is cheap.
 */
export class ConversationText {
  readonly #store: Store;
  readonly #key: SessionKey;
  readonly #words: DocumentWords;
  readonly #sections = new Map<string, Section>();
  readonly #texts = new Map<string, string>();
  #textsLength = 0;
  readonly #queue = new SerialQueue();

  constructor(store: Store, key: SessionKey, words: DocumentWords) {
    this.#store = store;
    this.#key = key;
    this.#words = words;
  }

  /**
   * The current parts, each with its first heading.
   * @throws AbortError if `signal` was aborted.
   */
  parts(signal?: AbortSignal, onProgress?: OnProgress): Promise<PartSummary[]> {
    return this.#queue.run(async () => {
      const record = await this.#measure(signal, onProgress);
      if (!record) return [];
      return this.#parts(record).map(({ first }, index) => {
        const header = record.headers[first];
        return { number: index + 1, firstHeading: header ? this.#title(header, undefined) : '' };
      });
    });
  }

  /** The text of a part (1-based), or undefined if the session isn't in the list or has no such part. */
  part(number: number): Promise<string | undefined> {
    return this.#queue.run(async () => {
      const part = await this.#write(number);
      if (!part) return undefined;
      const { head, sections, end } = part;
      return `${[head, ...sections.map(({ text }) => text), end].filter((text) => text !== '').join('\n\n')}\n`;
    });
  }

  /** The heading and the text of one message, or undefined if it isn't in the store. */
  message(messageId: string): Promise<string | undefined> {
    return this.#queue.run(async () => {
      const section = await this.#message(messageId);
      return section && `${section.text}\n`;
    });
  }

  /** The messages of a document, in its order. */
  sections(shows: DocumentAddress['shows']): Promise<readonly DocumentSection[]> {
    return this.#queue.run(async () => {
      if ('part' in shows) return (await this.#write(shows.part))?.sections ?? [];
      const section = await this.#message(shows.messageId);
      return section ? [section] : [];
    });
  }

  /** The text of one message as in a copy, but safe to preview; undefined if the message isn't in the store. */
  async copied(messageId: string): Promise<string | undefined> {
    if (!this.#store.header(this.#key, messageId)) return undefined;
    const [message] = await this.#store.readBodies(this.#key, [messageId]);
    return message ? `${await inSlices(messageDocument(message, this.#words.t))}\n` : `*${this.#notCached}*\n`;
  }

  /**
   * The branch that begins with a message, or as much of it as fits in a document. The headings contain no times,
   * because those of two branches always differ. Undefined if the message isn't in the store.
   */
  branch(messageId: string): Promise<string | undefined> {
    return this.#queue.run(async () => {
      const record = await this.#measure();
      const headers = branchFrom(record?.headers ?? [], messageId);
      const parts = partsOf(this.#sizesOf(headers));
      const [range] = parts;
      if (headers.length === 0 || !range) return undefined;
      const shown = headers.slice(0, range.last + 1);
      const texts = await this.#textsOf(shown);
      const { t } = this.#words;
      const sections = shown.map((header) =>
        `${messageHeading(header, authorLabel(header, t))}\n\n${texts.get(header.messageId) ?? ''}`.trimEnd(),
      );
      if (parts.length > 1) sections.push(`*${t('Part {0} of {1}.', 1, parts.length)}*`);
      return `${sections.join('\n\n')}\n`;
    });
  }

  /** The whole output of a step, or undefined if the step isn't in the store or has no output. */
  async output(messageId: string, index: number): Promise<string | undefined> {
    const { t } = this.#words;
    const result = findStep(this.#store.record(this.#key)?.headers ?? [], messageId, index)?.result;
    if (!result) return undefined;
    const [message] = await this.#store.readBodies(this.#key, [result.messageId]);
    if (!message) return `${this.#notCached}\n`;
    const block = message.content[result.index];
    return block?.type === 'tool_result' ? inSlices(outputText(block, t)) : undefined;
  }

  /**
   * The part that contains a message and the line of its heading in that part, both 1-based. Undefined if the message
   * isn't in the store.
   */
  placeOf(messageId: string): Promise<{ readonly part: number; readonly line: number } | undefined> {
    return this.#queue.run(async () => {
      const record = await this.#measure();
      const index = record?.headers.findIndex((header) => header.messageId === messageId) ?? -1;
      if (!record || index === -1) return undefined;
      const part = this.#parts(record).findIndex(({ last }) => index <= last) + 1;
      const written = await this.#write(part);
      if (!written) return undefined;
      const earlier = written.sections.slice(0, index - written.range.first);
      // A blank line follows the head and each message.
      const before = [written.head, ...earlier.map(({ text }) => text)];
      return { part, line: before.reduce((line, text) => line + countLineFeeds(text) + 2, 1) };
    });
  }

  #parts({ headers }: SessionRecord): PartRange[] {
    return partsOf(this.#sizesOf(headers));
  }

  #sizesOf(headers: readonly MessageHeader[]): number[] {
    return headers.map(({ messageId }) => this.#sections.get(messageId)?.sizeBytes ?? 0);
  }

  /** The placeholder for a message whose body isn't available. */
  get #notCached(): string {
    return this.#words.t("This message isn't cached on this machine. It will load when the service is available.");
  }

  /** Updates the sizes of all messages. Resolves to the record that they belong to. */
  async #measure(signal?: AbortSignal, onProgress?: OnProgress): Promise<SessionRecord | undefined> {
    for (;;) {
      const record = this.#store.record(this.#key);
      const stale = record?.headers.filter((header) => this.#isStale(header)) ?? [];
      for (let start = 0; start < stale.length; start += batchSize) {
        signal?.throwIfAborted();
        onProgress?.(start, stale.length);
        await this.#describe(stale.slice(start, start + batchSize));
        // If all bodies are in memory, nothing else yields to the event loop, so let other work run in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (this.#store.record(this.#key)?.headers === record?.headers) return record;
    }
  }

  async #write(number: number): Promise<WrittenPart | undefined> {
    const record = await this.#measure();
    const parts = record ? this.#parts(record) : [];
    const range = parts[number - 1];
    if (!record || !range) return undefined;
    const head = liveHead(record, { number, count: parts.length }, this.#words);
    const connection = this.#store.connectionOf(record.listEntry.key.origin);
    const end = number === parts.length ? liveEnd(record, connection, this.#words) : '';
    const headers = record.headers.slice(range.first, range.last + 1);
    const texts = await this.#textsOf(headers);
    const sections = headers.map((header, index) => {
      const { messageId } = header;
      const before = record.headers[range.first + index - 1];
      return { messageId, text: this.#withHeading(header, before, texts.get(messageId)) };
    });
    return { record, range, head, sections, end };
  }

  async #message(messageId: string): Promise<DocumentSection | undefined> {
    const header = this.#store.header(this.#key, messageId);
    if (!header) return undefined;
    const texts = await this.#textsOf([header]);
    return { messageId, text: this.#withHeading(header, undefined, texts.get(messageId)) };
  }

  /** The texts of messages; renders those that aren't cached. */
  async #textsOf(headers: readonly MessageHeader[]): Promise<Map<string, string>> {
    const texts = new Map<string, string>();
    const missing: MessageHeader[] = [];
    for (const header of headers) {
      const text = this.#isStale(header) ? undefined : this.#texts.get(header.messageId);
      if (text === undefined) missing.push(header);
      else texts.set(header.messageId, text);
    }
    for (let start = 0; start < missing.length; start += batchSize) {
      const written = await this.#describe(missing.slice(start, start + batchSize));
      for (const [messageId, text] of written) texts.set(messageId, text);
    }
    return texts;
  }

  async #describe(headers: readonly MessageHeader[]): Promise<Map<string, string>> {
    const messageIds = headers.map(({ messageId }) => messageId);
    const messages = new Map((await this.#store.readBodies(this.#key, messageIds)).map((body) => [body.id, body]));
    return inSlices(this.#textSteps(headers, messages));
  }

  *#textSteps(
    headers: readonly MessageHeader[],
    messages: ReadonlyMap<string, Message>,
  ): PausableWork<Map<string, string>> {
    const { t } = this.#words;
    const texts = new Map<string, string>();
    for (const header of headers) {
      const message = messages.get(header.messageId);
      const answers = withoutAnswers(header);
      const row = message && (yield* describeEach(message, header, header.messageId, t, noPairs, answers));
      const text = row
        ? yield* messageText({ ...row, badges: [...row.badges, ...describePlace(header, t)] }, t)
        : `*${this.#notCached}*`;
      const sizeBytes = Buffer.byteLength(text) + Buffer.byteLength(this.#heading(header, undefined)) + 4;
      this.#sections.set(header.messageId, { header, sizeBytes, isMissing: !message });
      this.#keep(header.messageId, text);
      texts.set(header.messageId, text);
      yield;
    }
    return texts;
  }

  #isStale(header: MessageHeader): boolean {
    const section = this.#sections.get(header.messageId);
    return section?.header !== header || section.isMissing;
  }

  #withHeading(header: MessageHeader, before: MessageHeader | undefined, text = ''): string {
    return text === '' ? this.#heading(header, before) : `${this.#heading(header, before)}\n\n${text}`;
  }

  #heading(header: MessageHeader, before: MessageHeader | undefined): string {
    return messageHeading(header, this.#title(header, before));
  }

  #title(header: MessageHeader, before: MessageHeader | undefined): string {
    return messageTitle(header, authorLabel(header, this.#words.t), before, this.#words);
  }

  #keep(messageId: string, text: string): void {
    this.#textsLength += text.length - (this.#texts.get(messageId)?.length ?? 0);
    this.#texts.delete(messageId);
    this.#texts.set(messageId, text);
    for (const [oldest, { length }] of this.#texts) {
      if (this.#textsLength <= cachedLength) return;
      this.#texts.delete(oldest);
      this.#textsLength -= length;
    }
  }
}

function countLineFeeds(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
