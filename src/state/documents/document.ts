import { Pace, type PausableWork } from '../../shared/slices.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { isStale, statusLabel } from '../presentation/describeSession.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import type { Connection } from '../store/connection.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { escapedLine } from '../markdown/embed.ts';
import { inertJson } from '../markdown/inert.ts';

/** Translates text and formats times for the user. */
export interface DocumentWords {
  readonly t: Translate;
  /** Formats the hours and minutes of a time in Unix ms. */
  readonly time: (timeMs: number) => string;
  /** Formats the date, hours, and minutes of a time in Unix ms. */
  readonly dateTime: (timeMs: number) => string;
}

/** The part of a conversation that a document shows: the one-based number of the part and the number of parts. */
interface DocumentPart {
  readonly number: number;
  readonly count: number;
}

/** The head of a text that isn't updated: front matter with the session's metadata, the title, and notes. */
export function documentHead(
  record: SessionRecord,
  connection: Connection,
  part: DocumentPart,
  words: DocumentWords,
): string {
  const status = statusLabel(record.session?.status ?? 'none', words.t);
  return headOf(record, part, words, status, staleNote(record, connection, words));
}

/**
 * The head of a document that is updated while it is open. It leaves out what often changes together with the messages:
 * VS Code replaces all lines from the first change to the last one, and the caret jumps to the end of these lines.
 */
export function liveHead(record: SessionRecord, part: DocumentPart, words: DocumentWords): string {
  return headOf(record, part, words, '', '');
}

/** The end of a document that is updated while it is open: a note if its content is stale; otherwise empty. */
export function liveEnd(record: SessionRecord, connection: Connection, words: DocumentWords): string {
  return asNote(staleNote(record, connection, words));
}

/** `status` and `stale` are left out if they are empty. */
function headOf(
  record: SessionRecord,
  part: DocumentPart,
  words: DocumentWords,
  status: string,
  stale: string,
): string {
  const { session, listEntry } = record;
  const facts = [
    ['title', sessionTitle(record)],
    ['session', listEntry.key.sessionId],
    ['service', listEntry.key.origin],
    ['status', status],
    ['model', session?.sessionSettings?.model ?? ''],
    ['created', session ? words.dateTime(session.createdAt) : ''],
  ].filter(([, value]) => value !== '');
  const front = ['---', ...facts.map(([name, value]) => `${name}: ${inertJson(plainLine(value ?? ''))}`), '---'];
  const partNote = part.count > 1 ? words.t('Part {0} of {1}.', part.number, part.count) : '';
  const notes = [partNote, stale, ...missingNotes(record, part, words.t)].map(asNote).filter((note) => note !== '');
  return [front.join('\n'), `# ${escapedLine(sessionTitle(record))}`, ...notes].join('\n\n');
}

function asNote(text: string): string {
  return text === '' ? '' : `*${escapedLine(text)}*`;
}

function staleNote(record: SessionRecord, connection: Connection, { t, dateTime }: DocumentWords): string {
  const { asOf } = record;
  const isKnown = connection.kind !== 'starting';
  return asOf !== undefined && isKnown && isStale(record, connection) ? t('Last refreshed {0}.', dateTime(asOf)) : '';
}

function missingNotes({ history, headers, session }: SessionRecord, part: DocumentPart, t: Translate): string[] {
  const total = Math.max(session?.messageCount ?? 0, headers.length);
  return [
    history.completeness === 'partial' && part.number === 1
      ? t(
          '{0} of {1} messages are loaded. Reopen the conversation as a document to load the rest.',
          headers.length,
          total,
        )
      : '',
    headers.length > 0 ? '' : history.completeness === 'unread' ? t("Messages haven't loaded yet.") : t('No messages'),
  ];
}

/**
 * Summarizes a message in one line of plain text: its role, its time (with the date if a new day begins), and its first
 * line.
 */
export function messageTitle(
  header: MessageHeader,
  roleLabel: string,
  before: MessageHeader | undefined,
  { time, dateTime }: DocumentWords,
): string {
  const isNewDay = !before || new Date(before.createdAt).toDateString() !== new Date(header.createdAt).toDateString();
  const when = (isNewDay ? dateTime : time)(header.createdAt);
  const firstLine = plainLine(header.firstLine, 60);
  const title = [roleLabel, when].filter((text) => text !== '').join(', ');
  return firstLine === '' ? title : `${title}: ${firstLine}`;
}

/**
 * The heading of a message, for the Outline view. Prompts, as {@link isPrompt} defines them, are second-level headings
 * (`##`), other messages third-level.
 */
export function messageHeading(header: MessageHeader, title: string): string {
  return `${isPrompt(header) ? '##' : '###'} ${escapedLine(title)}`;
}

/** The messages of one document, as inclusive indexes. */
export interface PartRange {
  readonly first: number;
  readonly last: number;
}

/** A message in a document. `text` begins with the line of its heading. */
export interface DocumentSection {
  readonly messageId: string;
  readonly text: string;
}

