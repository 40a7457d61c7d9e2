import { sameSession } from '../store/sessionKey.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { needsYou } from './attention.ts';
import { byUrgency } from './sections.ts';

/**
 * The session that follows `after` among those that need the user, in the order in which the tree lists them; after the
 * last one, the first one again. `after` can be an earlier state of its session, so that the order continues where it
 * was even if the session no longer needs the user. Undefined if no other session needs the user.
 */
export function nextNeedingYou(
  records: readonly SessionRecord[],
  after: SessionRecord | undefined,
): SessionRecord | undefined {
  const others = records
    .filter((record) => needsYou(record) && !sameSession(record.listEntry.key, after?.listEntry.key))
    .sort(byUrgency);
  return (after && others.find((record) => byUrgency(after, record) < 0)) ?? others[0];
}
