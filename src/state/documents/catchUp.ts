import type { Message } from '../../api/resources/message.ts';
import { defined } from '../../shared/defined.ts';
import type { PausableWork } from '../../shared/slices.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { escapedLine } from '../markdown/embed.ts';
import { plainTextOf } from '../markdown/plainText.ts';
import { statusLabel } from '../presentation/describeSession.ts';
import { lineCounts } from '../presentation/describeSteps.ts';
import { describeAge } from '../presentation/describeTime.ts';
import { attentionOf, attentionRank, isUnreadSession, needsYou, unsentCount } from '../sessions/attention.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isArchived, sessionTitle } from '../store/sessionFacts.ts';
import type { SessionKey } from '../store/sessionKey.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { isPrompt } from '../store/turns.ts';
import { turnChanges } from '../work/changes.ts';
import { errorsIn } from '../work/agentErrors.ts';
import { areNewestLoaded, knownTail } from '../work/tail.ts';

/**
 * The maximum numbers of sessions, of the newest messages that are read of each, and of the files and errors that are
 * listed for each.
 */
const maxSessions = 50;
const maxMessages = 500;
const maxListed = 5;
/** The maximum lengths of an answer that is read and of a line, in characters. */
const maxAnswerLength = 4_000;
const maxLineLength = 600;

/**
 * What a line of the Catch Up document leads to: a session, one of its messages, or the changes in the turn of a
 * message.
 */
export interface CatchUpTarget {
  readonly key: SessionKey;
  readonly messageId?: string;
  readonly isChanges?: true;
}

/** A line of the document, as Markdown, and what it leads to. */
interface CatchUpLine {
  readonly text: string;
  readonly target?: CatchUpTarget;
}

/** What happened in a session since the user last viewed it, as far as it is known. Texts are untrusted. */
export interface News {
  readonly record: SessionRecord;
  readonly asked?: MessageHeader | undefined;
  /** The agent's last answer. Without `messageId`, only its first line is known. */
  readonly answer?: { readonly messageId?: string; readonly firstLine: string } | undefined;
  readonly files: readonly string[];
  /** The message with the last change to one of `files`. */
  readonly changedId?: string | undefined;
  readonly errors: readonly { readonly text: string; readonly messageId?: string | undefined }[];
  /**
   * What isn't known. `partial`: what happened before the newest messages. `unknown`: everything, because not even the
   * newest messages are loaded.
   */
  readonly note: 'partial' | 'unknown' | undefined;
}

/**
 * The sessions in the list that need the user or are unread, without archived ones; the most urgent first, and then the
 * most recently changed first.
 */
export function sessionsWithNews(records: readonly SessionRecord[]): readonly SessionRecord[] {
  return records
    .filter(
      (record) => !record.listEntry.isTransient && !isArchived(record) && (needsYou(record) || isUnreadSession(record)),
    )
    .sort((a, b) => attentionRank(a) - attentionRank(b) || (b.session?.updatedAt ?? 0) - (a.session?.updatedAt ?? 0));
}

/** What happened in a session since the user last viewed it or, if no message is newer, in its last turn. */
function newsOf(record: SessionRecord, t: Translate): News {
  if (areNewestLoaded(record)) return loadedNews(record, t);
  const tail = knownTail(record);
  if (!tail) return { record, files: [], errors: [], note: 'unknown' };
  const { answer, files, isError, excerpt, messageId } = tail;
  return { record, answer, files, errors: isError ? [{ text: excerpt, messageId }] : [], note: 'partial' };
}

function loadedNews(record: SessionRecord, t: Translate): News {
  const { readMark } = record.listEntry;
  const hasMore = record.headers.length > maxMessages || record.history.completeness === 'partial';
  const recent = record.headers.slice(-maxMessages);
  const lastTurn = recent.slice(Math.max(0, recent.findLastIndex(isPrompt)));
  const since = readMark?.isAssumed === true ? undefined : readMark?.updatedAt;
  const newer = since === undefined ? [] : recent.filter(({ createdAt }) => createdAt > since);
  const headers = newer.length > 0 ? newer : lastTurn;
  const files = turnChanges(headers).files.filter(({ isConfirmed }) => isConfirmed);
  const editIds = new Set(files.flatMap(({ edits }) => edits.map(({ messageId }) => messageId)));
  const answer = headers.findLast((header) => header.role === 'assistant' && header.hasText && !header.isModelOnly);
  return {
    record,
    asked: headers.findLast(isPrompt) ?? recent.findLast(isPrompt),
    answer,
    files: files.map((file) => [plainLine(file.path, 120), lineCounts([file], t)].join(' ').trimEnd()),
    changedId: headers.findLast(({ messageId }) => editIds.has(messageId))?.messageId,
    errors: errorsIn(headers).map(({ header, label, detail }) => ({
      text: [label, detail].filter((part) => part !== '').join(': '),
      messageId: header.messageId,
    })),
    note: hasMore && headers.length === recent.length ? 'partial' : undefined,
  };
}

