import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { NamedCall } from './namedCall.ts';
import { readHead, startOf } from './resultText.ts';
import type { FollowUpAction, ToolCall } from './toolCall.ts';

const maxHandles = 20;
const maxHandleLength = 80;

const names: readonly { readonly of: 'execute' | 'agent'; readonly action: FollowUpAction; readonly name: RegExp }[] = [
  // Codex, Claude Code, GitHub Copilot.
  { of: 'execute', action: 'input', name: /^(?:write (?:stdin|bash|powershell|to terminal)|send to terminal)$/ },
  {
    of: 'execute',
    action: 'wait',
    name: /^(?:(?:bash|task) output|read (?:bash|powershell)|(?:get|await|read) (?:terminal|shell)(?: output)?|wait for (?:terminal|shell)|wait)$/,
  },
  { of: 'execute', action: 'stop', name: /^(?:(?:kill|stop) (?:shell|bash|terminal|powershell)|task stop)$/ },
  { of: 'agent', action: 'wait', name: /^(?:wait|read) agents?$/ },
  { of: 'agent', action: 'input', name: /^(?:send (?:input|message)|resume agent|write agent)$/ },
  { of: 'agent', action: 'stop', name: /^(?:close|stop|kill) agent$/ },
];

const handle = z.union([z.string().check(z.minLength(1), z.maxLength(maxHandleLength)), z.number()]);
const handlesSchema = z.union([handle, z.array(handle).check(z.minLength(1), z.maxLength(1_000))]);

/**
 * Recognizes a call that waits for, writes to, or stops a command or an agent that an earlier call started (Codex,
 * Claude Code, Copilot).
 */
export function followUp(call: NamedCall): ToolCall | undefined {
  const known = names.find(({ name }) => call.isNamed(name));
  if (!known) return undefined;
  const { data } = handlesSchema.safeParse(call.fields.handles);
  if (data === undefined) return undefined;
  const { of, action } = known;
  const { data: text = '' } = z.string().safeParse(call.fields.typed);
  const handles = (Array.isArray(data) ? data : [data]).slice(0, maxHandles).map(String);
  // Codex writes an empty text to see what a process has printed since the last call.
  return { kind: 'followUp', of, action: action === 'input' && text === '' ? 'wait' : action, handles, text };
}

/** The lines in which results name the ID of what a call started. */
const handleLines: readonly RegExp[] = [
  /^Process running with session ID:? ([\w-]{1,80})$/,
  /^Command running in background with ID: ([\w-]{1,80})\b/,
  /^agentId: ([\w-]{1,80})\b/,
  /^<command started in background with shellId: ([\w-]{1,80})>$/,
  /^\{"agent_id":"([\w-]{1,80})"/,
];
const taskLine = /^Task #(\d{1,9}) created\b/;
const maxLines = 12;
/** The number of characters that are searched for an ID if Codex repeats the command before it. */
const maxLength = 20_000;
const maxPlainLength = 1_000;
/** Parts of the lines that name an ID. They begin with rare characters, so that searching for them is fast. */
const words = ['ID', 'Id: ', '_id"', 'Task #'];

/**
 * The IDs with which later calls refer to what the call of this result started, for example a command or an agent. `#1`
 * is an item of the to-do list.
 */
export function handlesIn({ content }: Extract<ContentBlock, { type: 'tool_result' }>): readonly string[] {
  const text = content.find((block) => block.type === 'text')?.text ?? '';
  if (!mayName(text)) return [];
  const found = new Set<string>();
  for (const each of readHead(startOf(text)).lines.slice(0, maxLines)) {
    const line = each.trimEnd();
    for (const pattern of handleLines) {
      const [, id] = pattern.exec(line) ?? [];
      if (id !== undefined) found.add(id);
    }
    const [, task] = taskLine.exec(line) ?? [];
    if (task !== undefined) found.add(`#${task}`);
  }
  return [...found];
}

/**
 * Whether the text of a result may contain an ID that {@link handlesIn} finds. Most texts don't, and checking this
 * first is faster than reading the lines.
 */
function mayName(text: string): boolean {
  const start = text.slice(0, text.startsWith('Command: ') ? maxLength : maxPlainLength);
  return words.some((word) => start.includes(word));
}
