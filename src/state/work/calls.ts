import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../conversation/turns.ts';
import { type CallMark, readToolMarks, type ResultMark, type ToolMark } from '../tools/toolMarks.ts';

/**
 * What is known about the result of a tool call. A call is `unanswered` while its tool runs, and for good if the result
 * never arrived or isn't loaded.
 */
type CallOutcome = 'done' | 'failed' | 'unanswered';

/** A tool call with its result. */
export interface PairedCall {
  /** The message that contains the call. */
  readonly header: MessageHeader;
  readonly mark: CallMark;
  readonly outcome: CallOutcome;
  /** The first line of a failed result; empty otherwise. */
  readonly failure: string;
}

/** A failed result without its call, for example because the call isn't loaded. */
interface StrayFailure {
  readonly header: MessageHeader;
  readonly mark: ResultMark;
}

/** Reads the tool marks of headers, each of them only once. They stay in memory as long as the reader and the header. */
export class MarkReader {
  readonly #marks = new WeakMap<MessageHeader, readonly ToolMark[]>();

  of(header: MessageHeader): readonly ToolMark[] {
    if (header.tools === undefined) return [];
    const marks = this.#marks.get(header) ?? readToolMarks(header.tools);
    this.#marks.set(header, marks);
    return marks;
  }
}

/**
 * Pairs the tool calls of messages with their results by call ID, across messages. A result belongs to the last call
 * with its ID that has no result yet, because some services count IDs from the start in each turn. If the messages are
 * out of order, a result can also come before its call, but not before the prompt of the turn. Calls are in the order
 * of the messages.
 */
export function pairCalls(
  headers: readonly MessageHeader[],
  marks: MarkReader,
): { readonly calls: readonly PairedCall[]; readonly strays: readonly StrayFailure[] } {
  const calls: (PairedCall | undefined)[] = [];
  const open = new Map<string, number>();
  const early = new Map<string, StrayFailure>();
  const strays = new Set<StrayFailure>();
  for (const header of headers) {
    if (isPrompt(header)) early.clear();
    for (const mark of marks.of(header)) {
      const { callId } = mark;
      if (mark.type === 'call') {
        const result = callId === undefined ? undefined : early.get(callId);
        if (result) strays.delete(result);
        if (callId !== undefined && !early.delete(callId)) open.set(callId, calls.length);
        calls.push({ header, mark, ...outcomeOf(result?.mark) });
        continue;
      }
      const at = callId === undefined ? undefined : open.get(callId);
      const call = at === undefined ? undefined : calls[at];
      if (call && at !== undefined && callId !== undefined) {
        open.delete(callId);
        calls[at] = { ...call, ...outcomeOf(mark) };
        continue;
      }
      const stray = { header, mark };
      if (callId !== undefined) early.set(callId, stray);
      if (mark.isFailed) strays.add(stray);
    }
  }
  return { calls: calls.filter((call) => call !== undefined), strays: [...strays] };
}

function outcomeOf(result: ResultMark | undefined): Pick<PairedCall, 'outcome' | 'failure'> {
  if (!result) return { outcome: 'unanswered', failure: '' };
  return result.isFailed ? { outcome: 'failed', failure: result.label } : { outcome: 'done', failure: '' };
}
