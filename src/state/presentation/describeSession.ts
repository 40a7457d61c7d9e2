import type { SessionStatus } from '../../api/resources/session.ts';
import { isolatedLine, plainLine, shortenedLine, type Translate } from '../../shared/text.ts';
import {
  type Attention,
  attentionOf,
  isUnreadSession,
  isUnviewed,
  needsYou,
  unsentCount,
} from '../sessions/attention.ts';
import { isArchived } from '../store/sessionFacts.ts';
import type { Connection } from '../store/connection.ts';
import { isNetworkFailure } from '../store/failure.ts';
import { isScheduled, needsDecision } from '../store/outboxEntry.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isContext } from '../store/turns.ts';
import { serviceTitle, sessionTitle } from '../store/sessionFacts.ts';
import { isEmptyDraft, type SessionRecord } from '../store/sessionRecord.ts';
import { hasTokens, tokenCount, totalOf } from '../store/usage.ts';
import { describeFailure } from './describeFailure.ts';
import { describeOwnService, describeService } from './describeTree.ts';
import { addedTitle, authorLabel, shownRole } from './describeMessage.ts';
import { currentPlan } from '../work/plan.ts';
import { isTailUnreadable, knownTail } from '../work/tail.ts';
import { describeCalls } from './describeSteps.ts';
import { describeAge, describeAsOf, describeDelay } from './describeTime.ts';
import { explainWaiting } from './describeAsked.ts';
import { shownQuestion } from '../store/waiting.ts';

/** The contents of a row in the Sessions tree; `icon` is a codicon. */
export interface RowDescription {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  readonly iconColor?: string;
  /** The number of unsent messages that need a decision from the user; absent if there are none. */
  readonly unsentCount?: number;
  /** The accessible label of the whole row. */
  readonly spoken: string;
}

/** The contents of a session's row; its tooltip is described when it is shown. */
export type SessionDescription = Omit<RowDescription, 'tooltip'>;

/** The label of a status; `none` means that the session was never loaded. */
export function statusLabel(status: SessionStatus | 'none', t: Translate): string {
  switch (status) {
    case 'idle':
      return t('Idle');
    case 'pending':
      return t('Pending');
    case 'running':
      return t('Running');
    case 'unknown':
      return t('Unknown status');
    case 'none':
      return t('Not loaded yet');
  }
}

/**
 * Whether a session's status may be outdated: it hasn't been refreshed in this window yet, the last refresh failed, or
 * no refresh is possible.
 */
export function isStale(record: SessionRecord, connection: Connection): boolean {
  return record.isRemembered === true || isCutOff(record, connection);
}

/** Whether the last refresh of a session failed, or no refresh is possible. */
function isCutOff(record: SessionRecord, connection: Connection): boolean {
  return record.failure !== undefined || connection.kind === 'keyRejected' || connection.kind === 'noKey';
}

/** Whether the service responded that the session doesn't exist. */
export function isNotFound({ failure }: SessionRecord): boolean {
  return failure?.status === 404;
}

/** The share of the usual width that titles have if rows name their services, so that the names fit, too. */
const titleShare = 0.75;

/** The title of a session that has only a UUID. Its first characters are enough to recognize it, as with commits. */
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const uuidWidth = 10;

/** The number of letters by which a title can be wider than usual if the rest of its row is only an age. */
const roomBesideAge = 4;

/**
 * Describes a session as a row of the tree, without its tooltip (see {@link describeSessionTooltip}), which takes as
 * long as the rest. The description of a session that needs the user begins with the reason, the name of its service if
 * there are several, and the question or error; other descriptions begin with the age. `now` is in Unix ms. Titles are
 * shortened to about `titleWidth` letters, to a few more if only the age is next to them, and to fewer if they are
 * UUIDs, except for screen readers; 0 shortens none.
 */
