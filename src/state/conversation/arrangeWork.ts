import type { MessageHeader } from '../store/messageHeader.ts';
import { asksUser } from './asked.ts';
import type { RowsView } from './row.ts';
import { isThought, type Step, type StepsPart, type TurnSteps } from './turnSteps.ts';
import { isPrompt, mayBeAnswer, type Turns } from '../store/turns.ts';

/** A run with fewer steps is shown without a summary. */
const minSummarySteps = 5;
/** Like {@link minSummarySteps}, but in an ended turn that the user expanded, which has a summary itself. */
const minNestedSummarySteps = 41;
/** The number of newest steps that a collapsed run shows while a person follows the turn. */
const tailSteps = 3;
/** The maximum number of failed steps that a collapsed run shows. */
const maxShownFailures = 5;
/** The maximum number of steps in one row, so that a long run is drawn in parts. */
const stepsPerRow = 40;

/** A message; with `isTextOnly`, without its tool calls and results, which are steps. */
export interface WorkMessage {
  readonly header: MessageHeader;
  readonly isTextOnly: boolean;
}

/** What one row of a turn shows. */
export type WorkItem = WorkMessage | StepsPart;

/** Whether a message consists only of steps, so it has no row of its own. A question isn't shown as a step. */
export function isStepsOnly(header: MessageHeader): boolean {
  return !asksUser(header) && (isThought(header) || (header.toolCount > 0 && !header.hasText));
}

/**
 * The steps of a message, without its questions. If a message asks the user something, its row shows its thinking, so
 * the thinking is left out, too.
 */
function workOf(header: MessageHeader, steps: TurnSteps): readonly Step[] {
  const all = steps.of(header.messageId);
  return asksUser(header) ? all.filter(({ kind }) => kind !== 'question' && kind !== 'thinking') : all;
}

/**
 * Arranges the shown messages of a turn with their steps. `isFollowed` is false for a turn that was over when the
 * conversation was opened: until the user expands it, such a turn is collapsed to its prompt, one line of work, and
 * what stays visible, such as its answer.
 */
export function arrangeWork(
  shown: readonly MessageHeader[],
  steps: TurnSteps,
  turns: Turns,
  isFollowed: boolean,
  view: RowsView,
): readonly WorkItem[] {
  const first = shown.find((header) => !isPrompt(header) && header.toolCount > 0 && workOf(header, steps).length > 0);
  if (isFollowed || !first) return withRuns(shown, steps, isFollowed, view);
  const runKey = `turn ${first.messageId}`;
  const isOpen = view.openRuns.has(runKey);
  const { messageId, createdAt } = first;
  const summary: StepsPart = { runKey, part: 0, summarized: steps, isOpen, steps: [], messageId, createdAt };
  const prompts = shown.filter(isPrompt).map((header) => ({ header, isTextOnly: false }));
  const others = shown.filter((header) => !isPrompt(header));
  if (isOpen) return [...prompts, summary, ...withRuns(others, steps, isFollowed, view)];
  const kept = others.filter((header) => isKept(header, turns, view));
  return [
    ...prompts,
    summary,
    ...kept.map((header) => ({ header, isTextOnly: !view.openedIds.has(header.messageId) })),
  ];
}

/** Whether a message stays visible when its turn is collapsed. */
function isKept(header: MessageHeader, { answerIds }: Turns, { openedIds }: RowsView): boolean {
  const { messageId, isError, errorCount } = header;
  if (answerIds.has(messageId) || openedIds.has(messageId)) return true;
  if (mayBeAnswer(header) || asksUser(header)) return true;
  return isError && errorCount === 0;
}

function withRuns(
  shown: readonly MessageHeader[],
  steps: TurnSteps,
  isFollowed: boolean,
  view: RowsView,
): readonly WorkItem[] {
  const items: WorkItem[] = [];
  let run: Step[] = [];
  const endRun = () => {
    if (run.length > 0) for (const part of partsOf(run, isFollowed, view)) items.push(part);
    run = [];
  };
  for (const header of shown) {
    const isWhole = view.openedIds.has(header.messageId);
    if (isWhole || !isStepsOnly(header)) {
      endRun();
      items.push({ header, isTextOnly: !isWhole });
    }
    if (!isWhole) for (const step of workOf(header, steps)) run.push(step);
  }
  endRun();
  return items;
}

function partsOf(run: readonly Step[], isFollowed: boolean, { openRuns }: RowsView): readonly StepsPart[] {
  const { messageId = '', index = 0, startedAt = 0 } = run[0] ?? {};
  const runKey = `${messageId}.${index}`;
  const isSummarized = run.length >= (isFollowed ? minSummarySteps : minNestedSummarySteps);
  const isOpen = !isSummarized || openRuns.has(runKey);
  const steps = isOpen ? run : collapsed(run, isFollowed);
  const rows: StepsPart[] = [];
  for (let start = 0; start === 0 || start < steps.length; start += stepsPerRow) {
    rows.push({
      runKey,
      part: rows.length,
      summarized: isSummarized && start === 0 ? { all: run } : undefined,
      isOpen,
      steps: steps.slice(start, start + stepsPerRow),
      messageId,
      createdAt: startedAt,
    });
  }
  return rows;
}

/** The steps that stay visible in a collapsed run: failed ones and, while a person follows the turn, the newest. */
function collapsed(run: readonly Step[], isFollowed: boolean): readonly Step[] {
  const tail = new Set(isFollowed ? run.slice(-tailSteps) : []);
  const failed = new Set(run.filter(({ state }) => state === 'failed').slice(-maxShownFailures));
  return run.filter((step) => tail.has(step) || failed.has(step));
}
