import type { PageComposer } from '../../shared/protocol/pageModel.ts';
import type { PageBlock, PageDelivery, PageRow } from '../../shared/protocol/rowTypes.ts';
import { parsedText } from './blocks.ts';
import { markdownOf } from '../markdown/jsonText.ts';
import { describeFailure } from './describeFailure.ts';
import { roleLabel } from './describeMessage.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import {
  isBlocked,
  isScheduled,
  needsDecision,
  type OutboxEntry,
  type StoredAttachment,
  waitedForService,
} from '../store/outboxEntry.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import type { SendCondition } from '../../shared/protocol/vocabulary.ts';
import { type Translate, isolatedLine, plainLine } from '../../shared/text.ts';

/**
 * Describes an outgoing message for the page, with its delivery state and available actions. `isBehind` is true if an
 * earlier message blocks it (R30). `awaited` is the session that a scheduled message waits for, and `now` the time in
 * Unix ms.
 */
export function describeEntry(
  entry: OutboxEntry,
  t: Translate,
  isBehind = false,
  awaited?: SessionRecord,
  now = Date.now(),
): PageRow {
  return {
    key: entry.entryId,
    role: 'user',
    roleLabel: roleLabel('user', t),
    author: t('You'),
    createdAt: entry.createdAt,
    isError: false,
    badges: [],
    blocks: [
      ...(isBlank(entry.text) ? [] : [{ type: 'markdown', text: markdownOf(entry.text) } as const]),
      ...entry.attachments.flatMap((attachment) => attachmentBlocks(attachment, t)),
    ],
    delivery: describeSchedule(entry, awaited, now, t) ?? describeDelivery(entry, t, isBehind),
  };
}

/** Describes when a scheduled message will be sent, or why it wasn't; undefined for other messages. */
function describeSchedule(
  entry: OutboxEntry,
  awaited: SessionRecord | undefined,
  now: number,
  t: Translate,
): PageDelivery | undefined {
  const { entryId, state, after } = entry;
  if (!after || !isScheduled(entry)) return undefined;
  if (state === 'notSent') {
    const actions = ['sendNow', 'changeTime', 'edit', 'discard'] as const;
    return { entryId, state, label: t('Not sent'), detail: missedSentence(after, t), actions };
  }
  const label = describeCondition(after, awaited, now, t);
  return { entryId, state, isWaiting: true, label, actions: ['sendNow', 'changeTime', 'edit', 'cancel'] };
}

function describeCondition(
  after: SendCondition,
  awaited: SessionRecord | undefined,
  now: number,
  t: Translate,
): string {
  if (after.kind === 'sessionIdle') {
    const title = awaited ? sessionTitle(awaited) : after.key.sessionId;
    return t('Will be sent when "{0}" is idle', isolatedLine(title, 60));
  }
  const { at } = after;
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? t('Will be sent at {0}', t.formats.time(at)) : t('Will be sent on {0}', t.formats.dateTime(at));
}

function missedSentence({ kind }: SendCondition, t: Translate): string {
  return kind === 'time'
    ? t("The time to send this message passed while VS Code wasn't running.")
    : t('The session that this message was waiting for is no longer available.');
}

function attachmentBlocks(attachment: StoredAttachment, t: Translate): PageBlock[] {
  const detail = t.formats.size(attachment.sizeBytes);
  const file = { type: 'file', name: plainLine(attachment.name, 120), detail } as const;
  return [file, ...parsedText(attachment.parsedData, t)];
}

function describeDelivery(entry: OutboxEntry, t: Translate, isBehind: boolean): PageDelivery {
  const { entryId, state } = entry;
  switch (state) {
    case 'queued': {
      return {
        entryId,
        state,
        ...(isBehind || waitsUntilIdle(entry) ? { isWaiting: true } : {}),
        label: queuedLabel(entry, t, isBehind),
        ...reason(entry, t),
        actions: [...(mayWaitForAgent(entry) && !isBehind ? (['sendNow'] as const) : []), 'edit', 'cancel'],
      };
    }
    case 'sending': {
      const progress = entry.progress === undefined ? {} : { progress: entry.progress };
      return { entryId, state, label: sendingLabel(entry, t), ...progress, actions: ['cancel'] };
    }
    case 'accepted':
      return { entryId, state, label: t('Sent'), actions: [] };
    case 'unknown':
      if (!needsDecision(entry)) return { entryId, state, label: t('Checking delivery...'), actions: [] };
      return {
        entryId,
        state,
        label: t("Couldn't confirm delivery"),
        detail: unconfirmedSentence(entry, t),
        actions: ['sendAgain', 'edit', 'discard'],
      };
    case 'notSent':
      return {
        entryId,
        state,
        label: t('Not sent'),
        detail: `${notSentReason(entry, t)} ${t('Your message is saved.')}`.trim(),
        actions: ['sendAgain', 'edit', 'discard'],
      };
  }
}