export function describeSession(
  record: SessionRecord,
  connection: Connection,
  now: number,
  t: Translate,
  titleWidth = 0,
): SessionDescription {
  const stale = isStale(record, connection);
  const title = sessionTitle(record);
  const count = record.session ? messageCount(record.session.messageCount, t) : '';
  const age = shownAge(record, stale, now, t);
  const service = describeOwnService(connection);
  const unsent = unsentCount(record);
  const reasons = reasonsOf(record, unsent, t('may be waiting for you'), t);
  const marks = marksOf(record, unsent, t);
  const excerpt = shownExcerpt(record);
  const state = describeState(record, connection, t);
  const unreadable = record.session
    ? ''
    : ((record.failure && describeFailure(record.failure, t, record.listEntry.computerId)) ?? '');
  const flags = [
    isUnreadSession(record) ? t('unread') : '',
    record.listEntry.isPinned ? t('pinned') : '',
    record.listEntry.isMuted ? t('muted') : '',
    excerpt,
  ];
  const [reason = '', ...others] = reasonsOf(record, unsent, t('asks'), t).filter((text) => text !== '');
  const muted = record.listEntry.isMuted ? t('muted') : '';
  // A session with an excerpt always has a reason.
  const first = reason === '' ? [age, service] : [reason, service, excerpt, ...others, age];
  const description = joined([...first, ...marks, muted, unreadable], ' · ');
  return {
    label: shortenedLine(
      title,
      uuid.test(title) ? Math.min(titleWidth, uuidWidth) : labelWidth(titleWidth, service !== '', description === age),
    ),
    description,
    ...sessionIcon(record, stale, connection),
    ...(unsent > 0 && { unsentCount: unsent }),
    spoken: t(
      'Session {0}, {1}',
      title,
      joined([state, age, service, count, ...reasons, ...marks, ...flags, unreadable], ', '),
    ),
  };
}

/** The width to which the title of a row is shortened, in letters; 0 doesn't shorten it. */
function labelWidth(titleWidth: number, namesService: boolean, hasOnlyAge: boolean): number {
  if (titleWidth === 0) return 0;
  if (namesService) return Math.ceil(titleWidth * titleShare);
  return titleWidth + (hasOnlyAge ? roomBesideAge : 0);
}

/**
 * Describes why a session needs the user. `asks` is the text for an agent that may be waiting. A string is empty if it
 * doesn't apply.
 */
function reasonsOf(record: SessionRecord, unsent: number, asks: string, t: Translate): string[] {
  return [
    unsent > 0 ? t({ other: '{0} not sent' }, unsent) : '',
    attentionOf(record) === 'failed' ? t('failed') : '',
    record.waiting ? asks : '',
  ];
}

/**
 * Describes the outgoing messages, the draft, and the new messages of a session, and says if it isn't known whether the
 * session needs the user. A string is empty if it doesn't apply.
 */
function marksOf(record: SessionRecord, unsent: number, t: Translate): string[] {
  const scheduled = record.outbox.filter((entry) => isScheduled(entry) && !needsDecision(entry)).length;
  const queued = record.outbox.filter((entry) => entry.state === 'queued' && !isScheduled(entry)).length;
  const sending = record.outbox.length - unsent - scheduled - queued;
  const { session, listEntry } = record;
  const news = session && listEntry.readMark ? session.messageCount - listEntry.readMark.messageCount : 0;
  return [
    isUnchecked(record) ? t('not checked') : '',
    sending > 0 ? t({ other: '{0} sending' }, sending) : '',
    queued > 0 ? t({ other: '{0} queued' }, queued) : '',
    scheduled > 0 ? t({ other: '{0} scheduled' }, scheduled) : '',
    isEmptyDraft(record.draft) ? '' : t('draft'),
    news > 0 && isUnreadSession(record) ? t({ other: '{0} new' }, news) : '',
  ];
}

/** What the agent asks or, if the last turn has failed, the start of the error; empty if neither is known. */
function shownExcerpt(record: SessionRecord): string {
  if (record.waiting) return shownQuestion(record.waiting.question);
  const excerpt = attentionOf(record) === 'failed' ? (knownTail(record)?.excerpt ?? '') : '';
  return excerpt === '' ? '' : isolatedLine(excerpt, 160);
}

/**
 * Whether it isn't known if a session needs the user: the user hasn't viewed its current state, and its newest messages
 * couldn't be read.
 */
function isUnchecked(record: SessionRecord): boolean {
  return isTailUnreadable(record) && (isUnreadSession(record) || isUnviewed(record));
}

/** The age of the last change or, for a stale session, that of the last known state if it is at least one minute. */
function shownAge(record: SessionRecord, stale: boolean, now: number, t: Translate): string {
  if (!record.session) return '';
  if (stale && record.asOf !== undefined && describeDelay(record.asOf, now, t) !== '')
    return describeAsOf(record.asOf, now, t);
  return describeAge(record.session.updatedAt, now, t);
}

