import * as z from 'zod/mini';
import { linesOf } from '../../shared/text/lines.ts';
import { parseJson } from '../../shared/json.ts';
import { argumentsOf, type NamedCall } from './namedCall.ts';
import type { PlanItem, ToolCall } from './toolCall.ts';

const maxItems = 1_000;
const maxTextLength = 200_000;

const states: Readonly<Record<string, PlanItem['state'] | 'removed'>> = {
  ...{
    pending: 'open',
    open: 'open',
    todo: 'open',
    notstarted: 'open',
    queued: 'open',
    blocked: 'open',
    false: 'open',
  },
  ...{ inprogress: 'current', current: 'current', active: 'current', doing: 'current' },
  ...{ completed: 'done', complete: 'done', done: 'done', finished: 'done', true: 'done' },
  ...{ cancelled: 'removed', canceled: 'removed', deleted: 'removed' },
  // The marks of checklists.
  ...{ '': 'open', ' ': 'open', x: 'done', '✓': 'done', '✔': 'done', '-': 'current', '~': 'current', '>': 'current' },
};

const itemTextSchema = z.string().check(z.refine((text) => text.trim() !== ''));
const itemSchema = z.object({
  itemText: itemTextSchema,
  itemState: z.optional(z.union([z.string(), z.boolean()])),
});
const idSchema = z.union([z.string().check(z.minLength(1), z.maxLength(80)), z.number()]);
const listSchema = z.array(z.unknown()).check(z.maxLength(maxItems));

/**
 * Recognizes a whole to-do list (Claude Code, droid, Codex, Cursor, Copilot, Gemini CLI, opencode, Amp, Roo Code,
 * OpenHands), or changes to several items of it (Cursor).
 */
export function plan(call: NamedCall): ToolCall | undefined {
  const { items } = call.fields;
  if (!call.isNamed(/\b(todos?|todo ?write|plan|tasks?|checklist)\b/)) return undefined;
  if (call.isNamed(/\b(read|get|exit|respond)\b/)) return undefined;
  const isPartial = call.fields.isPartial === true;
  const parsed = typeof items === 'string' && items.length <= maxTextLength ? (parseJson(items) ?? items) : items;
  const mustHaveState = !call.isNamed(/\b(todos?|todo ?write|plan|checklist)\b/);
  const read = typeof parsed === 'string' ? readChecklist(parsed) : readItems(parsed, mustHaveState, isPartial);
  return read && { kind: 'plan', items: read, ...(isPartial ? { isPartial } : {}) };
}

/**
 * Reads a list of objects with a text and a state. `mustHaveState` is set if the tool's name doesn't say that it writes
 * a list; then every item needs a state. In a partial list, an item without a text has its ID as its text.
 */
function readItems(value: unknown, mustHaveState: boolean, isPartial: boolean): readonly PlanItem[] | undefined {
  const { data } = listSchema.safeParse(value);
  if (!data) return undefined;
  const items: PlanItem[] = [];
  for (const entry of data) {
    const fields = argumentsOf(entry);
    const id = isPartial ? idSchema.safeParse(fields.taskId).data : undefined;
    const itemText = itemTextSchema.safeParse(fields.itemText).data ?? id?.toString();
    const item = itemSchema.safeParse({ ...fields, itemText }).data;
    // Without the items that can't be read, the list would be incomplete, so the call isn't recognized.
    if (!item || (mustHaveState && item.itemState === undefined)) return undefined;
    const state = stateOfWord(String(item.itemState ?? ''));
    if (state !== 'removed') items.push({ text: item.itemText, state });
  }
  return items;
}

/**
 * Reads a checklist: `- [x] text`, `1. [completed] text`, or `[-] text`. Undefined if there is none or it is too long.
 */
function readChecklist(text: string): readonly PlanItem[] | undefined {
  if (text.length > maxTextLength) return undefined;
  const items: PlanItem[] = [];
  for (const line of linesOf(text)) {
    const [, mark = '', itemText] = /^\s*(?:[-*+]\s+|\d{1,6}[.)]\s+)?\[([^\]]{0,20})\]\s+(\S.*)$/.exec(line) ?? [];
    if (itemText === undefined) continue;
    const state = mark.length === 1 ? stateOf(mark.toLowerCase()) : stateOfWord(mark);
    if (state !== 'removed') items.push({ text: itemText, state });
  }
  return items.length === 0 || items.length > maxItems ? undefined : items;
}

/** The state that a word such as `in_progress` names. */
function stateOfWord(word: string): PlanItem['state'] | 'removed' {
  return stateOf(word.toLowerCase().replace(/[\s_-]/g, ''));
}

/** An unknown state is open: it isn't known to be done. */
function stateOf(word: string): PlanItem['state'] | 'removed' {
  return Object.hasOwn(states, word) ? (states[word] ?? 'open') : 'open';
}

/** Recognizes a change to one item of the to-do list, or a request to show the list or an item (Claude Code). */
export function task(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/^task (?:list|get|create|update)$/)) return undefined;
  const { taskId, subject, itemState } = call.fields;
  const { data: id } = idSchema.safeParse(taskId);
  const { data: text } = itemTextSchema.safeParse(subject);
  if (call.isNamed(/^task list$/) && subject === undefined) return { kind: 'task' };
  if (call.isNamed(/^task get$/)) return id === undefined ? undefined : { kind: 'task' };
  if (call.isNamed(/^task create$/)) return text === undefined ? undefined : { kind: 'task', change: { text } };
  if (!call.isNamed(/^task update$/) || id === undefined) return undefined;
  const { data: word } = z.string().safeParse(itemState);
  return {
    kind: 'task',
    change: {
      id: `#${String(id)}`,
      ...(text === undefined ? {} : { text }),
      ...(word === undefined ? {} : { state: stateOfWord(word) }),
    },
  };
}
