import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import { defined } from '../../shared/defined.ts';
import { parseJson } from '../../shared/json.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { plainLine } from '../../shared/text.ts';
import { countChangedLines } from './changedLines.ts';
import { isFailedResult } from './outcome.ts';
import { recognizeCall } from './recognize.ts';
import type { FileChange, ToolCall, ToolKind } from './toolCall.ts';

/** A changed file with the numbers of added and removed lines. */
export interface FileMark {
  /** The path after the call. */
  readonly path: string;
  readonly change: FileChange['change'];
  readonly added: number;
  readonly removed: number;
  /** For a renamed file: its path before the call. */
  readonly oldPath?: string;
}

/** A tool call as a message's header describes it. All texts are short and in one line. */
export interface CallMark {
  readonly type: 'call';
  /** The position of the block in the message. */
  readonly index: number;
  readonly callId: string | undefined;
  readonly kind: ToolKind;
  /** What the call is about: a path, a command, a question; for a call that isn't recognized, the tool's name. */
  readonly label: string;
  /** For `plan`: the numbers of completed and of all items. */
  readonly done: number;
  readonly total: number;
  /** For `question`: whether the agent asks to approve a plan. */
  readonly isApproval: boolean;
  readonly files: readonly FileMark[];
}

/** The result of a tool call as a message's header describes it. */
export interface ResultMark {
  readonly type: 'result';
  /** The position of the block in the message. */
  readonly index: number;
  readonly callId: string | undefined;
  readonly isFailed: boolean;
  /** The first line of a failed result. */
  readonly label: string;
}

export type ToolMark = CallMark | ResultMark;

const maxLabelLength = 120;
/** Longer IDs of calls are cut, in calls and results alike, so that a header stays small. */
const maxIdLength = 200;
const maxPathLength = 400;
/** A call that changes more files than this is described by the first ones. */
const maxFiles = 50;

const fileSchema = z.tuple([
  z.string(),
  z.enum(['created', 'edited', 'deleted', 'renamed']),
  z.number(),
  z.number(),
  z.optional(z.string()),
]);
const kinds = ['write', 'read', 'list', 'search', 'execute', 'fetch', 'plan', 'question', 'agent', 'other'] as const;
const callSchema = z.tuple([
  z.literal('c'),
  z.number(),
  z.nullable(z.string()),
  z.enum(kinds),
  z.string(),
  z.number(),
  z.number(),
  z.array(fileSchema),
  z.boolean(),
]);
const resultSchema = z.tuple([z.literal('r'), z.number(), z.nullable(z.string()), z.boolean(), z.string()]);
const marksSchema = z.array(z.union([callSchema, resultSchema]));
type StoredMarks = z.output<typeof marksSchema>;

/**
 * Describes the tool calls and results of a message as a string for its header, so that steps, changes, and questions
 * can be shown without reading message bodies. Undefined if there are none.
 */
export function toolMarksOf(content: readonly ContentBlock[]): string | undefined {
  return withoutPause(toolMarkSteps(content));
}

/** Prepares {@link toolMarksOf}, with a pause for `inSlices` after each call and result. */
export function* toolMarkSteps(content: readonly ContentBlock[]): PausableWork<string | undefined> {
  const marks: StoredMarks = [];
  for (const [index, block] of content.entries()) {
    if (block.type === 'tool_use') marks.push(storedCall(block, index));
    else if (block.type === 'tool_result') {
      const isFailed = isFailedResult(block);
      marks.push(['r', index, idOf(block), isFailed, isFailed ? firstText(block.content) : '']);
    } else continue;
    yield;
  }
  return marks.length === 0 ? undefined : JSON.stringify(marks);
}

/** Reads the output of {@link toolMarksOf}. */
export function readToolMarks(stored: string | undefined): readonly ToolMark[] {
  const parsed = stored === undefined ? undefined : marksSchema.safeParse(parseJson(stored));
  return (parsed?.data ?? []).map((mark) => (mark[0] === 'c' ? readCall(mark) : readResult(mark)));
}

function storedCall(use: Extract<ContentBlock, { type: 'tool_use' }>, index: number): z.output<typeof callSchema> {
  const call = recognizeCall(use.name, use.input);
  const label = plainLine(call.kind === 'other' ? use.name : labelOf(call), maxLabelLength);
  const items = call.kind === 'plan' ? call.items : [];
  const done = items.filter(({ state }) => state === 'done').length;
  const isApproval = call.kind === 'question' && call.isApproval;
  return ['c', index, idOf(use), call.kind, label, done, items.length, filesOf(call), isApproval];
}

function idOf({ toolUseId }: { readonly toolUseId?: string | undefined }): string | null {
  return toolUseId?.slice(0, maxIdLength) ?? null;
}

function filesOf(call: ToolCall): z.output<typeof fileSchema>[] {
  if (call.kind !== 'write') return [];
  return call.changes.slice(0, maxFiles).map((change) => {
    const { added, removed } = countChangedLines(change);
    const path = markedPath(change.newPath ?? change.path);
    const numbers = [path, change.change, added, removed] as const;
    return change.newPath === undefined ? [...numbers] : [...numbers, markedPath(change.path)];
  });
}

/** A path as a header contains it: in one line, and shortened if it is very long. */
export function markedPath(path: string): string {
  return plainLine(path, maxPathLength);
}

function labelOf(call: Exclude<ToolCall, { kind: 'other' }>): string {
  switch (call.kind) {
    case 'write':
      return call.changes.map(({ path, newPath }) => newPath ?? path).join(', ');
    case 'read':
      return call.paths.join(', ');
    case 'list':
      return call.path;
    case 'search':
      return call.query;
    case 'execute':
      return call.command;
    case 'fetch':
      return call.address;
    case 'plan':
      return call.items.find(({ state }) => state === 'current')?.text ?? '';
    case 'question':
      return call.text;
    case 'agent':
      return call.task;
  }
}

function firstText(content: readonly ContentBlock[]): string {
  const text = content.find((block) => block.type === 'text')?.text ?? '';
  return plainLine(text.slice(0, 2_000).trim().split('\n', 1)[0] ?? '', maxLabelLength);
}

function readCall([, index, callId, kind, label, done, total, files, isApproval]: z.output<
  typeof callSchema
>): CallMark {
  return {
    type: 'call',
    index,
    callId: callId ?? undefined,
    kind,
    label,
    done,
    total,
    isApproval,
    files: files.map(([path, change, added, removed, oldPath]) => ({
      path,
      change,
      added,
      removed,
      ...defined({ oldPath }),
    })),
  };
}

function readResult([, index, callId, isFailed, label]: z.output<typeof resultSchema>): ResultMark {
  return { type: 'result', index, callId: callId ?? undefined, isFailed, label };
}
