import { defined } from '../../shared/defined.ts';
import { isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import { type SessionKey, keyText } from '../store/sessionKey.ts';
import { type Translate, isolatedLine, namesList, plainLine } from '../../shared/text.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { shownQuestion } from '../store/waiting.ts';
import { endsInError, knownTail, newestMessageId } from '../work/tail.ts';

/** A session whose agent has finished a turn. */
export interface FinishedTurn {
  readonly key: SessionKey;
  /**
   * The time from the last change of the session before the agent was first seen working to the last one before it was
   * seen idle, in ms. Measured by the service's clock, because this machine may have slept, or its clock may have been
   * set. Absent if the agent was already working at the first refresh, or the session has no later change.
   */
  readonly workedMs?: number;
  /** The session's `updatedAt` when the agent was last seen working, Unix ms. */
  readonly workingAt: number;
  /** The session's `updatedAt` when it was found idle, Unix ms. */
  readonly idleAt: number;
  /** The last message that was known when the agent was first seen working; absent if none was. */
  readonly previousMessageId?: string;
}

interface Seen {
  /**
   * The session's `updatedAt` when the agent was last seen working, Unix ms; absent if it has been found idle since.
   */
  readonly workingAt?: number;
  /** The last known message when the agent was first seen working. */
  readonly previousMessageId?: string;
  /**
   * The session's `updatedAt` when the agent was first seen working, Unix ms; absent if it was already working at the
   * first refresh.
   */
  readonly since?: number;
}

/**
 * Detects finished turns: a refresh in this window found the session idle after an earlier refresh in this window found
 * the agent working. States from earlier windows and failed refreshes are ignored.
 */
export class FinishedTurns {
  readonly #seen = new Map<string, Seen>();

  /** Processes the current state of a session. Returns the turn that has just finished, if any. */
  take(record: SessionRecord): FinishedTurn | undefined {
    const { listEntry, session, asOf, failure, isRemembered } = record;
    if (!session || asOf === undefined || failure || isRemembered) return undefined;
    const text = keyText(listEntry.key);
    const before = this.#seen.get(text);
    if (isWorking(session)) {
      const wasWorking = before?.workingAt !== undefined;
      const since = wasWorking ? before.since : before && session.updatedAt;
      const previousMessageId = wasWorking ? before.previousMessageId : newestMessageId(record);
      this.#seen.set(text, { workingAt: session.updatedAt, ...defined({ since, previousMessageId }) });
      return undefined;
    }
    // With an unknown status, the turn may still be going on (R54).
    if (session.status !== 'idle') return undefined;
    this.#seen.set(text, {});
    if (before?.workingAt === undefined) return undefined;
    const { workingAt, previousMessageId, since } = before;
    const idleAt = session.updatedAt;
    const workedMs = since !== undefined && idleAt > since ? idleAt - since : undefined;
    return { key: listEntry.key, workingAt, idleAt, ...defined({ workedMs, previousMessageId }) };
  }

  /** Forgets all sessions except those in `records`. */
  forgetAllBut(records: readonly SessionRecord[]): void {
    const kept = new Set(records.map(({ listEntry }) => keyText(listEntry.key)));
    for (const text of this.#seen.keys()) if (!kept.has(text)) this.#seen.delete(text);
  }
}

/**
 * Whether a finished turn is known to have failed: its last message is an error, and arrived during the turn. A session
 * whose messages were never read doesn't count as failed.
 */
export function hasFailed({ previousMessageId }: FinishedTurn, record: SessionRecord): boolean {
  return endsInError(record) && newestMessageId(record) !== previousMessageId;
}

/**
 * The first line of what the agent wrote last, if it arrived during the turn: the error if the turn has failed, or else
 * its last message with text. Undefined if there is none, or if it isn't known.
 */
export function answerOf(turn: FinishedTurn, record: SessionRecord): string | undefined {
  const tail = knownTail(record);
  if (!tail || tail.messageId === turn.previousMessageId) return undefined;
  if (hasFailed(turn, record)) return tail.excerpt === '' ? undefined : tail.excerpt;
  return tail.answer?.isOfTurn ? tail.answer.firstLine : undefined;
}

/** Whether the messages of an idle session are loaded, but it isn't known yet what the newest ones say. */
export function isBeingRead(record: SessionRecord): boolean {
  return record.history.completeness !== 'unread' && !knownTail(record);
}

/** A finished turn with the current state of its session. */
interface DescribedTurn {
  readonly record: SessionRecord;
  /** As in {@link FinishedTurn}. */
  readonly workedMs?: number | undefined;
  readonly hasFailed: boolean;
  /** The first line of the answer or error, if it is known. Untrusted. */
  readonly answer?: string | undefined;
}

/**
 * Describes finished turns in one sentence, and says whether any failed, and whether agents may be waiting for the
 * user; empty if there are no turns.
 */
export function describeFinished(finished: readonly DescribedTurn[], t: Translate): string {
  const [first] = finished;
  if (!first) return '';
  return finished.length > 1 ? describeSeveral(finished, t) : describeOne(first, t);
}

function describeSeveral(finished: readonly DescribedTurn[], t: Translate): string {
  const waiting = finished.filter(({ record }) => record.waiting);
  const ordered = [...waiting, ...finished.filter(({ record }) => !record.waiting)];
  const titles = ordered.map(({ record }) => `"${plainLine(sessionTitle(record), 40)}"`);
  const list = namesList(titles, 3, 42, t);
  const [count, waitingCount] = [finished.length, waiting.length];
  const failedCount = finished.filter((turn) => turn.hasFailed).length;
  if (waitingCount === count) return t({ other: '{0} sessions may be waiting for you: {1}.' }, count, list);
  if (waitingCount === 0 && failedCount === 0) return t({ other: '{0} sessions finished: {1}.' }, count, list);
  if (waitingCount === 0)
    return t({ other: '{0} sessions finished, {1} with an error: {2}.' }, count, failedCount, list);
  if (failedCount === 0)
    return t({ other: '{0} sessions finished, {1} of which may be waiting for you: {2}.' }, count, waitingCount, list);
  return t(
    { other: '{0} sessions finished, {1} with an error, and {2} may be waiting for you: {3}.' },
    count,
    failedCount,
    waitingCount,
    list,
  );
}

function describeOne({ record, workedMs, hasFailed, answer }: DescribedTurn, t: Translate): string {
  const title = isolatedLine(sessionTitle(record), 80);
  const minutes = Math.round((workedMs ?? 0) / 60_000);
  if (hasFailed) {
    if (answer !== undefined) return t('"{0}" failed: {1}', title, isolatedLine(answer, 160));
    if (workedMs === undefined) return t('"{0}" failed.', title);
    return minutes === 0
      ? t('"{0}" failed after less than a minute.', title)
      : t('"{0}" failed after {1} min.', title, minutes);
  }
  if (record.waiting) {
    const question = shownQuestion(record.waiting.question);
    return question === ''
      ? t('"{0}" may be waiting for you.', title)
      : t('"{0}" may be waiting for you: {1}', title, question);
  }
  if (answer !== undefined) return t('"{0}" finished: {1}', title, isolatedLine(answer, 160));
  if (workedMs === undefined) return t('"{0}" finished.', title);
  if (minutes === 0) return t('"{0}" finished after less than a minute.', title);
  return t('"{0}" finished after {1} min.', title, minutes);
}
