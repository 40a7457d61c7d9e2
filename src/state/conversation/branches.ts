import { commonPrefixLength } from '../../shared/equality.ts';
import type { MessageHeader } from '../store/messageHeader.ts';

/** If more siblings than this have the same `parentId`, the field is assumed not to represent branches. */
const maxBranches = 20;

/** A message's position among the messages with the same role and parent. */
export interface BranchPlace {
  /** Zero-based. */
  readonly index: number;
  /** All siblings in order, including the message itself; at least two. */
  readonly messageIds: readonly string[];
}

/** The branches of a conversation, and the state needed to continue after its last message. */
export interface Branches {
  /** By message ID. */
  readonly places: ReadonlyMap<string, BranchPlace>;
  readonly read: ReadBranches;
}

interface ReadBranches {
  headers: readonly MessageHeader[];
  /** The ID of the first child of each role, by the ID of its parent. */
  readonly firstChildren: Readonly<Record<'user' | 'assistant', Map<string, string>>>;
  /** The IDs of two or more siblings, by the ID of the first one. */
  readonly siblings: Map<string, readonly string[]>;
}

/**
 * Finds the branches of a conversation: two or more messages with text that have the same role, `user` or `assistant`,
 * and the same parent. If messages were only appended since `before`, only the new ones are inspected. This updates the
 * state in `before`, which can't be used again.
 */
export function readBranches(headers: readonly MessageHeader[], before?: Branches): Branches {
  const known = before?.read ?? newRead();
  const read = commonPrefixLength(known.headers, headers) === known.headers.length ? known : newRead();
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

/**
 * The messages of the branch that begins with a message: the message and what follows it, in order, without other
 * branches. A message without a parent follows the message before it. Empty if the message isn't loaded.
 */
export function branchFrom(headers: readonly MessageHeader[], messageId: string): readonly MessageHeader[] {
  const start = headers.findIndex((header) => header.messageId === messageId);
  if (start < 0) return [];
  const inside = new Set([messageId]);
  let before = messageId;
  return headers.slice(start).filter((header) => {
    const isInside = inside.has(header.messageId) || inside.has(header.parentId ?? before);
    if (isInside) inside.add(header.messageId);
    before = header.messageId;
    return isInside;
  });
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
  // A new list, because callers compare it with the previous one.
  if (known.length <= maxBranches) siblings.set(first, [...known, messageId]);
}
