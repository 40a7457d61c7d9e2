import type { ConversationRow } from './row.ts';
import type { Step } from './turnSteps.ts';

/** A row with steps. */
interface StepsPlace {
  readonly key: string;
  /** The run that the row is a part of; see `StepsPart` in turnSteps.ts. */
  readonly runKey: string;
  /** The wanted steps that the row shows; empty if the row is the summary of a collapsed run that contains them. */
  readonly steps: readonly Step[];
}

/**
 * The row that shows wanted steps or, if they are hidden, the row that has to be expanded first. Undefined if no row
 * contains them.
 */
export function findSteps(rows: readonly ConversationRow[], isWanted: (step: Step) => boolean): StepsPlace | undefined {
  let collapsed: StepsPlace | undefined;
  for (const { key, source } of rows) {
    if (!('steps' in source)) continue;
    const { runKey, isOpen, summarized } = source.steps;
    const steps = source.steps.steps.filter(isWanted);
    if (steps.length > 0) return { key, runKey, steps };
    if (!isOpen && summarized?.all.some(isWanted)) collapsed ??= { key, runKey, steps: [] };
  }
  return collapsed;
}
