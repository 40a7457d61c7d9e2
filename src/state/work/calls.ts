import { defined } from '../../shared/defined.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { plainLine } from '../../shared/text.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';
import { decides } from '../tools/outcome.ts';
import { type CallMark, maxLabelLength, readToolMarks, type ResultMark, type ToolMark } from '../tools/toolMarks.ts';

/**
 * What is known about the result of a tool call. A call is `rejected` if the person, or a policy, didn't let its tool
 * run. It is `unanswered` while its tool is running, and permanently if the result never arrived or isn't loaded.
 */
type CallOutcome = 'done' | 'failed' | 'rejected' | 'unanswered';

/** The result of a tool call, and the message that contains it. */
export interface PlacedResult {
  readonly header: MessageHeader;
  readonly mark: ResultMark;
}

/** A tool call with its result. */
export interface PairedCall {
  /** The message that contains the call. */
  readonly header: MessageHeader;
  /**
   * The call, completed from earlier calls: a call that edits an opened file has its path, a call that continues others
   * has the kind of the first one and the labels of all, and a call that changes an item of the to-do list has the text
   * of the item as its label.
   */
  readonly mark: CallMark;
  /** The call that this one continues, if both were paired together. If it continues several calls, the first one. */
  readonly origin?: PairedCall;
  readonly outcome: CallOutcome;
  /**
   * The most informative line of a failed result, or what the person said when they rejected the call; empty for other
   * calls, or if there is no such line.
   */
  readonly failure: string;
  readonly result?: PlacedResult;
}

/** Reads the tool marks of each header only once. The marks stay in memory as long as the reader and the header do. */
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
 * are results without a call, are in the order of the messages. With `earlier`, calls can also continue calls before
 * these messages.
 */
export function pairCalls(...given: Parameters<typeof pairingCalls>): PairedCalls {
  return withoutPause(pairingCalls(...given));
}

/** Tool calls, and results without a call; see {@link pairCalls}. */
export interface PairedCalls {
  readonly calls: readonly PairedCall[];
  readonly strays: readonly PlacedResult[];
}

/** The maximum number of messages after a turn in which {@link lateResults} looks for results. */
export const maxLateDistance = 20;

/**
 * The messages from index `end`, which is where a turn ends, that can contain results of its calls: tool results that
 * follow the user's next prompt, or that the prompt itself contains, because the user wrote while a tool was running.
 * They end before the agent's next message.
 */
export function lateResults(headers: readonly MessageHeader[], end: number): readonly MessageHeader[] {
  const following = headers.slice(end, end + maxLateDistance);
  const next = following.findIndex(isOfAgent);
  return (next < 0 ? following : following.slice(0, next)).filter(({ toolCount }) => toolCount > 0);
}

/** Whether the agent wrote a message, as far as is known. Tool results can also have the role of the user. */
export function isOfAgent({ role }: MessageHeader): boolean {
  return role !== 'user' && role !== 'tool';
}

/** The number of messages that are read without a pause. */
const headersPerPause = 50;

