import type { PageBlock, PageRow } from '../pageContent.ts';
import type { Connection } from './connection.ts';
import { isStale, sessionTitle, statusLabel } from './describeSession.ts';
import { embeddedMarkdown, escapedLine, fencedText } from './embeddedMarkdown.ts';
import type { MessageHeader } from './messageHeader.ts';
import type { SessionRecord } from './sessionRecord.ts';
import { type Translate, byteSize, plainLine, wholeNumber } from './words.ts';

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

/** What stands under a message's heading; empty where it has no content. */
export function messageText(row: PageRow, t: Translate): string {
  const marks = [...(row.isError ? [t('Error')] : []), ...row.badges.map(({ label }) => label)];
  const line = marks.length === 0 ? [] : [`*${escapedLine(plainLine(marks.join(' · ')))}*`];
  return [...line, ...blockTexts(row.blocks, t)].join('\n\n');
}

function blockTexts(blocks: readonly PageBlock[], t: Translate): string[] {
  return blocks.flatMap((block) => blockText(block, t)).filter((text) => text !== '');
}

function blockText(block: PageBlock, t: Translate): string | string[] {
  switch (block.type) {
    case 'markdown':
      return embeddedMarkdown(block.text);
    case 'code':
      return fencedText(block.text, block.language);
    case 'image':
      return aside(t('Image: {0}, {1}', plainLine(block.mediaType, 60), byteSize(decodedSize(block.base64))));
    case 'file':
      return aside(t('File: {0}', [block.name, block.detail].filter((text) => text !== '').join(', ')));
    case 'note':
      return aside([block.text, ...(block.href === undefined ? [] : [plainLine(block.href, 2_000)])].join(': '));
    case 'fold':
      return [foldTitle(block), ...block.blocks.flatMap((inner) => foldedText(inner, t))];
  }
}

function foldTitle({ title, detail = '' }: Extract<PageBlock, { type: 'fold' }>): string {
  return `**${escapedLine(plainLine(title))}**${detail === '' ? '' : ` ${escapedLine(plainLine(detail))}`}`;
}

/** Thinking and what tools took and gave: never formatted, so that it can be told from what was said. */
function foldedText(block: PageBlock, t: Translate): string | string[] {
  return block.type === 'markdown' ? fencedText(block.text) : blockText(block, t);
}

function aside(text: string): string {
  return `*(${escapedLine(plainLine(text, 2_200))})*`;
}

function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}
