import type { Connection } from '../store/connection.ts';
import { isStale, sessionTitle, statusLabel } from '../presentation/session.ts';
import { escapedLine } from './embed.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { type Translate, plainLine, wholeNumber } from '../../shared/text.ts';

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
  const { session, deck } = record;
  const facts = [
    ['title', sessionTitle(record)],
    ['session', deck.key.sessionId],
    ['service', deck.key.origin],
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
      ? t('As of {0}. The service has not been read since.', dateTime(asOf))
      : '',
    history.extent === 'partial' && part.number === 1
      ? t(
          'Older messages are not loaded: {0} of {1} are here. Open the conversation as a document again to load them.',
          wholeNumber(headers.length),
          wholeNumber(total),
        )
      : '',
    headers.length > 0
      ? ''
      : history.extent === 'unread'
        ? t('The messages have not been read yet.')
        : t('There are no messages yet.'),
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
