import { plainLine } from '../../shared/text.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** The name of a session: the user's own name if set, otherwise its title or ID. Safe to show on one line. */
export function sessionTitle(record: SessionRecord): string {
  const name = plainLine(record.listEntry.name ?? '', 120);
  return name === '' ? serviceTitle(record) : name;
}

/** The session's title on the service, or its ID if it has none. Safe to show on one line. */
export function serviceTitle(record: SessionRecord): string {
  const title = plainLine(record.session?.title ?? '', 120);
  return title === '' ? plainLine(record.listEntry.key.sessionId, 80) : title;
}

/** Whether a session is archived on the service. */
export function isArchived({ session }: SessionRecord): boolean {
  return (session?.sessionSettings?.archivedAt ?? '') !== '';
}
