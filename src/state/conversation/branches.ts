import type { MessageHeader } from '../store/messageHeader.ts';

/** How many elements at the beginning of two lists are the same objects. */
export function commonBeginning(one: readonly unknown[], other: readonly unknown[]): number {
  const shortest = Math.min(one.length, other.length);
  let same = 0;
  while (same < shortest && one[same] === other[same]) same += 1;
  return same;
}

/** More messages that follow the same one are no branches: then the service means something else by it. */
const maxBranches = 20;

/** Where a message stands among those that follow the same one. */
export interface BranchPlace {
  /** From 0. */
  readonly index: number;
  /** All of them in order, itself included; at least two. */
  readonly messageIds: readonly string[];
}

/** What was read of the branches of a conversation: where messages stand, and all that reading on needs. */
export interface Branches {
  readonly places: ReadonlyMap<string, BranchPlace>;
  readonly read: ReadBranches;
}

interface ReadBranches {
  headers: readonly MessageHeader[];
  /** The first message of a role that follows another one, by that one. */
  readonly firstChildren: Readonly<Record<'user' | 'assistant', Map<string, string>>>;
  /** Two and more that follow the same message, by the first of them. */
  readonly siblings: Map<string, readonly string[]>;
}

/**
 * The messages at which a conversation divides: two or more of one role that follow the same message. Where messages
 * only came in behind those of `before`, only they are read.
 */
export function readBranches(headers: readonly MessageHeader[], before?: Branches): Branches {
  const known = before?.read ?? newRead();
  const read = commonBeginning(known.headers, headers) === known.headers.length ? known : newRead();
  for (let index = read.headers.length; index < headers.length; index += 1) {
    const header = headers[index];
    if (header) readBranch(header, read);
  }
  read.headers = headers;
  const places = new Map<string, BranchPlace>();
  for (const messageIds of read.siblings.values()) {
    if (messageIds.length > maxBranches) continue;
    messageIds.forEach((messageId, index) => places.set(messageId, { index, messageIds }));
  }
  return { places, read };
}

function newRead(): ReadBranches {
  return { headers: [], firstChildren: { user: new Map(), assistant: new Map() }, siblings: new Map() };
}

function readBranch({ messageId, parentId, role, hasText }: MessageHeader, read: ReadBranches): void {
  if (parentId === undefined || !hasText || (role !== 'user' && role !== 'assistant')) return;
  const { firstChildren, siblings } = read;
  const first = firstChildren[role].get(parentId);
  if (first === undefined) {
    firstChildren[role].set(parentId, messageId);
    return;
  }
  const known = siblings.get(first) ?? [first];
  // Not added to: those who were told of a list compare it with the next one.
  if (known.length <= maxBranches) siblings.set(first, [...known, messageId]);
}
