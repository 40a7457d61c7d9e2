import { defined } from '../../shared/defined.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { StepKind } from '../../shared/protocol/vocabulary.ts';
import { turnAround, type TurnState } from '../store/turns.ts';
import { type CallMark, type FileMark, readToolMarks } from '../tools/toolMarks.ts';
import {
  EarlierCalls,
  lateResults,
  MarkReader,
  maxLateDistance,
  type PairedCall,
  type PairedCalls,
  pairCalls,
  type PlacedResult,
} from '../work/calls.ts';
import { type AgentChanges, turnChanges } from '../work/changes.ts';
import { type AgentError, errorsAmong } from '../work/agentErrors.ts';

/**
 * `rejected`: the person, or a policy, didn't let the tool run. `unanswered`: the turn ended without a result. A
 * question is done if the user's next message follows.
 */
type StepState = 'running' | 'done' | 'failed' | 'rejected' | 'unanswered';

/** One step of the agent's work: a tool call with its result, a thought, or a result whose call isn't listed. */
export interface Step {
  /** The ID of the message that contains the call, the thought, or the result. */
  readonly messageId: string;
  /** The position of the call, or of the result, in its message; -1 for a thought. */
  readonly index: number;
  readonly kind: StepKind;
  /** See {@link CallMark}; for a thought, its first line. */
  readonly label: string;
  readonly files: readonly FileMark[];
  readonly done: number;
  readonly total: number;
  /** For `plan`: the item that the call changes; see {@link CallMark}. */
  readonly task?: CallMark['task'];
  /** For `plan`: see {@link CallMark}. */
  readonly isPartial?: CallMark['isPartial'];
  /** What the call does with a command or an agent that an earlier one started. */
  readonly followUp?: CallMark['followUp'];
  readonly state: StepState;
  /** See {@link PairedCall}. */
  readonly failure: string;
  /** Unix ms. */
  readonly startedAt: number;
  /** When the message with the result or the thought was created, Unix ms; undefined for a call without a result. */
  readonly endedAt: number | undefined;
  /**
   * The ID and `updatedAt` of the message with the result, and the position of the result there; undefined without a
   * result.
   */
  readonly result: { readonly messageId: string; readonly updatedAt: number; readonly index: number } | undefined;
}

/** The maximum number of messages before a turn that are searched for calls that the turn continues. */
const maxBefore = 2_000;

/** The messages around a turn that its steps can depend on. */
interface TurnSurroundings {
  /** The last messages before the turn. They can contain calls that it continues, or whose results it contains. */
  readonly before: readonly MessageHeader[];
  /** See {@link lateResults}. */
  readonly after: readonly MessageHeader[];
  /**
   * Whether late results can still arrive: the agent is running, and it has neither written nor been idle since the
   * turn ended.
   */
  readonly isAwaited: boolean;
}

/** The last messages before the turn that begins at an index. */
export function messagesBefore(headers: readonly MessageHeader[], start: number): readonly MessageHeader[] {
  return headers.slice(Math.max(0, start - maxBefore), start);
}

/** The steps of a turn. They are read on demand, because few turns of a long conversation show them. */
export class TurnSteps {
  readonly #headers: readonly MessageHeader[];
  readonly #state: TurnState;
  readonly #after: readonly MessageHeader[];
  readonly #isAwaited: boolean;
  readonly #marks = new MarkReader();
  readonly #earlier: EarlierCalls;
  #pairs: PairedCalls | undefined;
  #steps: ReadonlyMap<string, readonly Step[]> | undefined;
  #changes: AgentChanges | undefined;
  #errors: readonly AgentError[] | undefined;

  /**
   * @param headers the messages of the turn.
   * @param state how far the turn has progressed.
   */
  constructor(headers: readonly MessageHeader[], state: TurnState, around: Partial<TurnSurroundings> = {}) {
    this.#headers = headers;
    this.#state = state;
    this.#after = around.after ?? [];
    this.#isAwaited = around.isAwaited ?? false;
    this.#earlier = new EarlierCalls(around.before ?? [], this.#marks);
  }

  /** The steps of a message. A result belongs to the step of its call. */
  of(messageId: string): readonly Step[] {
    return this.#read().get(messageId) ?? [];
  }

