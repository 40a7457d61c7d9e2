import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import { defined } from '../../shared/defined.ts';
import { parseJson } from '../../shared/json.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import { plainLine } from '../../shared/text.ts';
import { linesOf } from '../../shared/text/lines.ts';
import { lineWithoutMarks } from '../markdown/plainText.ts';
import { countChangedLines } from './changedLines.ts';
import { handlesIn } from './followUps.ts';
import { decides, type FailureForm, failureForms, failureOf } from './outcome.ts';
import { recognizeCall } from './recognize.ts';
import type { FileChange, FilePiece, FollowUpAction, TaskChange, ToolCall, ToolKind } from './toolCall.ts';

/** A changed file with the numbers of added and removed lines. */
export interface FileMark {
  /** The path after the call; empty for the file that an earlier call opened. */
  readonly path: string;
  readonly change: FileChange['change'];
  readonly added: number;
  readonly removed: number;
  /** For a renamed file: its path before the call. */
  readonly oldPath?: string;
  /**
   * Whether the call replaces every occurrence of a text. The lines of that text aren't counted, because the call
   * doesn't say how often it occurs.
   */
  readonly isEverywhere?: true;
}

/** A tool call as a message's header describes it. Each text is a short single line. */
export interface CallMark {
  readonly type: 'call';
  /** The position of the block in the message. */
  readonly index: number;
  readonly callId: string | undefined;
  readonly kind: ToolKind;
  /** What the call is about: a path, a command, a question; for a call that isn't recognized, the tool's name. */
  readonly label: string;
  /** For `plan`: the numbers of completed and of all items in the call. */
  readonly done: number;
  readonly total: number;
  /** For `question`: whether the agent asks to approve a plan. */
  readonly isApproval: boolean;
  readonly files: readonly FileMark[];
  /** For `plan`: the item that the call changes. Empty if it changes none; absent if the call contains a list. */
  readonly task?: TaskChange;
  /** For `plan`: whether the call changes only some items of the list. */
  readonly isPartial?: true;
  /** For a call that continues others: what it does, and the IDs that the results of those calls name. */
  readonly followUp?: { readonly action: FollowUpAction; readonly handles: readonly string[] };
  /** The path of the file that later calls edit if they name no path. */
  readonly opens?: string;
  /** The least reliable form of a failure that counts, if it isn't that of the kind; see `decides`. */
  readonly leastForm?: FailureForm;
  /** The folder in which a command runs, as the call names it. */
  readonly folder?: string;
}

/** The result of a tool call as a message's header describes it. */
export interface ResultMark {
  readonly type: 'result';
  /** The position of the block in the message. */
  readonly index: number;
  readonly callId: string | undefined;
  /** Whether the result reports a failure in `form`. `decides` says whether the failure counts for a call. */
  readonly isFailed: boolean;
  /** The most informative line of a failed result, or what the person said about a rejection; otherwise empty. */
  readonly label: string;
  /** Absent for `tool`, the most frequent form, and for a result that reports no failure. */
  readonly form?: FailureForm;
  /** The IDs with which later calls refer to what the call started. */
  readonly handles?: readonly string[];
}

export type ToolMark = CallMark | ResultMark;

/** The maximum length of labels, in characters. */
export const maxLabelLength = 120;
/** Call IDs with more characters are cut, in calls and results alike, so that a header stays small. */
const maxIdLength = 200;
const maxPathLength = 400;
/** Only the first characters of a plan are searched for its title. */
const maxTitleSource = 400;
/** A call that changes more files than this is described by the first ones. */
const maxFiles = 50;
/** Only this many characters of a command are searched for an exit code that it prints itself. */
const maxReadCommand = 4_000;
const printsExitCode = /\$\?|\bexit[ _-]?(?:code|status)\b|ERRORLEVEL|LASTEXITCODE|returncode/i;

