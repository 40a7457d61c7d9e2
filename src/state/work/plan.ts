import { isPrompt } from '../store/turns.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { type CallMark, readToolMarks } from '../tools/toolMarks.ts';

/** The progress of the agent's to-do list. */
interface PlanProgress {
  /** The message that contains the call, and the position of the block in it: the items can be read there. */
  readonly messageId: string;
  readonly index: number;
  /** The numbers of completed and of all items; `total` is at least 1. */
  readonly done: number;
  readonly total: number;
  /** The item that the agent is working on, in one line; empty if there is none. Untrusted. */
  readonly current: string;
}

/**
 * The agent's latest to-do list in the current turn; undefined if there is none or if the agent emptied it. A list of an
 * earlier turn doesn't count: it isn't known whether the agent still follows it after a new prompt. Calls that failed
 * don't count either.
 */
export function currentPlan(headers: readonly MessageHeader[]): PlanProgress | undefined {
  for (let place = headers.length - 1; place >= 0; place--) {
    const header = headers[place];
    if (!header || isPrompt(header)) return undefined;
    const plan = header.isGone ? undefined : planIn(header, headers, place);
    if (plan)
      return plan.total === 0
        ? undefined
        : { messageId: header.messageId, index: plan.index, done: plan.done, total: plan.total, current: plan.label };
  }
  return undefined;
}

function planIn({ tools }: MessageHeader, headers: readonly MessageHeader[], place: number): CallMark | undefined {
  // Reading the marks of every message of a long turn would take too long.
  if (tools?.includes('"plan"') !== true) return undefined;
  return readToolMarks(tools).findLast(
    (mark): mark is CallMark => mark.type === 'call' && mark.kind === 'plan' && !hasFailed(mark, headers, place),
  );
}

function hasFailed({ callId }: CallMark, headers: readonly MessageHeader[], place: number): boolean {
  if (callId === undefined) return false;
  for (let at = place; at < headers.length; at++) {
    const { tools = '', errorCount = 0 } = headers[at] ?? {};
    if (errorCount === 0 || !tools.includes(JSON.stringify(callId))) continue;
    if (readToolMarks(tools).some((mark) => mark.type === 'result' && mark.callId === callId && mark.isFailed))
      return true;
  }
  return false;
}
