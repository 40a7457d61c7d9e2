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
  const firstChildren = { user: new Map<string, string>(), assistant: new Map<string, string>() };
  const siblings = new Map<string, string[]>();
  for (const { messageId, parentId, role, hasText } of headers) {
    if (parentId === undefined || !hasText || (role !== 'user' && role !== 'assistant')) continue;
    const first = firstChildren[role].get(parentId);
    const known = first === undefined ? undefined : siblings.get(first);
    if (first === undefined) firstChildren[role].set(parentId, messageId);
    else if (known) known.push(messageId);
    else siblings.set(first, [first, messageId]);
  }
  const places = new Map<string, BranchPlace>();
  for (const messageIds of siblings.values()) {
    if (messageIds.length < 2 || messageIds.length > mostBranches) continue;
    messageIds.forEach((messageId, index) => places.set(messageId, { index, messageIds }));
  }
  return places;
}