const fileSchema = z.tuple([
  z.string(),
  z.enum(['created', 'edited', 'deleted', 'renamed']),
  z.number(),
  z.number(),
  z.optional(z.nullable(z.string())),
  z.optional(z.literal(true)),
]);
const kinds = [
  ...(['write', 'read', 'list', 'search', 'execute', 'fetch', 'plan', 'question', 'agent', 'skill', 'other'] as const),
] as const;
const callFacts = z.object({
  task: z.optional(
    z.object({
      id: z.optional(z.string()),
      text: z.optional(z.string()),
      state: z.optional(z.enum(['open', 'current', 'done', 'removed'])),
    }),
  ),
  isPartial: z.optional(z.literal(true)),
  followUp: z.optional(z.object({ action: z.enum(['wait', 'input', 'stop']), handles: z.array(z.string()) })),
  opens: z.optional(z.string()),
  leastForm: z.optional(z.enum(failureForms)),
  folder: z.optional(z.string()),
});
const resultFacts = z.object({
  form: z.optional(z.enum(failureForms)),
  handles: z.optional(z.array(z.string())),
});
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
  z.optional(callFacts),
]);
const resultSchema = z.tuple([
  ...([z.literal('r'), z.number(), z.nullable(z.string()), z.boolean(), z.string()] as const),
  z.optional(resultFacts),
]);
const marksSchema = z.array(z.union([callSchema, resultSchema]));
type StoredMarks = z.output<typeof marksSchema>;

/**
 * Describes the tool calls and results of a message as a string for its header, so that steps, changes, and questions
 * can be shown without reading message bodies. Undefined if there are none.
 */
export function toolMarksOf(content: readonly ContentBlock[]): string | undefined {
  return withoutPause(toolMarkSteps(content));
}

/** Does the same as {@link toolMarksOf}, with a pause for `inSlices` after each call and result. */
export function* toolMarkSteps(content: readonly ContentBlock[]): PausableWork<string | undefined> {
  const marks: StoredMarks = [];
  for (const [index, block] of content.entries()) {
    if (block.type === 'tool_use') marks.push(storedCall(block, index));
    else if (block.type === 'tool_result') marks.push(storedResult(block, index));
    else continue;
    yield;
  }
  return marks.length === 0 ? undefined : JSON.stringify(marks);
}

/** Reads the output of {@link toolMarksOf}; empty if it is undefined or invalid. */
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
  const facts = factsOf(call);
  const files = filesOf(call);
  return facts
    ? ['c', index, idOf(use), kindOf(call), label, done, items.length, files, isApproval, facts]
    : ['c', index, idOf(use), kindOf(call), label, done, items.length, files, isApproval];
}

function storedResult(
  result: Extract<ContentBlock, { type: 'tool_result' }>,
  index: number,
): z.output<typeof resultSchema> {
  const failure = failureOf(result);
  const form = failure?.form === 'tool' ? undefined : failure?.form;
  const handles = failure ? [] : handlesIn(result);
  const label = plainLine(failure?.reason ?? '', maxLabelLength);
  const isFailed = failure !== undefined;
  if (form === undefined && handles.length === 0) return ['r', index, idOf(result), isFailed, label];
  const facts = defined({ form, handles: handles.length === 0 ? undefined : [...handles] });
  return ['r', index, idOf(result), isFailed, label, facts];
}

function kindOf(call: ToolCall): ToolKind {
  if (call.kind === 'task') return 'plan';
  if (call.kind === 'openEdit') return 'write';
  return call.kind === 'followUp' ? call.of : call.kind;
}

/** The facts that only some calls have; undefined if there are none. */
function factsOf(call: ToolCall): z.output<typeof callFacts> | undefined {
  switch (call.kind) {
    case 'task': {
      const { text, ...change } = call.change ?? {};
      return { task: defined({ ...change, text: text === undefined ? undefined : plainLine(text, maxLabelLength) }) };
    }
    case 'plan':
      return call.isPartial === true ? { isPartial: true } : undefined;
    case 'followUp': {
      const { action, handles } = call;
      // The result reports the state of an agent in a header, so a failure there counts, too.
      return { followUp: { action, handles: [...handles] }, ...(call.of === 'agent' ? { leastForm: 'header' } : {}) };
    }
    case 'execute':
      return factsUnlessEmpty({
        leastForm: printsExitCode.test(call.command.slice(0, maxReadCommand)) ? 'header' : undefined,
        folder: markedFolder(call.folder),
      });
    case 'read':
      return call.isOpened === true ? { opens: markedPath(call.paths[0] ?? '') } : undefined;
    case 'write':
      return factsUnlessEmpty({
        opens: call.isOpened === true ? markedPath(call.changes[0]?.path ?? '') : undefined,
        folder: markedFolder(call.folder),
      });
    default:
      return undefined;
  }
}

