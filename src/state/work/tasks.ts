import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';
import type { PlanItem, TaskChange } from '../tools/toolCall.ts';
import { MarkReader, pairCalls, type PairedCall, type PlacedResult } from './calls.ts';

/** The maximum distance between a call and its result, in messages with tools. */
const maxDistance = 12;

/**
 * The to-do list that results from the calls in these messages, which change it item by item. Failed and rejected calls
 * don't count. When all items are done, the agent can begin a new list, whose items are numbered from 1 again.
 * Undefined if the call that created an item isn't loaded, because the number of items isn't known then. Reads only
 * messages with such calls, and the next {@link maxDistance} messages with tools, which can contain their results.
 */
export function sumOfTasks(headers: readonly MessageHeader[]): readonly PlanItem[] | undefined {
  const list = new TaskList();
  for (const call of taskCalls(headers)) {
    if (call.mark.task && call.outcome !== 'failed' && call.outcome !== 'rejected')
      list.change(call.mark.task, call.result);
  }
  return list.items;
}

class TaskList {
  readonly #items = new Map<number, PlanItem>();
  /** The numbers of all items that were created, including those that were removed. */
  readonly #created = new Set<number>();
  /** The numbers of items that were changed without having been created. */
  readonly #unknown = new Set<number>();
  #last = 0;

  get items(): readonly PlanItem[] | undefined {
    const isKnown = this.#unknown.size === 0 && this.#created.size === this.#last;
    return isKnown ? [...this.#items.values()] : undefined;
  }

  change({ id, text, state }: TaskChange, result: PlacedResult | undefined): void {
    if (text === undefined && state === undefined) return;
    if (id === undefined) this.#create(text ?? '', result);
    else this.#update(numberOf(id), text, state);
  }

  #create(text: string, result: PlacedResult | undefined): void {
    const named = result?.mark.handles?.find((handle) => handle.startsWith('#'));
    // Until a result names the number, it is the one after the last.
    const number = named === undefined ? this.#last + 1 : numberOf(named);
    if (number <= this.#last && (this.#created.has(number) || this.#isDone())) this.#clear();
    this.#last = Math.max(this.#last, number);
    this.#created.add(number);
    this.#items.set(number, { text, state: 'open' });
  }

  #update(number: number, text: string | undefined, state: TaskChange['state']): void {
    const known = this.#items.get(number);
    if (state === 'removed') this.#items.delete(number);
    else if (known) this.#items.set(number, { text: text ?? known.text, state: state ?? known.state });
    if (!this.#created.has(number)) this.#unknown.add(number);
  }

  #isDone(): boolean {
    return [...this.#items.values()].every(({ state }) => state === 'done');
  }

  #clear(): void {
    this.#last = 0;
    this.#items.clear();
    this.#created.clear();
    this.#unknown.clear();
  }
}

/** The number in an ID such as `#3`. */
function numberOf(id: string): number {
  return Number(id.slice(1));
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
