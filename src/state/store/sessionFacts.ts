import { plainLine } from '../../shared/text.ts';
import type { SessionRecord } from './sessionRecord.ts';

/** Turns a text into one line of at most `maxLength` characters. */
type LineMaker = (text: string, maxLength: number) => string;

/**
 * The name of a session: the user's own name if set, otherwise its title or ID. `line` makes it safe to show on one
 * line.
 */
export function sessionTitle(record: SessionRecord, line: LineMaker = plainLine): string {
  const name = line(record.listEntry.name ?? '', 120);
  return name === '' ? serviceTitle(record, line) : name;
}

/** The session's title on the service, or its ID if it has none. Safe to show on one line. */
export function serviceTitle(record: SessionRecord, line: LineMaker = plainLine): string {
  const title = line(record.session?.title ?? '', 120);
  return title === '' ? line(record.listEntry.key.sessionId, 80) : title;
}

/** Whether a session is archived on the service. */
export function isArchived({ session }: SessionRecord): boolean {
  return (session?.sessionSettings?.archivedAt ?? '') !== '';
}