/**
 * Describes the first message of a session that the user has to decide about; undefined if there is none. Messages that
 * the user let others pass are skipped. Unless the described message was scheduled, later ones wait for it.
 */
export function describeUndecided(outbox: readonly OutboxEntry[], t: Translate): PageComposer['undecided'] {
  const entry = outbox.find((candidate) => needsDecision(candidate) && !candidate.isPassed);
  if (!entry) return undefined;
  const label = undecidedSentence(entry, t);
  if (isScheduled(entry)) return { entryId: entry.entryId, label, actions: ['sendNow', 'edit', 'discard'] };
  const isBlocking = outbox.some((candidate) => isBlocked(candidate, outbox));
  const actions = ['sendAgain', 'discard', ...(isBlocking ? (['sendOthers'] as const) : [])] as const;
  return { entryId: entry.entryId, label, actions };
}

/**
 * Why delivery isn't confirmed. The bar above the composer says what to do, unless the user let later messages pass
 * this one; then this text says it.
 */
function unconfirmedSentence({ failure, isPassed }: OutboxEntry, t: Translate): string {
  const isLost = !failure || failure.kind === 'unreachable';
  const reason = isLost ? t('The connection was lost while sending.') : describeFailure(failure, t);
  return isPassed ? `${reason} ${t('Check the conversation before sending the message again.')}` : reason;
}

/** Says in one or two sentences what happened to a message that the user has to decide about. */
export function undecidedSentence(entry: OutboxEntry, t: Translate): string {
  const { state, after, text, attachments } = entry;
  if (after && isScheduled(entry)) return missedSentence(after, t);
  // A message without text is named by its first attachment.
  const name = isBlank(text) ? (attachments[0]?.name ?? '') : text;
  const start = isolatedLine(name, 40);
  if (waitedForService(entry))
    return isBlank(name)
      ? t('A message waited while you used another service.')
      : t('"{0}" waited while you used another service.', start);
  if (state === 'notSent') return isBlank(name) ? t("A message wasn't sent.") : t('"{0}" wasn\'t sent.', start);
  return isBlank(name)
    ? t("Couldn't confirm delivery of a message. Check the conversation before sending it again.")
    : t('Couldn\'t confirm delivery of "{0}". Check the conversation before sending it again.', start);
}

function notSentReason(entry: OutboxEntry, t: Translate): string {
  if (waitedForService(entry)) return t('It waited while you used another service.');
  return entry.failure ? describeFailure(entry.failure, t, entry.computerId) : '';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Whether a queued message may be waiting until the agent is idle, because of the user's choice or the setting. */
function mayWaitForAgent({ when, failure }: OutboxEntry): boolean {
  return when !== 'now' && !failure;
}

function waitsUntilIdle({ when, failure }: OutboxEntry): boolean {
  return when === 'whenIdle' && !failure;
}

function queuedLabel(entry: OutboxEntry, t: Translate, isBehind: boolean): string {
  if (isBehind) return t('Waiting for the message above');
  return waitsUntilIdle(entry) ? t('Waiting until the agent is idle') : t('Waiting to be sent');
}

/** Minimum size for a progress label. Smaller messages are sent too quickly for users to read one. */
const minProgressBytes = 1_000_000;

function sendingLabel({ attachments, progress }: OutboxEntry, t: Translate): string {
  const totalBytes = attachments.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  if (progress === undefined || totalBytes < minProgressBytes) return t('Sending...');
  return t('Sending, {0} of {1}...', t.formats.size(Math.round(totalBytes * progress)), t.formats.size(totalBytes));
}

function reason(entry: OutboxEntry, t: Translate): { detail?: string } {
  return entry.failure === undefined ? {} : { detail: describeFailure(entry.failure, t, entry.computerId) };
}
