import { isToolOnly } from './filter.ts';
import type { MessageHeader } from '../store/messageHeader.ts';

/** Fewer consecutive tool messages than this are not folded into a group. */
const minGroupSize = 2;

/** Consecutive messages that only use tools, shown as one row until the user expands it. */
export interface ToolGroup {
  readonly messageIds: readonly string[];
  /** The number of failed messages, which are always shown. */
  readonly errorCount: number;
  readonly isOpen: boolean;
  /** Creation time of the first message, Unix ms. */
  readonly createdAt: number;
}

/** A message or a group. A group is followed by those of its messages that are shown. */
type FoldedItem = MessageHeader | ToolGroup;

/** Folds consecutive tool messages into groups. A group is expanded if one of its messages is in `openedIds`. */
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
  if (!first || run.length - failed.length < minGroupSize) return run;
  const messageIds = run.map(({ messageId }) => messageId);
  const isOpen = messageIds.some((messageId) => openedIds.has(messageId));
  const group = { messageIds, errorCount: failed.length, isOpen, createdAt: first.createdAt };
  return [group, ...(isOpen ? run : failed)];
}