function joined(parts: readonly string[], separator: string): string {
  return parts.filter((part) => part !== '').join(separator);
}

function describeState(record: SessionRecord, connection: Connection, t: Translate): string {
  const label = statusLabel(record.session?.status ?? 'none', t);
  return isStale(record, connection) && record.session ? t('{0}, last known', label) : label;
}

/** The tooltip of a session's row: one line for each detail. `now` is in Unix ms. */
export function describeSessionTooltip(
  record: SessionRecord,
  connection: Connection,
  now: number,
  t: Translate,
): string {
  const { session } = record;
  const state = describeState(record, connection, t);
  const tags = (session?.sessionSettings?.tags ?? []).map(({ name }) => isolatedLine(name, 60));
  return [
    isolatedLine(sessionTitle(record)),
    record.listEntry.name && t('Original title: {0}', isolatedLine(serviceTitle(record))),
    record.waiting ? explainWaiting(record.waiting, t) : lastAnswer(record, t),
    isUnchecked(record) && t("The newest messages weren't checked. Open the session to see whether it needs you."),
    changedFiles(record, t),
    state + describeDelay(record.asOf, now, t),
    session && messageCount(session.messageCount, t),
    planLine(record, t),
    session?.sessionSettings?.model && t('Model: {0}', isolatedLine(session.sessionSettings.model, 80)),
    usageLine(record, t),
    session && t('Created: {0}', t.formats.dateTime(session.createdAt)),
    session?.completedAt !== undefined && t('Completed: {0}', t.formats.dateTime(session.completedAt)),
    session?.computerId && t('Computer: {0}', isolatedLine(session.computerId, 80)),
    record.listEntry.computerId && t('Read from computer: {0}', isolatedLine(record.listEntry.computerId, 80)),
    tags.length > 0 && t('Tags: {0}', t.formats.list(tags)),
    record.listEntry.isMuted && t('Notifications muted'),
    describeOwnService(connection) && t('Service: {0}', describeService(connection)),
    record.failure && describeFailure(record.failure, t, record.listEntry.computerId),
  ]
    .filter((line) => typeof line === 'string' && line !== '')
    .join('\n');
}

/** The start of the error or of the agent's last message with text, for a tooltip; undefined if neither is known. */
function lastAnswer(record: SessionRecord, t: Translate): string | undefined {
  const tail = knownTail(record);
  if (attentionOf(record) === 'failed' && tail && tail.excerpt !== '')
    return t('Failed: {0}', isolatedLine(tail.excerpt, 200));
  const answer =
    tail?.answer ??
    record.headers.findLast(
      ({ role, hasText, isGone, firstLine }) => role === 'assistant' && hasText && !isGone && firstLine !== '',
    );
  return answer && t('Last answer: {0}', isolatedLine(answer.firstLine, 200));
}

/** The files that the newest messages changed, on one line, for a tooltip; undefined if there are none. */
function changedFiles(record: SessionRecord, t: Translate): string | undefined {
  const files = knownTail(record)?.files ?? [];
  if (files.length === 0) return undefined;
  return t('Recently changed files: {0}', t.formats.list(files.map((path) => isolatedLine(path, 80))));
}

/** The progress of the agent's plan on one line, for a tooltip; undefined if there is none. */
function planLine({ headers }: SessionRecord, t: Translate): string | undefined {
  const plan = currentPlan(headers);
  if (!plan) return undefined;
  const { done, total, current } = plan;
  return current === ''
    ? t('Plan: {0} of {1} done', done, total)
    : t('Plan: {0} of {1} done, {2}', done, total, isolatedLine(current, 80));
}

/** The token usage of a session on one line, for a tooltip; undefined if the service reports none. */
export function usageLine(record: SessionRecord, t: Translate): string | undefined {
  const { tokenUsage, inclusiveTokenUsage } = record.session?.sessionSettings ?? {};
  const usage = totalOf({ own: tokenUsage ?? {}, inclusive: inclusiveTokenUsage });
  const tokens = hasTokens(usage) ? t.formats.compact(tokenCount(usage)) : undefined;
  const credits = usage.serviceCredits === undefined ? undefined : t.formats.compact(usage.serviceCredits);
  if (credits === undefined) return tokens && t({ one: '1 token', other: '{0} tokens' }, tokens);
  return tokens === undefined
    ? t({ one: '1 credit', other: '{0} credits' }, credits)
    : t('{0} tokens, {1} credits', tokens, credits);
}