/** Like {@link pairCalls}, but with pauses for `inSlices`. */
export function* pairingCalls(
  headers: readonly MessageHeader[],
  marks: MarkReader,
  earlier?: EarlierCalls,
): PausableWork<PairedCalls> {
  const calls: (PairedCall | undefined)[] = [];
  const open = new Map<string, number>();
  const early = new Map<string, PlacedResult>();
  const strays = new Set<PlacedResult>();
  const started = new StartedCalls(earlier);
  for (const [index, header] of headers.entries()) {
    if (index % headersPerPause === headersPerPause - 1) yield;
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

/**
 * A result without a call. It counts as failed only if the form of its failure can't be content, because it isn't known
 * what the call did.
 */
function withoutCall({ header, mark }: PlacedResult): PlacedResult {
  const isFailed = mark.isFailed && decides(mark.form ?? 'tool', 'result');
  return { header, mark: isFailed ? mark : { ...mark, isFailed: false, label: '' } };
}

/** The maximum number of messages whose marks {@link EarlierCalls} reads. */
const maxEarlierReads = 200;
/** The maximum number of results whose calls {@link EarlierCalls} looks for at the same time. */
const maxAwaited = 10;

/**
 * The calls before a turn, which a call of the turn can continue. Each message is searched once, from the last one, and
 * only as far as needed.
 */
export class EarlierCalls {
  readonly #headers: readonly MessageHeader[];
  readonly #marks: MarkReader;
  /** The calls that were found, by the IDs that their results name. */
  readonly #found = new Map<string, CallMark>();
  /** The IDs with which later calls refer to what a call started, by the ID of that call, until the call is found. */
  readonly #awaited = new Map<string, readonly string[]>();
  /** The index of the message that was searched last. The search runs backward. */
  #at: number;
  #reads = 0;

  /** @param headers the messages before the turn. */
  constructor(headers: readonly MessageHeader[], marks: MarkReader) {
    this.#headers = headers;
    this.#marks = marks;
    this.#at = headers.length;
  }

  /**
   * The last call whose result names this ID. Undefined if it isn't found in the last {@link maxEarlierReads} messages
   * that may contain it.
   */
  startOf(handle: string): CallMark | undefined {
    while (!this.#found.has(handle) && this.#at > 0 && this.#reads < maxEarlierReads) {
      this.#at -= 1;
      const header = this.#headers[this.#at];
      if (header && this.#isRelevant(header)) this.#read(header);
    }
    return this.#found.get(handle);
  }

  /**
   * Whether the last call with this ID has no result before the turn, so a result at the beginning of the turn can
   * belong to it.
   */
  awaits(callId: string): boolean {
    const text = JSON.stringify(callId);
    for (const header of this.#headers.toReversed()) {
      if (header.tools?.includes(text) !== true) continue;
      const mark = this.#marks.of(header).findLast((each) => each.callId === callId);
      if (mark) return mark.type === 'call';
    }
    return false;
  }

  /**
   * Whether a message may contain a wanted call or result. Reading marks takes much longer than searching their text.
   */
  #isRelevant({ tools }: MessageHeader): boolean {
    if (tools === undefined) return false;
    return tools.includes('"handles"') || [...this.#awaited.keys()].some((id) => tools.includes(JSON.stringify(id)));
  }

  #read(header: MessageHeader): void {
    this.#reads += 1;
    for (const mark of this.#marks.of(header).toReversed()) {
      const { callId } = mark;
      if (callId === undefined) continue;
      if (mark.type === 'result') {
        if (mark.handles && this.#awaited.size < maxAwaited) this.#awaited.set(callId, mark.handles);
        continue;
      }
      const handles = this.#awaited.get(callId) ?? [];
      this.#awaited.delete(callId);
      // A call that continues another one starts nothing.
      if (mark.followUp !== undefined) continue;
      for (const handle of handles) if (!this.#found.has(handle)) this.#found.set(handle, mark);
    }
  }
}

/** What earlier calls started and opened, to which later calls can refer. */
class StartedCalls {
  readonly #places = new Map<string, number>();
  readonly #earlier: EarlierCalls | undefined;
  #openPath = '';

  constructor(earlier: EarlierCalls | undefined) {
    this.#earlier = earlier;
  }

  /**
   * Notes the IDs that a result names. `place` is the index of its call. A call that continues another one starts
   * nothing.
   */
  note({ handles = [] }: ResultMark, { followUp }: CallMark, place: number): void {
    if (!followUp) for (const handle of handles) this.#places.set(handle, place);
  }

  /** Completes a call from `earlier` calls; see `mark` of {@link PairedCall}. */
  placed(
    { header, mark }: Pick<PairedCall, 'header' | 'mark'>,
    earlier: readonly (PairedCall | undefined)[],
  ): Pick<PairedCall, 'header' | 'mark' | 'origin'> {
    if (mark.opens !== undefined) this.#openPath = mark.opens;
    if (mark.files.some(({ path }) => path === '')) return { header, mark: this.#inOpenFile(mark) };
    if (mark.task) return { header, mark: this.#withItem(mark, earlier) };
    const handles = mark.followUp?.handles ?? [];
    const origins = handles.flatMap((handle) => earlier[this.#places.get(handle) ?? -1] ?? []);
    const marks = handles.flatMap(
      (handle) => earlier[this.#places.get(handle) ?? -1]?.mark ?? this.#earlier?.startOf(handle) ?? [],
    );
    const [origin] = origins;
    const [first] = marks;
    if (!first) return { header, mark };
    const label = plainLine(marks.map((each) => each.label).join(', '), maxLabelLength);
    return { header, mark: { ...mark, kind: first.kind, label }, ...defined({ origin }) };
  }

  /** Labels a change of an item of the to-do list with the text with which the item was created. */
  #withItem(mark: CallMark, earlier: readonly (PairedCall | undefined)[]): CallMark {
    const { id, text } = mark.task ?? {};
    if (id === undefined || text !== undefined) return mark;
    const creation = earlier[this.#places.get(id) ?? -1]?.mark ?? this.#earlier?.startOf(id);
    return creation ? { ...mark, label: creation.label } : mark;
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
  if (!isFailed || !decides(form, kind, leastForm)) return { outcome: 'done', failure: '', result };
  return { outcome: form === 'rejection' ? 'rejected' : 'failed', failure: label, result };
}
