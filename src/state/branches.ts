import type { MessageHeader } from './messageHeader.ts';

/** More messages that follow the same one are no branches: then the service means something else by it. */
const mostBranches = 20;

/** Where a message stands among those that follow the same one. */
export interface BranchPlace {
  /** From 0. */
  readonly index: number;
  /** All of them in order, itself included; at least two. */
  readonly messageIds: readonly string[];
}

/** The messages at which a conversation divides: two or more of one role that follow the same message. */
export function readBranches(headers: readonly MessageHeader[]): ReadonlyMap<string, BranchPlace> {
  const siblings = new Map<string, string[]>();
  for (const { messageId, parentId, role, hasText } of headers) {
    if (parentId === undefined || !hasText || (role !== 'user' && role !== 'assistant')) continue;
    const family = `${role} ${parentId}`;
    const known = siblings.get(family);
    if (known) known.push(messageId);
    else siblings.set(family, [messageId]);
  }
  const places = new Map<string, BranchPlace>();
  for (const messageIds of siblings.values()) {
    if (messageIds.length < 2 || messageIds.length > mostBranches) continue;
    messageIds.forEach((messageId, index) => places.set(messageId, { index, messageIds }));
  }
  return places;
}
