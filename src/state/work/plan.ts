import { isPrompt } from '../store/turns.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { decides } from '../tools/outcome.ts';
import type { PlanItem } from '../tools/toolCall.ts';
import { type CallMark, readToolMarks, type ResultMark } from '../tools/toolMarks.ts';
import { sumOfTasks } from './tasks.ts';

/** The progress of the agent's to-do list. */
interface PlanProgress {
  /**
   * The ID of the message with the last call about the list, and the position of the call's block in it. Without
   * `items`, the items can be read there.
   */
  readonly messageId: string;
  readonly index: number;
  /** When the message was last updated, in Unix ms. */
  readonly updatedAt: number;
  /** The numbers of completed and of all items; `total` is at least 1. */
  readonly done: number;
  readonly total: number;
  /** The item that the agent is working on, as one line; empty if there is none. Untrusted. */
  readonly current: string;
  /** The items, if they are the sum of several calls; absent if the call contains them. */
  readonly items?: readonly PlanItem[];
}

/**
 * The agent's latest to-do list in the current turn; undefined if there is none or if the agent emptied it. A list of
 * an earlier turn doesn't count: it isn't known whether the agent still follows it after a new prompt. Calls that
 * failed don't count either. A list whose items are changed one by one is the sum of all calls in the session. After a
 * call that changes several items of a list, the list isn't known.
 */
export function currentPlan(headers: readonly MessageHeader[]): PlanProgress | undefined {
  for (let place = headers.length - 1; place >= 0; place--) {
    const header = headers[place];
    if (!header || isPrompt(header)) return undefined;
    const plan = header.isGone ? undefined : planIn(header, headers, place);
    if (plan?.isPartial === true) return undefined;
    if (plan) return plan.task ? progressOf(header, plan, sumOfTasks(headers)) : wholeList(header, plan);
  }
  return undefined;
}

function wholeList(
  { messageId, updatedAt }: MessageHeader,
  { index, done, total, label }: CallMark,
): PlanProgress | undefined {
  return total === 0 ? undefined : { messageId, index, updatedAt, done, total, current: label };
}

function progressOf(
  { messageId, updatedAt }: MessageHeader,
  { index }: CallMark,
  items: readonly PlanItem[] | undefined,
): PlanProgress | undefined {
  if (items === undefined || items.length === 0) return undefined;
  const done = items.filter(({ state }) => state === 'done').length;
  const current = items.find(({ state }) => state === 'current')?.text ?? '';
  return { messageId, index, updatedAt, done, total: items.length, current, items };
}

function planIn({ tools }: MessageHeader, headers: readonly MessageHeader[], place: number): CallMark | undefined {
  // Reading the marks of every message of a long turn would take too long.
  if (tools?.includes('"plan"') !== true) return undefined;
  return readToolMarks(tools).findLast(
    (mark): mark is CallMark => mark.type === 'call' && mark.kind === 'plan' && !hasFailed(mark, headers, place),
  );
}

/** Whether the first result of a call reports a failure. Without a result, the call hasn't failed. */
function hasFailed({ callId }: CallMark, headers: readonly MessageHeader[], place: number): boolean {
  if (callId === undefined) return false;
  const storedId = JSON.stringify(callId);
  for (let at = place; at < headers.length; at++) {
    const tools = headers[at]?.tools;
    if (tools?.includes(storedId) !== true) continue;
    const result = readToolMarks(tools).find(
      (mark): mark is ResultMark => mark.type === 'result' && mark.callId === callId,
    );
    if (result) return isFailedPlan(result);
  }
  return false;
}

function isFailedPlan({ isFailed, form = 'tool' }: ResultMark): boolean {
  return isFailed && decides(form, 'plan');
}
