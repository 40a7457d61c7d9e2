import { plainLine, type Translate, wholeNumber } from '../../shared/text.ts';
import { isStale, sessionTitle, statusLabel } from '../presentation/session.ts';
import type { Connection } from '../store/connection.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { escapedLine } from './embed.ts';

/** What a document is written with: the person's language and times. */
export interface DocumentWords {
  readonly t: Translate;
  /** Hours and minutes of a time in Unix ms. */
  readonly time: (timeMs: number) => string;
  /** Date, hours and minutes. */
  readonly dateTime: (timeMs: number) => string;
}

/** Which part of a conversation a document is, both from 1. */
export interface DocumentPart {
  readonly number: number;
  readonly count: number;
}

/** What stands before the messages: the session's facts, and what the reader has to know of this document. */
export function documentHead(
  record: SessionRecord,
  connection: Connection,
  part: DocumentPart,
  words: DocumentWords,
): string {
  const { session, listEntry } = record;
  const facts = [
    ['title', sessionTitle(record)],
    ['session', listEntry.key.sessionId],
    ['service', listEntry.key.origin],
    ['status', statusLabel(session?.status ?? 'none', words.t)],
    ['model', session?.sessionSettings?.model ?? ''],
    ['created', session ? words.dateTime(session.createdAt) : ''],
  ].filter(([, value]) => value !== '');
  const front = ['---', ...facts.map(([name, value]) => `${name}: ${JSON.stringify(plainLine(value ?? ''))}`), '---'];
  const notes = documentNotes(record, connection, part, words).map((note) => `*${escapedLine(note)}*`);
  return [front.join('\n'), `# ${escapedLine(sessionTitle(record))}`, ...notes].join('\n\n');
}

function documentNotes(
  record: SessionRecord,
  connection: Connection,
  part: DocumentPart,
  { t, dateTime }: DocumentWords,
): string[] {
  const { history, headers, session, asOf } = record;
  const total = Math.max(session?.messageCount ?? 0, headers.length);
  const isKnown = connection.kind !== 'starting';
  return [
    part.count > 1 ? t('Part {0} of {1}.', part.number, part.count) : '',
    asOf !== undefined && isKnown && isStale(record, connection)
      ? t('As of {0}. Not refreshed since then.', dateTime(asOf))
      : '',
    history.completeness === 'partial' && part.number === 1
      ? t(
          '{0} of {1} messages are loaded. Open the conversation as a document again to load the rest.',
          wholeNumber(headers.length),
          wholeNumber(total),
        )
      : '',
    headers.length > 0 ? '' : history.completeness === 'unread' ? t("Messages haven't loaded yet.") : t('No messages'),
  ].filter((note) => note !== '');
}

/** A message in one line of plain text: its role, its time (with the date on a new day) and how it begins. */
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

/** The heading of a message: what the Outline shows. Prompts begin a turn (`##`), what follows stands below (`###`). */
export function messageHeading({ role }: MessageHeader, title: string): string {
  return `${role === 'user' ? '##' : '###'} ${escapedLine(title)}`;
}

/** Messages of a conversation that make one document: from the first to the last, both included. */
export interface PartRange {
  readonly first: number;
  readonly last: number;
}

/** A document is no larger than this, in UTF-8 bytes, unless a single message is: what editors take with ease. */
export const partSizeBytes = 5_000_000;

/**
 * Divides messages into documents, given the size of each. Counted from the oldest, so that what comes to the end
 * leaves the documents before as they are. There is always one.
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
 * The next text on the way from one that an editor shows to the one it should show. An editor replaces everything from
 * the first line that differs to the last, and takes the reader's caret along: where both the head and the messages
 * changed, they change one after the other. `isHeadNext` is for who has just changed the messages.
 */
export function stepTowards(shown: string, wanted: string, isHeadNext: boolean): string {
  const [from, to] = [parted(shown), parted(wanted)];
  if (from.head === to.head || from.messages === to.messages) return wanted;
  return isHeadNext ? to.head + from.messages : from.head + to.messages;
}

/** What stands before the first heading of a message, and the rest. */
function parted(text: string): { readonly head: string; readonly messages: string } {
  const at = text.search(/^#{2,3} /m);
  return at < 0 ? { head: text, messages: '' } : { head: text.slice(0, at), messages: text.slice(at) };
}