/** Reads what happened in these sessions, at most the first {@link maxSessions}. Has pauses for `inSlices`. */
export function* readingNews(records: readonly SessionRecord[], t: Translate): PausableWork<readonly News[]> {
  const news: News[] = [];
  for (const record of records.slice(0, maxSessions)) {
    news.push(newsOf(record, t));
    yield;
  }
  return news;
}

/** The content of the document. `answers` contains the messages with the answers, as far as they are available. */
interface CatchUp {
  readonly news: readonly News[];
  readonly answers: ReadonlyMap<News, Message>;
  /** The number of sessions with news, including those that aren't shown. */
  readonly totalCount: number;
  /** The names of all services by origin. If there are several, the text names the service of each session. */
  readonly services: ReadonlyMap<string, string>;
  /** Unix ms. */
  readonly now: number;
}

/** The lines of the document. Has pauses for `inSlices`. */
export function* writingCatchUp(
  { news, answers, totalCount, services, now }: CatchUp,
  t: Translate,
): PausableWork<readonly CatchUpLine[]> {
  const asOf = t.formats.dateTime(now);
  const head = t({ one: '1 session, as of {1}', other: '{0} sessions, as of {1}' }, totalCount, asOf);
  const lines: CatchUpLine[] = [{ text: `# ${t('Catch Up')}` }, aside(head)];
  for (const each of news) {
    const message = answers.get(each);
    const paragraph = message && (yield* firstParagraph(message));
    for (const line of sessionLines(each, paragraph, services, now, t)) lines.push(line);
    yield;
  }
  if (totalCount > news.length) lines.push(aside(t('and {0} more', totalCount - news.length)));
  return lines.flatMap((line, index) => (index === 0 ? [line] : [{ text: '' }, line]));
}

/** The first paragraph of a message as plain text; empty if it has no text. */
function* firstParagraph({ content }: Message): PausableWork<string> {
  const text = content.find((block) => block.type === 'text' && block.text.trim() !== '');
  if (text?.type !== 'text') return '';
  const plain = yield* plainTextOf(startOfText(text.text.trim(), maxAnswerLength));
  return plain.trim().split(/\n[^\S\n]*\n/, 1)[0] ?? '';
}

function sessionLines(
  news: News,
  paragraph: string | undefined,
  services: CatchUp['services'],
  now: number,
  t: Translate,
): readonly CatchUpLine[] {
  const { record, asked, answer, files, changedId, errors, note } = news;
  const { session, listEntry, waiting } = record;
  const { key } = listEntry;
  const said = paragraph === undefined || paragraph === '' ? (answer?.firstLine ?? '') : paragraph;
  const line = (text: string, sentence: (text: string) => string, part: Omit<CatchUpTarget, 'key'> = {}) =>
    text === ''
      ? []
      : [{ text: `- ${escapedLine(sentence(plainLine(text, maxLineLength)))}`, target: { key, ...part } }];
  const at = (messageId: string | undefined) => defined({ messageId });
  const state = [
    ...reasonsOf(record, t),
    statusLabel(session?.status ?? 'none', t),
    ...(session ? [describeAge(session.updatedAt, now, t)] : []),
    ...(services.size > 1 ? [plainLine(services.get(key.origin) ?? key.origin, 60)] : []),
  ];
  return [
    { text: `## ${escapedLine(plainLine(sessionTitle(record)))}`, target: { key } },
    aside(state.join(' · ')),
    ...line(asked?.firstLine ?? '', (text) => t('Prompt: {0}', text), at(asked?.messageId)),
    ...line(said, (text) => t('Answer: {0}', text), at(answer?.messageId)),
    ...line(
      waiting?.question ?? '',
      (text) => (waiting?.rule === 'approval' ? t('Plan to approve: {0}', text) : t('Question: {0}', text)),
      at(waiting?.messageId),
    ),
    ...errors
      .slice(0, maxListed)
      .flatMap((error) => line(error.text || t('Error'), (text) => t('Failed: {0}', text), at(error.messageId))),
    ...(errors.length > maxListed ? [aside(t('and {0} more', errors.length - maxListed))] : []),
    ...line(listOf(files, t), (text) => t('Changed files: {0}', text), {
      ...at(changedId),
      ...(changedId !== undefined && { isChanges: true }),
    }),
    ...(note === 'partial' ? [aside(t('Only the newest messages are included.'))] : []),
    ...(note === 'unknown' ? [aside(t("The newest messages aren't loaded. Open the session to load them."))] : []),
  ];
}

function reasonsOf(record: SessionRecord, t: Translate): string[] {
  const unsent = unsentCount(record);
  return [
    unsent > 0 ? t({ other: '{0} not sent' }, unsent) : '',
    attentionOf(record) === 'failed' ? t('failed') : '',
    record.waiting ? t('asks') : '',
  ].filter((reason) => reason !== '');
}

function listOf(files: readonly string[], t: Translate): string {
  const hiddenCount = files.length - maxListed;
  return t.formats.list([...files.slice(0, maxListed), ...(hiddenCount > 0 ? [t('and {0} more', hiddenCount)] : [])]);
}

function aside(text: string): CatchUpLine {
  return { text: `*${escapedLine(text)}*` };
}
