import { isolatedLine, type Translate } from '../../shared/text.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { SessionRecord } from '../store/sessionRecord.ts';
import { authorLabel, roleLabel } from './describeMessage.ts';
import { sessionTitle } from '../store/sessionFacts.ts';

/**
 * Names a message in the title of a comparison: its role and time, and its session if `isNamed` is set. `header` is
 * undefined if the message isn't in the store.
 */
export function describeCompared(
  record: SessionRecord,
  header: MessageHeader | undefined,
  isNamed: boolean,
  t: Translate,
): string {
  const role = header ? authorLabel(header, t) : roleLabel(undefined, t);
  const name = header ? `${role}, ${t.formats.dateTime(header.createdAt)}` : role;
  return isolatedLine(isNamed ? t('{0} ({1})', name, sessionTitle(record)) : name, 120);
}
