import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import type { Message } from '../../api/resources/message.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import { isPrompt } from '../store/turns.ts';

export type ToolUse = Extract<ContentBlock, { type: 'tool_use' }>;
export type ToolResult = Extract<ContentBlock, { type: 'tool_result' }>;

/** The counterparts, in other messages, of a message's tool calls and results, by tool call ID. */
export interface ToolPairs {
  readonly uses: ReadonlyMap<string, ToolUse>;
  readonly results: ReadonlyMap<
    string,
    { readonly messageId: string; readonly index: number; readonly block: ToolResult }
  >;
}

export const noPairs: ToolPairs = { uses: new Map(), results: new Map() };

/**
 * Maximum distance between a call and its result, in messages. The results of parallel calls can arrive in separate
 * messages.
 */
const maxDistance = 12;

/**
 * Collects the calls and results of messages. They must be sorted by their distance from the message whose counterparts
 * are sought: for each ID, the first call and the first result are used.
 */
export function pairTools(messages: readonly Message[]): ToolPairs {
  const uses = new Map<string, ToolUse>();
  const results = new Map<string, { messageId: string; index: number; block: ToolResult }>();
  for (const { id: messageId, content } of messages) {
    for (const [index, block] of content.entries()) {
      if (block.type === 'tool_use' && block.toolUseId !== undefined && !uses.has(block.toolUseId)) {
        uses.set(block.toolUseId, block);
      }
      if (block.type === 'tool_result' && block.toolUseId !== undefined && !results.has(block.toolUseId)) {
        results.set(block.toolUseId, { messageId, index, block });
      }
    }
  }
  return { uses, results };
}

/**
 * IDs of messages that may contain the counterparts of a message's calls and results. Nearest first in each direction;
 * often empty.
 */
export function pairCandidates(message: Message, headers: readonly MessageHeader[]): string[] {
  const { uses, results } = pairTools([message]);
  const lacksResult = [...uses.keys()].some((toolUseId) => !results.has(toolUseId));
  const lacksUse = [...results.keys()].some((toolUseId) => !uses.has(toolUseId));
  if (!lacksResult && !lacksUse) return [];
  const at = placeOf(message, headers);
  if (at < 0) return [];
  const before = lacksUse ? headers.slice(Math.max(0, at - maxDistance), at).reverse() : [];
  const after = lacksResult ? headers.slice(at + 1, at + 1 + maxDistance) : [];
  return [...before, ...after].map(({ messageId }) => messageId);
}

/** The index of a message in headers sorted by creation time; -1 if absent. */
function placeOf({ id, createdAt }: Message, headers: readonly MessageHeader[]): number {
  let low = 0;
  let high = headers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((headers[middle]?.createdAt ?? 0) < createdAt) low = middle + 1;
    else high = middle;
  }
  for (let at = low; headers[at]?.createdAt === createdAt; at += 1) if (headers[at]?.messageId === id) return at;
  return headers.findIndex(({ messageId }) => messageId === id);
}

/**
 * The marks of the messages that may contain calls and are closely followed by messages that may contain the results,
 * by message ID. A mark changes when one of these results arrives or changes, because the results shown with the calls
 * must then be rendered again. Some services list results as messages of the user, or don't list roles.
 */
export function resultMarks(headers: readonly MessageHeader[]): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  const close: MessageHeader[] = [];
  for (let at = headers.length - 1; at >= 0; at -= 1) {
    const header = headers[at];
    if (!header) continue;
    const { messageId, role, toolCount } = header;
    if (isPrompt(header)) close.length = 0;
    if (toolCount === 0) continue;
    if (role !== 'tool' && role !== 'user' && close.length > 0) marks.set(messageId, markOf(close));
    if (role === 'assistant') continue;
    close.unshift(header);
    if (close.length > maxDistance) close.pop();
  }
  return marks;
}

function markOf(results: readonly MessageHeader[]): string {
  const latest = results.reduce((time, { updatedAt }) => Math.max(time, updatedAt), 0);
  return ` with ${results.length} ${latest}`;
}