  /** All steps in order. */
  get all(): readonly Step[] {
    return [...this.#read().values()].flat();
  }

  /** The files that the agent changed in the turn. */
  get changes(): AgentChanges {
    return (this.#changes ??= turnChanges(this.#headers, this.#after, this.#marks));
  }

  /** The failed steps and the error messages of the turn. */
  get errors(): readonly AgentError[] {
    return (this.#errors ??= errorsAmong(this.#headers, this.#paired));
  }

  #read(): ReadonlyMap<string, readonly Step[]> {
    return (this.#steps ??= stepsOf(this.#headers, this.#paired, (kind) => this.#stateWithoutResult(kind)));
  }

  #stateWithoutResult(kind: StepKind): StepState {
    if (kind === 'question' && this.#state === 'replied') return 'done';
    return this.#state === 'running' || this.#isAwaited ? 'running' : 'unanswered';
  }

  /**
   * The calls of the turn, and its results without a call (strays). A call can have a result that came after the turn.
   */
  get #paired(): PairedCalls {
    if (this.#pairs) return this.#pairs;
    const { calls, strays } = pairCalls([...this.#headers, ...this.#after], this.#marks, this.#earlier);
    const others = new Set(this.#after);
    const first = new Set(lateResults(this.#headers, 0));
    const isOfEarlierCall = ({ header, mark: { callId } }: PlacedResult) =>
      callId !== undefined && first.has(header) && this.#earlier.awaits(callId);
    const own = strays.filter((stray) => !others.has(stray.header) && !isOfEarlierCall(stray));
    return (this.#pairs = { calls, strays: own });
  }
}

function stepsOf(
  headers: readonly MessageHeader[],
  { calls, strays }: PairedCalls,
  stateWithoutResult: (kind: StepKind) => StepState,
): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  const add = (step: Step) => steps.set(step.messageId, [...(steps.get(step.messageId) ?? []), step]);
  for (const header of headers) if (isThought(header)) add(thought(header));
  for (const call of calls) add(callStep(call, stateWithoutResult));
  for (const stray of strays) add(resultStep(stray));
  // In the order of the messages, and within a message in the order of its blocks.
  return new Map(
    headers.flatMap(({ messageId }) => {
      const own = steps.get(messageId);
      return own ? [[messageId, own.sort((a, b) => a.index - b.index)] as const] : [];
    }),
  );
}

/** Whether a message has thinking, but no text that is shown with it. */
export function isThought({ hasThinking, hasText }: MessageHeader): boolean {
  return hasThinking && !hasText;
}

const noCall = { files: [], done: 0, total: 0 } as const;

function thought({ messageId, firstLine, createdAt }: MessageHeader): Step {
  const times = { startedAt: createdAt, endedAt: createdAt, result: undefined };
  return { ...noCall, messageId, index: -1, kind: 'thinking', label: firstLine, state: 'done', failure: '', ...times };
}

function callStep(
  { header, mark, outcome, failure, result }: PairedCall,
  stateWithoutResult: (kind: StepKind) => StepState,
): Step {
  const { index, kind, label, files, done, total, task, isPartial, followUp } = mark;
  return {
    ...defined({ task, isPartial, followUp }),
    ...{ messageId: header.messageId, index, kind, label, files, done, total, failure },
    state: outcome === 'unanswered' ? stateWithoutResult(kind) : outcome,
    startedAt: header.createdAt,
    endedAt: result?.header.createdAt,
    result: result && {
      messageId: result.header.messageId,
      updatedAt: result.header.updatedAt,
      index: result.mark.index,
    },
  };
}

function resultStep({ header, mark }: PlacedResult): Step {
  const { messageId, createdAt, updatedAt } = header;
  const { index, isFailed, form, label } = mark;
  const times = { startedAt: createdAt, endedAt: createdAt, result: { messageId, updatedAt, index } };
  const state = !isFailed ? 'done' : form === 'rejection' ? 'rejected' : 'failed';
  return { ...noCall, messageId, index, kind: 'result', label: '', state, failure: label, ...times };
}

/**
 * The steps of one of the messages alone, with the results of its calls from the next messages. Fast, because it reads
 * only the marks of messages that may contain these results.
 */
export function stepsOfMessage(header: MessageHeader, headers: readonly MessageHeader[]): readonly Step[] {
  const ids = readToolMarks(header.tools).flatMap(({ type, callId }) =>
    type === 'call' && callId !== undefined ? JSON.stringify(callId) : [],
  );
  // The newest messages are asked for most often.
  const at = ids.length === 0 ? -1 : headers.lastIndexOf(header);
  const next = at < 0 ? [] : headers.slice(at + 1, at + 1 + maxLateDistance);
  const after = next.filter(({ tools }) => tools !== undefined && ids.some((id) => tools.includes(id)));
  return new TurnSteps([header], 'ended', { after }).all;
}

/** Consecutive steps of a turn. */
export type StepRun = Pick<TurnSteps, 'all'>;

/** The part of a run that one row shows. */
export interface StepsPart {
  /** Identifies the run when the user expands or collapses it. */
  readonly runKey: string;
  /** The number of the part; 0 is the first. */
  readonly part: number;
  /** The run to summarize; undefined if this row has no summary. */
  readonly summarized: StepRun | undefined;
  readonly isOpen: boolean;
  /** The steps that the row shows. */
  readonly steps: readonly Step[];
  /** The message of the run's first step. */
  readonly messageId: string;
  /** The creation time of that message, Unix ms. */
  readonly createdAt: number;
}

/** Whether a step only reads the agent's to-do list. */
export function readsPlan({ task }: Step): boolean {
  return task !== undefined && task.id === undefined && task.text === undefined;
}

/** Counts of what steps did, for a summary in one sentence. */
export interface StepCounts {
  /**
   * The number of steps of each kind. For `write`, `read`, `list`, and `fetch`, the number of different files, folders,
   * or pages. For `plan`, the number of changes.
   */
  readonly byKind: ReadonlyMap<StepKind, number>;
  /**
   * The number of agents that earlier steps started and that these steps only continue; 0 if these steps start an
   * agent.
   */
  readonly continuedAgentCount: number;
  /** The number of failed steps, including changes of files. */
  readonly failedCount: number;
  readonly failedWriteCount: number;
  /** The number of rejected steps. They don't count in `byKind`, because their tools didn't run. */
  readonly rejectedCount: number;
  readonly isRunning: boolean;
  /** From the first call to the last result, in ms; undefined while a step is running, or if there are no steps. */
  readonly tookMs: number | undefined;
}

/** The step that a summary shows instead of numbers: the only one, or the first that isn't a thought. */
export function mainStep(steps: readonly Step[]): Step | undefined {
  return steps.length === 1 ? steps[0] : steps.find(({ kind }) => kind !== 'thinking');
}

/** Counts steps. A change of files counts as a change only when it is done. */
export function countSteps(steps: readonly Step[]): StepCounts {
  const byKind = new Map<StepKind, number>();
  const objects = new Map<StepKind, Set<string>>();
  const continued = new Map<StepKind, Set<string>>();
  let [failedCount, failedWriteCount, rejectedCount] = [0, 0, 0];
  let [isRunning, startedAt, endedAt] = [false, Number.POSITIVE_INFINITY, 0];
  for (const step of steps) {
    const { kind, label, followUp } = step;
    if (step.state === 'failed') failedCount += 1;
    if (step.state === 'failed' && kind === 'write') failedWriteCount += 1;
    if (step.state === 'running') isRunning = true;
    startedAt = Math.min(startedAt, step.startedAt);
    endedAt = Math.max(endedAt, step.endedAt ?? step.startedAt);
    // Follow-ups don't count as further commands, however often the agent looked at one.
    if (step.state === 'rejected') rejectedCount += 1;
    else if (followUp) addTo(continued, kind, followUp.handles.length > 0 ? followUp.handles : [label]);
    else if (kind === 'write') addTo(objects, kind, step.state === 'done' ? step.files.map(({ path }) => path) : []);
    else if (kind === 'read' || kind === 'list' || kind === 'fetch') addTo(objects, kind, namesIn(step));
    else if (!readsPlan(step)) byKind.set(kind, (byKind.get(kind) ?? 0) + 1);
  }
  for (const [kind, { size }] of objects) if (size > 0) byKind.set(kind, size);
  const agents = byKind.has('agent') ? undefined : continued.get('agent');
  continued.delete('agent');
  for (const kind of continued.keys()) if (!byKind.has(kind)) byKind.set(kind, 1);
  return {
    ...{ byKind, continuedAgentCount: agents?.size ?? 0, failedCount, failedWriteCount, rejectedCount },
    isRunning,
    tookMs: isRunning || steps.length === 0 ? undefined : endedAt - startedAt,
  };
}

/** The names in the label of a step. A truncated label counts as a single name, which no other step has. */
function namesIn({ label, messageId, index }: Step): readonly string[] {
  return label.endsWith('…') ? [`${messageId} ${index}`] : label.split(', ');
}

function addTo(sets: Map<StepKind, Set<string>>, kind: StepKind, texts: readonly string[]): void {
  const known = sets.get(kind) ?? new Set();
  sets.set(kind, known);
  for (const text of texts) known.add(text);
}

/** The steps of the turn that contains a message; undefined if the message isn't loaded. */
export function stepsAround(headers: readonly MessageHeader[], messageId: string): TurnSteps | undefined {
  const turn = turnAround(headers, messageId);
  if (!turn) return undefined;
  const { start, end } = turn;
  const around = { before: messagesBefore(headers, start), after: lateResults(headers, end) };
  return new TurnSteps(headers.slice(start, end), end < headers.length ? 'replied' : 'ended', around);
}

/**
 * Finds a step by its message and the position of its call there; undefined if the message isn't loaded or has no such
 * step. The last turn counts as ended, so none of its steps is `running`.
 */
export function findStep(headers: readonly MessageHeader[], messageId: string, index: number): Step | undefined {
  return stepsAround(headers, messageId)
    ?.of(messageId)
    .find((step) => step.index === index);
}
