import type { Message } from '../../api/resources/message.ts';
import { type Redacted, redactingJson, redactingText } from '../../shared/redaction/redaction.ts';
import { jsonLine } from '../../shared/longJson.ts';
import { inSlices, type PausableWork } from '../../shared/slices.ts';
import { plainLine } from '../../shared/text.ts';
import { isShown, type ConversationFilter } from '../conversation/filter.ts';
import { readTurns } from '../store/turns.ts';
import { filterSummary } from '../presentation/describeFilter.ts';
import { withoutAnswers } from '../presentation/blocks.ts';
import { noPairs } from '../conversation/toolPairs.ts';
import { authorLabel, describeEach } from '../presentation/describeMessage.ts';
import type { Connection } from '../store/connection.ts';
import { firstLineOf, type MessageHeader } from '../store/messageHeader.ts';
import { promptContentOf } from '../store/promptContent.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { documentHead, type DocumentWords, messageHeading, messageTitle } from './document.ts';
import { escapedLine, fencedText } from '../markdown/embed.ts';
import { inertingMarkdown, inertJson } from '../markdown/inert.ts';
import { messageText } from './messageMarkdown.ts';
import { hasFencesOf, redactingMessage, redactingRecord } from './redactedParts.ts';

/** The available export formats. */
export const exportFormats = ['markdown', 'json', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface ExportPlan {
  readonly format: ExportFormat;
  /** Whether to replace likely secrets. */
  readonly isRedacted: boolean;
  readonly record: SessionRecord;
  readonly connection: Connection;
  /** Selects the messages to export. */
  readonly filter: ConversationFilter;
  readonly words: DocumentWords;
  readonly readBodies: (messageIds: readonly string[]) => Promise<readonly Message[]>;
}

/** A chunk of an export, with the counts up to and including this chunk. */
export interface ExportPiece {
  readonly text: string;
  /** The number of messages to export. */
  readonly total: number;
  /** The number of messages exported so far. */
  readonly done: number;
  /** The number of likely secrets that were replaced so far. */
  readonly redacted: number;
  /** The number of messages so far whose content couldn't be loaded. */
  readonly missing: number;
}

const pieceMessages = 50;

/** Exports a conversation in chunks, so that only one chunk is in memory at a time. Rejects if `readBodies` rejects. */
export async function* exportPieces(plan: ExportPlan): AsyncGenerator<ExportPiece> {
  const headers = exportedHeaders(plan);
  const writer = plan.format === 'markdown' ? markdownWriter(plan, headers) : jsonWriter(plan, headers);
  let [done, redacted, missing] = [0, 0, 0];
  const piece = (text: string): ExportPiece => ({ text, total: headers.length, done, redacted, missing });
  const head = await inSlices(writer.head());
  redacted += head.count;
  yield piece(head.value);
  for (let start = 0; start < headers.length; start += pieceMessages) {
    const some = headers.slice(start, start + pieceMessages);
    const bodies = await plan.readBodies(some.map(({ messageId }) => messageId));
    const byId = new Map(bodies.map((body) => [body.id, body]));
    const text = await inSlices(textOf(some, byId, headers[start - 1]));
    done += some.length;
    yield piece(text);
  }
  yield piece(writer.tail);

  function* textOf(
    some: readonly MessageHeader[],
    bodies: ReadonlyMap<string, Message>,
    first: MessageHeader | undefined,
  ): PausableWork<string> {
    let text = '';
    let before = first;
    for (const header of some) {
      const message = bodies.get(header.messageId);
      const written = yield* writer.message(header, message, before);
      text += written.value;
      redacted += written.count;
      if (!message) missing++;
      before = header;
      yield;
    }
    return text;
  }
}

/** The messages to export, oldest first. */
function exportedHeaders({ record, filter }: ExportPlan): readonly MessageHeader[] {
  // Whether the last turn is over affects only durations, which an export doesn't contain.
  const turns = readTurns(record.headers, true);
  return record.headers.filter((header) => isShown(header, filter, turns));
}

interface Writer {
  head(): PausableWork<Redacted<string>>;
  message(
    header: MessageHeader,
    message: Message | undefined,
    before: MessageHeader | undefined,
  ): PausableWork<Redacted<string>>;
  readonly tail: string;
}

function markdownWriter(
  { isRedacted, record, filter, connection, words }: ExportPlan,
  headers: readonly MessageHeader[],
): Writer {
  function* cleaned(value: string): PausableWork<Redacted<string>> {
    return isRedacted ? yield* redactingText(value) : { value, count: 0 };
  }
  const { t } = words;
  return {
    *head() {
      const { value: shown, count } = isRedacted ? yield* redactingRecord(record) : { value: record, count: 0 };
      const tags = shown.session?.sessionSettings?.tags ?? [];
      const tagLines = tags.length === 0 ? '' : `tags: ${inertJson(tags.map(({ name }) => name))}\n`;
      const all = record.headers.length;
      const summary = filterSummary(filter, headers.length, all, t);
      const shownLine = headers.length === all ? '' : `shown: ${inertJson(summary)}\n`;
      const head = documentHead(shown, connection, { number: 1, count: 1 }, words);
      // The front matter ends at the second line of dashes.
      const end = head.indexOf('\n---') + 1;
      const clean = yield* cleaned(`${head.slice(0, end)}${tagLines}${shownLine}${head.slice(end)}\n`);
      return { value: yield* inertingMarkdown(clean.value), count: count + clean.count };
    },
    *message(header, sent, before) {
      const { value: message, count } = sent && isRedacted ? yield* redactingMessage(sent) : { value: sent, count: 0 };
      const firstLine = isRedacted ? yield* redactedLine(header, message, count) : header.firstLine;
      const title = messageTitle({ ...header, firstLine }, authorLabel(header, t), before, words);
      const answers = withoutAnswers(header);
      const row = message && (yield* describeEach(message, header, header.messageId, t, noPairs, answers));
      const text = row ? yield* messageText(row, t) : `*${escapedLine(t("Couldn't load this message."))}*`;
      // Also finds secrets that span several blocks.
      const clean = yield* cleaned(text);
      // If redaction removed or added a fence, the whole message is exported as verbatim text instead.
      const shown = hasFencesOf(clean.value, text) ? clean.value : yield* fencedText(clean.value);
      const heading = messageHeading(header, title);
      const value = yield* inertingMarkdown(`\n${heading}\n${shown === '' ? '' : `\n${shown}\n`}`);
      return { value, count: count + clean.count };
    },
    tail: '',
  };
}

/**
 * The first line of a message from which `count` secrets were removed. Empty if the message couldn't be loaded, because
 * the first line in the header may contain only a part of a secret, which can't be recognized.
 */
function* redactedLine(header: MessageHeader, message: Message | undefined, count: number): PausableWork<string> {
  if (!message) return '';
  if (count === 0 || header.firstLine === '') return header.firstLine;
  return yield* firstLineOf((yield* promptContentOf(message, header)).spoken);
}

/**
 * Exports the session and its messages as the service sent them (R40), either as one JSON value or as JSON Lines.
 * Information that Lineside adds to a message is in its field `lineside`. See docs/export.schema.json.
 */
function jsonWriter({ format, isRedacted, record, filter }: ExportPlan, headers: readonly MessageHeader[]): Writer {
  const isLines = format === 'jsonl';
  function* text(value: unknown): PausableWork<Redacted<string>> {
    const clean = isRedacted ? yield* redactingJson(value) : { value, count: 0 };
    return { value: yield* jsonLine(clean.value), count: clean.count };
  }
  const last = headers.at(-1);
  return {
    *head() {
      const { origin, sessionId } = record.listEntry.key;
      const session = yield* text(record.session?.wire ?? record.session ?? { sessionId });
      const of = { totalCount: record.headers.length, ...filter };
      const shown = headers.length === record.headers.length ? '' : `,"shown":${JSON.stringify(of)}`;
      const first = `"formatVersion":${formatVersion},"service":${JSON.stringify(origin)}${shown},"session":${session.value}`;
      if (isLines) return { ...session, value: `{${first}}\n` };
      return { ...session, value: `{${first},\n"messages":[\n` };
    },
    *message(header, message) {
      const written = yield* text(wireMessage(header, message));
      if (isLines) return { ...written, value: `${written.value}\n` };
      return { ...written, value: `${written.value}${header === last ? '' : ','}\n` };
    },
    tail: isLines ? '' : ']}\n',
  };
}

/** The version of the exported JSON. */
const formatVersion = 2;

/** A message as the service sent it, with the information that Lineside adds. */
function wireMessage({ messageId, role, createdAt, updatedAt, isGone }: MessageHeader, message: Message | undefined) {
  const added = {
    ...(message?.role === undefined && role !== undefined && { role }),
    ...(!message && { isMissing: true }),
    ...(isGone && { isRemoved: true }),
  };
  const sent: unknown = message ? (message.wire ?? message) : { id: messageId, createdAt, updatedAt };
  return Object.keys(added).length === 0 ? sent : withField(sent, added);
}

function withField(sent: unknown, lineside: object): unknown {
  return typeof sent === 'object' && sent !== null ? { ...sent, lineside } : sent;
}

/** Most file systems allow names of up to 255 bytes, and a character has up to four bytes in UTF-8. */
const maxNameLength = 60;

/**
 * Converts a title to a file name without an extension. The name has no characters that an operating system forbids, is
 * never empty or a dot, and has at most 240 bytes in UTF-8.
 */
export function fileNameOf(title: string): string {
  const name = plainLine(title, maxNameLength)
    .replace(/[\\/:*?"<>|\u2026]+/g, '-')
    .replace(/^[.\s-]+|(?<![.\s-])[.\s-]+$/g, '');
  return name === '' ? 'session' : name;
}
