import { isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import { type SessionKey, keyText } from '../store/sessionKey.ts';
import { type Translate, isolatedLine, plainLine } from '../../shared/text.ts';
import { sessionTitle } from '../presentation/session.ts';

/** A session whose agent has come to rest. */
export interface FinishedTurn {
  readonly key: SessionKey;
  /** How long it was at work, in ms; absent where its beginning was not seen. */
  readonly workedMs?: number;
}

interface Seen {
  readonly isWorking: boolean;
  /** When it was first seen at work, Unix ms; absent where it was at work when first read here. */
  readonly since?: number;
}

/**
 * Tells when agents have finished: only where a reading in this window found the session idle after a reading in this
 * window found it at work. What was known from earlier windows, and failed readings, say nothing.
 */
export class FinishedTurns {
  readonly #seen = new Map<string, Seen>();

  /** Takes a session as it is known now; returns the turn that has just ended. */
  take(record: SessionRecord): FinishedTurn | undefined {
    const { listEntry, session, asOf, failure, isRemembered } = record;
    if (!session || asOf === undefined || failure || isRemembered) return undefined;
    const text = keyText(listEntry.key);
    const before = this.#seen.get(text);
    if (isWorking(session)) {
      const since = before?.isWorking === true ? before.since : before && asOf;
      this.#seen.set(text, { isWorking: true, ...(since === undefined ? {} : { since }) });
      return undefined;
    }
    this.#seen.set(text, { isWorking: false });
    if (session.status !== 'idle' || before?.isWorking !== true) return undefined;
    return { key: listEntry.key, ...(before.since === undefined ? {} : { workedMs: asOf - before.since }) };
  }

  /** Forgets a session that left the deck. */
  forgetAllBut(records: readonly SessionRecord[]): void {
    const kept = new Set(records.map(({ listEntry }) => keyText(listEntry.key)));
    for (const text of this.#seen.keys()) if (!kept.has(text)) this.#seen.delete(text);
  }
}

/** One sentence for one or several turns that ended; empty for none. */
export function describeFinished(
  finished: readonly { readonly record: SessionRecord; readonly workedMs?: number | undefined }[],
  t: Translate,
): string {
  const [first] = finished;
  if (!first) return '';
  if (finished.length > 1) {
    const titles = finished.slice(0, 3).map(({ record }) => `"${plainLine(sessionTitle(record), 40)}"`);
    const others = finished.length - titles.length;
    const list = others > 0 ? t('{0} and {1} more', titles.join(', '), others) : titles.join(', ');
    return t('{0} sessions finished: {1}.', finished.length, list);
  }
  const title = isolatedLine(sessionTitle(first.record), 80);
  const minutes = Math.round((first.workedMs ?? 0) / 60_000);
  if (first.workedMs === undefined) return t('"{0}" finished.', title);
  if (minutes === 0) return t('"{0}" finished after less than a minute.', title);
  return t('"{0}" finished after {1} min.', title, minutes);
}
