import { isToolOnly } from './filter.ts';
import type { MessageHeader } from '../store/messageHeader.ts';

/** So few messages of tools are shown as they are. */
const leastFolded = 2;

/** Messages that only use tools and stand one after the other: one row, until the person opens it. */
export interface ToolGroup {
  readonly messageIds: readonly string[];
  /** How many of them failed; those are shown in any case. */
  readonly errorCount: number;
  readonly isOpen: boolean;
  /** When the first of them was written, Unix ms. */
  readonly createdAt: number;
}

/** A message, or a group that stands before the messages of it that are shown. */
export type FoldedItem = MessageHeader | ToolGroup;

/** Folds what stands one after the other into groups. A group is open where one of its messages is in `openedIds`. */
export function foldTools(headers: readonly MessageHeader[], openedIds: ReadonlySet<string>): FoldedItem[] {
  const items: FoldedItem[] = [];
  let run: MessageHeader[] = [];
  const endRun = () => {
    items.push(...foldRun(run, openedIds));
    run = [];
  };
  for (const header of headers) {
    if (isToolOnly(header)) {
      run.push(header);
      continue;
    }
    if (run.length > 0) endRun();
    items.push(header);
  }
  endRun();
  return items;
}

function foldRun(run: readonly MessageHeader[], openedIds: ReadonlySet<string>): readonly FoldedItem[] {
  const [first] = run;
  const failed = run.filter(({ isError }) => isError);
  if (!first || run.length - failed.length < leastFolded) return run;
  const messageIds = run.map(({ messageId }) => messageId);
  const isOpen = messageIds.some((messageId) => openedIds.has(messageId));
  const group = { messageIds, errorCount: failed.length, isOpen, createdAt: first.createdAt };
  return [group, ...(isOpen ? run : failed)];
}