/**
 * The place of a message in the text of a document, as indexes of characters (UTF-16): from its heading to the next
 * one. The last message ends where its own text ends or, if it has changed since, at the end of the document.
 */
export interface SectionPlace {
  readonly messageId: string;
  readonly start: number;
  /** The end of the heading line, before its line break. */
  readonly bodyStart: number;
  readonly end: number;
}

/**
 * Finds messages in the text of a document that an editor shows. The text may be older than `sections`; a message that
 * isn't found is left out. Has pauses for `inSlices`.
 */
export function* placingSections(
  text: string,
  sections: readonly DocumentSection[],
): PausableWork<readonly SectionPlace[]> {
  const headings: string[] = [];
  for (const section of sections) {
    headings.push(firstLineOf(section.text));
    yield;
  }
  const lineStarts = yield* startsOfLines(text, new Set(headings));
  const places: Omit<SectionPlace, 'end'>[] = [];
  let from = 0;
  // What follows the last message, such as a note about stale content, isn't part of it.
  let end = text.length;
  for (const [index, section] of sections.entries()) {
    yield;
    const heading = headings[index] ?? '';
    const start = lineStarts.get(heading)?.next(from);
    if (start === undefined) continue;
    const bodyStart = start + heading.length;
    places.push({ messageId: section.messageId, start, bodyStart });
    // Skip the text of the message, which may quote a document.
    const isUnchanged = text.startsWith(section.text, start);
    from = isUnchanged ? start + section.text.length : bodyStart;
    end = isUnchanged ? from : text.length;
  }
  return places.map((place, index) => ({ ...place, end: places[index + 1]?.start ?? end }));
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** The maximum number of indexes in a piece of {@link LineStarts}. */
const pieceLength = 8_192;

/**
 * The indexes at which the lines with a certain text start. They are in pieces, because one large array takes too long
 * to grow.
 */
class LineStarts {
  readonly #pieces: number[][] = [];
  #piece = 0;
  #next = 0;

  add(start: number): void {
    const last = this.#pieces.at(-1);
    if (last && last.length < pieceLength) last.push(start);
    else this.#pieces.push([start]);
  }

  /**
   * The first index that isn't less than `from`; undefined if there is none. `from` must not decrease from one call to
   * the next.
   */
  next(from: number): number | undefined {
    while ((this.#pieces[this.#piece]?.at(-1) ?? from) < from) {
      this.#piece += 1;
      this.#next = 0;
    }
    const piece = this.#pieces[this.#piece] ?? [];
    while ((piece[this.#next] ?? from) < from) this.#next += 1;
    return piece[this.#next];
  }
}

/**
 * The indexes at which the wanted lines start in a text, by the line. The text is read only once, because a document
 * can have thousands of messages.
 */
function* startsOfLines(text: string, wanted: ReadonlySet<string>): PausableWork<ReadonlyMap<string, LineStarts>> {
  const found = new Map([...wanted].map((line) => [line, new LineStarts()] as const));
  const pace = new Pace();
  for (let start = 0; start <= text.length;) {
    const lineEnd = text.indexOf('\n', start);
    const end = lineEnd < 0 ? text.length : lineEnd;
    found.get(text.slice(start, end))?.add(start);
    if (pace.isOver(end - start)) yield;
    start = end + 1;
  }
  return found;
}

/** Maximum size of a document in UTF-8 bytes, unless a single message is larger. Editors handle this size well. */
const partSizeBytes = 5_000_000;

/**
 * Divides messages into documents by their sizes. Starts with the oldest message, so that new messages don't change
 * earlier documents. Returns at least one part; without messages, its `last` is -1.
 */
export function partsOf(sizesBytes: readonly number[], limitBytes = partSizeBytes): PartRange[] {
  const parts: PartRange[] = [];
  let first = 0;
  let sizeBytes = 0;
  for (const [index, size] of sizesBytes.entries()) {
    if (index > first && sizeBytes + size > limitBytes) {
      parts.push({ first, last: index - 1 });
      first = index;
      sizeBytes = 0;
    }
    sizeBytes += size;
  }
  return [...parts, { first, last: sizesBytes.length - 1 }];
}

/**
 * Returns the next text to show when a document changes from `shown` to `wanted`. VS Code replaces everything between
 * the first and the last changed line and moves the caret accordingly, so if both the head and the messages have
 * changed, they are updated in two steps. `isHeadNext` is true if the previous step updated the messages.
 */
export function stepTowards(shown: string, wanted: string, isHeadNext: boolean): string {
  const [from, to] = [splitHead(shown), splitHead(wanted)];
  if (from.head === to.head || from.messages === to.messages) return wanted;
  return isHeadNext ? to.head + from.messages : from.head + to.messages;
}

/** The index of the first message in the text of a document; -1 if there is none. */
export function messagesStart(text: string): number {
  return text.search(/^#{2,3} /m);
}

/** Splits the text of a document before its first message heading. */
function splitHead(text: string): { readonly head: string; readonly messages: string } {
  const at = messagesStart(text);
  return at < 0 ? { head: text, messages: '' } : { head: text.slice(0, at), messages: text.slice(at) };
}
