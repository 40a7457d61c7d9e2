import { type MessageHeader, summarizeMessage } from './messageHeader.ts';
import type { OutboxEntry } from './outboxEntry.ts';
import type { Timeline } from './timeline.ts';

/**
 * The corrected header of a message that was sent from this machine, if it was marked as text of the agent's tooling,
 * or as a candidate for it, when it arrived. Undefined if nothing must be corrected, or if the message isn't listed
 * yet.
 */
export function ownHeader(entry: OutboxEntry, timeline: Timeline): MessageHeader | undefined {
  const header = timeline.get(entry.messageId ?? '');
  if (!header) return undefined;
  if (!header.hasAddedText) return header.expansion === undefined ? undefined : { ...header, expansion: undefined };
  const { messageId: id, createdAt, updatedAt } = header;
  const own = summarizeMessage(
    { id, createdAt, updatedAt, content: [{ type: 'text', text: entry.text }] },
    'user',
    true,
  );
  const { firstLine } = own;
  const estimatedLines = Math.max(own.estimatedLines, header.estimatedLines);
  return { ...header, firstLine, estimatedLines, hasText: true, hasAddedText: false, expansion: undefined };
}
