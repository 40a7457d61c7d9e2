import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';
import { type CallMark, readToolMarks, type ResultMark, type ToolMark } from '../tools/toolMarks.ts';

/**
 * What is known about the result of a tool call. A call is `unanswered` while its tool runs, and for good if the result
 * never arrived or isn't loaded.
 */
type CallOutcome = 'done' | 'failed' | 'unanswered';

/** The result of a tool call, and the message that contains it. */
export interface PlacedResult {
  readonly header: MessageHeader;
  readonly mark: ResultMark;
}

/** A tool call with its result. */
export interface PairedCall {
  /** The message that contains the call. */
  readonly header: MessageHeader;
  readonly mark: CallMark;
  readonly outcome: CallOutcome;
  /** The first line of a failed result; empty otherwise. */
  readonly failure: string;
  readonly result?: PlacedResult;
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
 * out of order, a result can also come before its call, but not before the prompt of the turn. Calls, and strays, which
 * are results without a call, are in the order of the messages.
 */
export function pairCalls(
  headers: readonly MessageHeader[],
  marks: MarkReader,
): { readonly calls: readonly PairedCall[]; readonly strays: readonly PlacedResult[] } {
  const calls: (PairedCall | undefined)[] = [];
  const open = new Map<string, number>();
  const early = new Map<string, PlacedResult>();
  const strays = new Set<PlacedResult>();
  for (const header of headers) {
    if (isPrompt(header)) early.clear();
    for (const mark of marks.of(header)) {
      const { callId } = mark;
      if (mark.type === 'call') {
        const result = callId === undefined ? undefined : early.get(callId);
        if (result) strays.delete(result);
        if (callId !== undefined && !early.delete(callId)) open.set(callId, calls.length);
        calls.push({ header, mark, ...outcomeOf(result) });
        continue;
      }
      const at = callId === undefined ? undefined : open.get(callId);
      const call = at === undefined ? undefined : calls[at];
      if (call && at !== undefined && callId !== undefined) {
        open.delete(callId);
        calls[at] = { ...call, ...outcomeOf({ header, mark }) };
        continue;
      }
      const stray = { header, mark };
      if (callId !== undefined) early.set(callId, stray);
      strays.add(stray);
    }
  }
  return { calls: calls.filter((call) => call !== undefined), strays: [...strays] };
}

function outcomeOf(result: PlacedResult | undefined): Pick<PairedCall, 'outcome' | 'failure' | 'result'> {
  if (!result) return { outcome: 'unanswered', failure: '' };
  const { isFailed, label } = result.mark;
  return isFailed ? { outcome: 'failed', failure: label, result } : { outcome: 'done', failure: '', result };
}