/** The icon of a session. Each state has a different shape, because not everyone sees the colors. */
function sessionIcon(
  record: SessionRecord,
  isLastKnown: boolean,
  connection: Connection,
): { icon: string; iconColor?: string } {
  if (isNotFound(record)) return { icon: 'warning', iconColor: 'list.warningForeground' };
  const attention = attentionOf(record);
  if (attention === 'unsent') return { icon: 'warning', iconColor: 'list.warningForeground' };
  const state = stateIcon(record, attention);
  // The view's message says once for all sessions that the service can't be reached, or needs a key.
  const isForAll = isNetworkFailure(record.failure) || connection.kind === 'keyRejected' || connection.kind === 'noKey';
  if (isForAll) return { icon: state.icon, iconColor: 'disabledForeground' };
  if (record.failure) return { icon: 'debug-disconnect', iconColor: 'disabledForeground' };
  return isLastKnown ? { icon: 'history', iconColor: 'disabledForeground' } : state;
}

function stateIcon(record: SessionRecord, attention: Attention | undefined): { icon: string; iconColor?: string } {
  if (attention === 'failed') return { icon: 'error', iconColor: 'list.errorForeground' };
  if (attention === 'waiting') return { icon: 'question', iconColor: 'list.warningForeground' };
  if (isUnreadSession(record)) return { icon: 'circle-filled', iconColor: 'textLink.foreground' };
  return { icon: statusIcon(record.session?.status ?? 'none') };
}

/**
 * The codicon of a status; `none` means that the session was never loaded. No icon spins, because a session can run for
 * hours, and VS Code would draw 20 frames a second.
 */
export function statusIcon(status: SessionStatus | 'none'): string {
  switch (status) {
    case 'idle':
      return 'comment-discussion';
    case 'pending':
      // Not `clock`, because that codicon looks the same as `history`.
      return 'clockface';
    case 'running':
      return 'sync';
    case 'unknown':
      // Not `question`, which means that the agent may be waiting.
      return 'circle-slash';
    case 'none':
      return 'circle-outline';
  }
}

/** The `contextValue` for `when` clauses: the kind of row, followed by the session's flags. */
export function sessionFlags(record: SessionRecord): string {
  const { isPinned = false, isMuted = false, isTransient = false } = record.listEntry;
  const flags: readonly (readonly [string, boolean])[] = [
    ['pinned', isPinned],
    ['muted', isMuted],
    ['guest', isTransient],
    ['unread', isUnreadSession(record)],
    ['waiting', record.waiting !== undefined],
    ['triage', needsYou(record)],
    ['archived', isArchived(record)],
  ];
  return ['session', ...flags.flatMap(([flag, isSo]) => (isSo ? [flag] : []))].join(' ');
}

function messageCount(count: number, t: Translate): string {
  return t({ one: '1 message', other: '{0} messages' }, count);
}

/**
 * Describes a message as a row of the tree. `headers` are those of the session, which can contain results of the
 * message's calls. `now` is in Unix ms.
 */
export function describeMessageRow(
  header: MessageHeader,
  headers: readonly MessageHeader[],
  now: number,
  t: Translate,
): RowDescription {
  const role = authorLabel(header, t);
  const calls = header.hasText ? '' : plainLine(describeCalls(header, headers, t), 120);
  const added = isContext(header) ? addedTitle(t) : '';
  const label = calls || plainLine(header.firstLine, 120) || added || t('({0}, no text)', role);
  const age = describeAge(header.createdAt, now, t);
  return {
    label,
    description: age,
    tooltip: `${role} · ${t.formats.dateTime(header.createdAt)}\n${isolatedLine(label)}`,
    ...messageIcon(header),
    spoken: t('{0} message, {1}, {2}', role, label, age),
  };
}

function messageIcon(header: MessageHeader): { icon: string; iconColor?: string } {
  if (header.isError) return { icon: 'error', iconColor: 'errorForeground' };
  switch (shownRole(header)) {
    case 'user':
      return { icon: 'account' };
    case 'assistant':
      return { icon: 'sparkle' };
    case 'tool':
      return { icon: 'tools' };
    case 'system':
      return { icon: 'gear' };
    case 'unknown':
    case undefined:
      return { icon: 'question' };
  }
}
