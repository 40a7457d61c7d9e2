import type { MessageHeader } from '../../state/store/messageHeader.ts';
import type { SessionState } from './historyCursor.ts';
import { type HistoryReading, loadedHeaders, newestLoaded } from './historyReader.ts';
import { fillHoles, reconcileHistory } from './reconcile.ts';
import { lacksRoles } from './roles.ts';

/**
 * Call this after the list of a session was read. Reads it again if `state`, the session's state before that, shows a
 * change that the loaded messages don't explain. Updates the list's lag. Rejects with the ApiError.
 *
 * @param before the headers before the list was read.
 */
export async function compareWithState(
  reading: HistoryReading,
  state: SessionState,
  before: readonly MessageHeader[],
): Promise<void> {
  const { cursor } = reading;
  const { readAt, lag } = cursor;
  const listedBefore = countListed(before);
  const addedCount = () => countListed(loadedHeaders(reading)) - listedBefore;
  const isNewer = ({ createdAt }: MessageHeader) => createdAt > state.updatedAt;
  const lackingCount = () => {
    if (cursor.completeness === 'complete') return state.messageCount - listedBefore - addedCount();
    // Older messages aren't loaded. At the first reading, assume that none is missing; later, count what was added.
    if (readAt === undefined) return lag.unlistedCount - countListed(loadedHeaders(reading).filter(isNewer));
    const listedCount = readAt.messageCount - lag.missingCount - lag.unlistedCount + lag.uncountedCount;
    return state.messageCount - listedCount - addedCount();
  };
  const lostCount = (readAt?.messageCount ?? 0) - state.messageCount;
  const isUnchanged = loadedHeaders(reading) === before;
  const hasMoved = readAt !== undefined && state.updatedAt !== readAt.updatedAt && state.status === 'idle';
  if (lostCount > 0 || (hasMoved && isUnchanged)) {
    await reconcileHistory(reading, lostCount > 0, lostCount + addedCount());
  } else if (lag.mayHaveHoles && lackingCount() > lag.unlistedCount) await fillHoles(reading);
  const mayHaveGrown = readAt?.status !== 'idle' || readAt.messageCount !== state.messageCount || lag.missingCount > 0;
  lag.settle(lackingCount(), reading.serverNow(), state.updatedAt);
  noteNewest(reading, state, mayHaveGrown);
}

/**
 * Call this after the newest message was read: notes whether it may be from an older copy of the session, whose state
 * is `state`. `mayHaveGrown`: whether the agent may have worked since the previous reading.
 */
export function noteNewest(reading: NewestReading, state: SessionState, mayHaveGrown: boolean): void {
  const { store, key, cursor } = reading;
  if (state.status !== 'idle') {
    cursor.lag.noteRunning();
    return;
  }
  const newest = newestLoaded(reading);
  cursor.lag.noteNewest({
    newestAtMs: newest && Math.max(newest.createdAt, newest.updatedAt),
    lacksRoles: lacksRoles(store, key, cursor.roles),
    changedAtMs: state.updatedAt,
    nowMs: reading.serverNow(),
    mayHaveGrown,
  });
}

type NewestReading = Pick<HistoryReading, 'store' | 'key' | 'cursor' | 'serverNow'>;

/** The number of loaded messages that the service still lists, without those that were loaded apart from the others. */
function countListed(headers: readonly MessageHeader[]): number {
  return headers.reduce((count, { isGone, isDetached }) => count + (isGone || isDetached ? 0 : 1), 0);
}
