import type { Message } from '../../api/resources/message.ts';
import type { PageHeader } from '../../shared/protocol/pageModel.ts';
import type { PagePlanItem } from '../../shared/protocol/rowTypes.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { currentPlan } from '../work/plan.ts';
import { recognizeCall } from '../tools/recognize.ts';
import type { PlanItem } from '../tools/toolCall.ts';

/** The maximum number of items shown. */
const maxItems = 200;

/** Describes the progress of the agent's to-do list in one line; undefined if there is none. */
export function describePlan(headers: readonly MessageHeader[], t: Translate): PageHeader['plan'] {
  const plan = currentPlan(headers);
  if (!plan) return undefined;
  const label = t('Plan: {0} of {1} done', plan.done, plan.total);
  const version = `${plan.messageId} ${plan.index} ${plan.updatedAt}`;
  return { label, current: plainLine(plan.current, 120), version };
}

/**
 * Describes the items of the to-do list that a call writes; empty for any other call. `index` is the position of the
 * call in the message.
 */
export function describePlanItems({ content }: Message, index: number, t: Translate): readonly PagePlanItem[] {
  const block = content[index];
  const call = block?.type === 'tool_use' ? recognizeCall(block.name, block.input) : undefined;
  return call?.kind === 'plan' ? describeItems(call.items, t) : [];
}

/** Describes the first items of a to-do list, at most {@link maxItems}. */
export function describeItems(items: readonly PlanItem[], t: Translate): readonly PagePlanItem[] {
  return items.slice(0, maxItems).map(({ text, state }) => {
    return { text: plainLine(text, 400), state, spoken: planStateLabel(state, t) };
  });
}

/** The state of an item of a to-do list in a word or two. */
export function planStateLabel(state: PlanItem['state'], t: Translate): string {
  switch (state) {
    case 'open':
      return t('to do');
    case 'current':
      return t('in progress');
    case 'done':
      return t('done');
  }
}
