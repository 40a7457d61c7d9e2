import { plainLine } from '../../shared/text.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';
import { decides } from '../tools/outcome.ts';
import { type CallMark, maxLabelLength, readToolMarks, type ResultMark, type ToolMark } from '../tools/toolMarks.ts';

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
  /** The files of a call that edits an opened file have its path, and a call that continues another has its kind and label. */
  readonly mark: CallMark;
  /** The call that this one continues, if it is among these calls. */
  readonly origin?: PairedCall;
  readonly outcome: CallOutcome;
  /** The line of a failed result that tells most; empty otherwise. */
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
  const started = new StartedCalls();
  for (const header of headers) {
    if (isPrompt(header)) early.clear();
    for (const mark of marks.of(header)) {
      const { callId } = mark;
      if (mark.type === 'call') {
        const result = callId === undefined ? undefined : early.get(callId);
        if (result) strays.delete(result);
        if (callId !== undefined && !early.delete(callId)) open.set(callId, calls.length);
        const place = calls.length;
        const call = started.placed({ header, mark }, calls);
        calls.push({ ...call, ...outcomeOf(result, call.mark) });
        if (result) started.note(result.mark, call.mark, place);
        continue;
      }
      const at = callId === undefined ? undefined : open.get(callId);
      const call = at === undefined ? undefined : calls[at];
      if (call && at !== undefined && callId !== undefined) {
        open.delete(callId);
        calls[at] = { ...call, ...outcomeOf({ header, mark }, call.mark) };
        started.note(mark, call.mark, at);
        continue;
      }
      const stray = { header, mark };
      if (callId !== undefined) early.set(callId, stray);
      strays.add(stray);
    }
  }
  return { calls: calls.filter((call) => call !== undefined), strays: [...strays].map(withoutCall) };
}

/** A result without a call. Only forms that can't be content count, because it isn't known what the call did. */
function withoutCall({ header, mark }: PlacedResult): PlacedResult {
  const isFailed = mark.isFailed && decides(mark.form ?? 'tool', 'result');
  return { header, mark: isFailed ? mark : { ...mark, isFailed: false, label: '' } };
}

/** What earlier calls started and opened, by which later calls are understood. */
class StartedCalls {
  readonly #places = new Map<string, number>();
  #openPath = '';

  /** Notes the IDs that a result names. `place` is the index of its call. A call that continues another starts nothing. */
  note({ handles = [] }: ResultMark, { followUp }: CallMark, place: number): void {
    if (!followUp) for (const handle of handles) this.#places.set(handle, place);
  }

  /** A call with what it takes from `earlier` calls. */
  placed(
    { header, mark }: Pick<PairedCall, 'header' | 'mark'>,
    earlier: readonly (PairedCall | undefined)[],
  ): Pick<PairedCall, 'header' | 'mark' | 'origin'> {
    if (mark.opens !== undefined) this.#openPath = mark.opens;
    if (mark.files.some(({ path }) => path === '')) return { header, mark: this.#inOpenFile(mark) };
    const origins = (mark.followUp?.handles ?? []).flatMap((handle) => {
      const place = this.#places.get(handle);
      return place === undefined ? [] : (earlier[place] ?? []);
    });
    const [origin] = origins;
    if (!origin) return { header, mark };
    const label = plainLine(origins.map((each) => each.mark.label).join(', '), maxLabelLength);
    return { header, mark: { ...mark, kind: origin.mark.kind, label }, origin };
  }

  #inOpenFile(mark: CallMark): CallMark {
    const path = this.#openPath;
    if (path === '') return { ...mark, files: [] };
    return { ...mark, label: plainLine(path, maxLabelLength), files: mark.files.map((file) => ({ ...file, path })) };
  }
}

function outcomeOf(
  result: PlacedResult | undefined,
  { kind, leastForm }: CallMark,
): Pick<PairedCall, 'outcome' | 'failure' | 'result'> {
  if (!result) return { outcome: 'unanswered', failure: '' };
  const { isFailed, form = 'tool', label } = result.mark;
  return isFailed && decides(form, kind, leastForm)
    ? { outcome: 'failed', failure: label, result }
    : { outcome: 'done', failure: '', result };
}
