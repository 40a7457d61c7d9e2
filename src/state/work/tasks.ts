import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';
import type { PlanItem } from '../tools/toolCall.ts';
import { MarkReader, pairCalls, type PairedCall } from './calls.ts';

/** The maximum distance between a call and its result, in messages with tools. */
const maxDistance = 12;

/**
 * The to-do list that the calls in these messages add up to, each of which changes one item. An item whose creation
 * isn't loaded has its ID as its text. Failed calls don't count. Reads only messages with such calls and their results.
 */
export function sumOfTasks(headers: readonly MessageHeader[]): readonly PlanItem[] {
  const tasks = new Map<string, PlanItem>();
  for (const call of taskCalls(headers)) {
    const { task } = call.mark;
    if (!task || call.outcome === 'failed') continue;
    const { id = createdId(call, tasks), text, state } = task;
    if (text === undefined && state === undefined) continue;
    if (state === 'removed') {
      tasks.delete(id);
      continue;
    }
    const known = tasks.get(id);
    tasks.set(id, { text: text ?? known?.text ?? id, state: state ?? known?.state ?? 'open' });
  }
  return [...tasks.values()];
}

/** The ID that the result names. Until it arrives, and if it names none, IDs count from 1. */
function createdId({ result }: PairedCall, tasks: ReadonlyMap<string, PlanItem>): string {
  const named = result?.mark.handles?.find((handle) => handle.startsWith('#'));
  if (named !== undefined) return named;
  const numbers = [...tasks.keys()].map((id) => Number(id.slice(1))).filter(Number.isSafeInteger);
  const last = numbers.reduce((most, number) => Math.max(most, number), 0);
  return `#${last + 1}`;
}

function taskCalls(headers: readonly MessageHeader[]): readonly PairedCall[] {
  const own: MessageHeader[] = [];
  let left = 0;
  for (const header of headers) {
    if (isPrompt(header)) left = 0;
    if (header.isGone || header.tools === undefined) continue;
    left = header.tools.includes('{"task":') ? maxDistance : left - 1;
    if (left >= 0) own.push(header);
  }
  return pairCalls(own, new MarkReader()).calls.filter(({ mark }) => mark.task !== undefined);
}