function factsUnlessEmpty(facts: {
  readonly opens?: string | undefined;
  readonly leastForm?: FailureForm | undefined;
  readonly folder?: string | undefined;
}): z.output<typeof callFacts> | undefined {
  const known = defined(facts);
  return Object.keys(known).length === 0 ? undefined : known;
}

/** The path of a folder, if a header can contain it unchanged; undefined otherwise. */
export function markedFolder(folder: string | undefined): string | undefined {
  return folder !== undefined && markedPath(folder) === folder ? folder : undefined;
}

function idOf({ toolUseId }: { readonly toolUseId?: string | undefined }): string | null {
  return toolUseId?.slice(0, maxIdLength) ?? null;
}

function filesOf(call: ToolCall): z.output<typeof fileSchema>[] {
  const changes = call.kind === 'openEdit' ? [openChange(call.piece, '')] : call.kind === 'write' ? call.changes : [];
  return changes.slice(0, maxFiles).map((change) => {
    const { added, removed, isEverywhere } = countChangedLines(change);
    const path = markedPath(change.newPath ?? change.path);
    const numbers = [path, change.change, added, removed] as const;
    const oldPath = change.newPath === undefined ? null : markedPath(change.path);
    if (isEverywhere) return [...numbers, oldPath, true];
    return oldPath === null ? [...numbers] : [...numbers, oldPath];
  });
}

/** The change of a file that an earlier call opened. */
export function openChange(piece: FilePiece, path: string): FileChange {
  return { path, change: 'edited', pieces: [piece], isWhole: false };
}

/** What a result says about its call. Without `use`, the call isn't known. */
export function outcomeOf(
  result: Extract<ContentBlock, { type: 'tool_result' }>,
  use: Extract<ContentBlock, { type: 'tool_use' }> | undefined,
): 'done' | 'failed' | 'rejected' {
  const failure = failureOf(result);
  if (!failure) return 'done';
  if (failure.form === 'rejection') return 'rejected';
  const call = use && recognizeCall(use.name, use.input);
  const isFailed = decides(failure.form, call ? kindOf(call) : 'result', call && factsOf(call)?.leastForm);
  return isFailed ? 'failed' : 'done';
}

/** A path as a header contains it: on one line, and shortened if it is very long. */
export function markedPath(path: string): string {
  return plainLine(path, maxPathLength);
}

/** The first line of a plan that has words, without the marks of a heading. */
function titleOf(plan: string): string {
  const lines = linesOf(plan.slice(0, maxTitleSource)).map(lineWithoutMarks);
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
}

function labelOf(call: Exclude<ToolCall, { kind: 'other' }>): string {
  switch (call.kind) {
    case 'write':
      return call.changes.map(({ path, newPath }) => newPath ?? path).join(', ');
    case 'openEdit':
      return call.piece.oldText;
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
      return call.isApproval ? titleOf(call.text) : call.text;
    case 'agent':
      return call.task;
    case 'skill':
      return call.name;
    case 'task':
      return call.change?.text ?? call.change?.id ?? '';
    case 'followUp':
      return call.text.trim() || call.handles.join(', ');
  }
}

function readCall([, index, callId, kind, label, done, total, files, isApproval, facts]: z.output<
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
    files: files.map(([path, change, added, removed, oldPath, isEverywhere]) => ({
      path,
      change,
      added,
      removed,
      ...defined({ oldPath: oldPath ?? undefined, isEverywhere }),
    })),
    ...(facts && readFacts(facts)),
  };
}

function readFacts({ task, ...facts }: z.output<typeof callFacts>): Partial<CallMark> {
  return defined({ task: task && defined(task), ...facts });
}

function readResult([, index, callId, isFailed, label, facts]: z.output<typeof resultSchema>): ResultMark {
  return { type: 'result', index, callId: callId ?? undefined, isFailed, label, ...(facts && defined(facts)) };
}
