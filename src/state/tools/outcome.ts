import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import { parseJson, startOfJson } from '../../shared/json.ts';
import { isExitCodeOfFailure, readExitLine, readHead, readTail, type ResultText, startOf } from './resultText.ts';
import { firstReason, reasonIn } from './failureReason.ts';
import type { ToolKind } from './toolCall.ts';

/**
 * The forms in which a result reports a failure, the most reliable first. docs/tools.md lists them with the agents that
 * use them.
 *
 * - `rejection`: the message that the person, or a policy, rejected the call, so the tool didn't run.
 * - `tool`: the error flag; the tool's own error message, at the very start or as the whole text; or a failed result in
 *   a JSON object that also has the query of the call (Cline).
 * - `envelope`: a field of the JSON object that contains the whole result, or a first line that begins with an error
 *   message. Content can begin with such a message, too.
 * - `header`: an exit code in a structured header or trailer, in a JSON object, or in a text that consists of a report.
 * - `exit`: a first line that reports an exit code and nothing else.
 * - `ending`: such a last line.
 * - `message`: a first line that begins with "Error: ", or with "Failed to edit," or a similar message. Output of
 *   programs and text of files can begin like this, too, but no report of a successful change does.
 */
export const failureForms = ['rejection', 'tool', 'envelope', 'header', 'exit', 'ending', 'message'] as const;
export type FailureForm = (typeof failureForms)[number];

/** A failure that a result reports. */
interface ReportedFailure {
  readonly form: FailureForm;
  /**
   * The most informative line about the failure, at most 120 characters; empty if the result has no text. For a
   * rejection, what the person said about it; empty if they said nothing.
   */
  readonly reason: string;
}

/**
 * For each kind of call, the least reliable form that means that the call failed. What a call reads is content, in
 * which everything but the tool's own message can occur, and only commands end with an exit code. `result` is a result
 * whose call isn't known.
 */
const leastForms: Readonly<Record<ToolKind | 'result', FailureForm>> = {
  ...{ execute: 'ending', write: 'exit', other: 'exit', result: 'exit' },
  ...{ agent: 'envelope', plan: 'envelope', question: 'envelope', skill: 'envelope', search: 'envelope' },
  ...{ list: 'envelope', read: 'tool', fetch: 'tool' },
};

/**
 * Whether a failure in this form means that a call failed. `least` is the least reliable form that counts for this
 * call, if it isn't that of its kind.
 */
export function decides(form: FailureForm, kind: ToolKind | 'result', least = leastForms[kind]): boolean {
  if (form === 'message') return kind === 'write';
  return failureForms.indexOf(form) <= failureForms.indexOf(least);
}

/** A regular expression for texts that begin with one of these expressions. */
function beginsWith(forms: readonly string[]): RegExp {
  return new RegExp(forms.map((form) => `^(?:${form})`).join('|'));
}

/** A regular expression for texts that consist of one of these expressions. */
function consistsOf(forms: readonly string[]): RegExp {
  return new RegExp(forms.map((form) => `^(?:${form})$`).join('|'));
}

/** The start of the error messages of tools, whatever they do. */
const toolMessages = beginsWith([
  // Claude Code, Cline, Roo Code.
  '<(?:tool_use_)?error>|The tool execution failed with the following error',
  // OpenAI Agents SDK.
  'An error occurred while running the tool\\. Please try again\\. Error: ',
  // GitHub Copilot.
  'ERROR while calling tool\\b',
  // Codex.
  'apply_patch (?:verification )?failed\\b',
  'collab (?:\\w{1,20} ){1,3}failed: ',
  '(?:write_stdin|exec_command|shell|unified_exec|spawn_agent|wait_agent|close_agent|send_input|resume_agent|view_image|update_plan|js_repl|list_dir|read_file|grep_files|request_user_input) failed\\b[^:\\n]{0,200}: ',
  'resources/(?:list|read|templates/list) failed: ',
  'failed to parse function arguments: |unsupported call: |tool call error: ',
]);
/** Messages that decide only if they are the whole text of a result, because content can begin with them. */
const wholeMessages = consistsOf([
  // Tool servers, Gemini CLI, Claude Code.
  'Error executing tool [\\w-]{1,100}: .{1,2000}',
  '(?:Error: )?Tool "[^"\\n]{1,100}" not found(?: in registry)?\\.(?: Did you mean .{1,1000})?',
  'Error: No such tool available: \\S{1,200}',
  // The call was canceled before or while it ran: Gemini CLI, GitHub Copilot.
  '\\[Operation Cancelled\\] Reason: .{1,1000}',
  'The user cancelled the tool call\\.',
]);
/**
 * The start of a rejection by the person (Claude Code), and rejections by the person that decide only if they are the
 * whole text of a result (Codex, Cline, opencode, Gemini CLI, GitHub Copilot).
 */
const rejectionStart = beginsWith([
  "The user doesn't want to (?:proceed with this tool use\\. The tool use was rejected|take this action right now\\. STOP)",
  'Permission for this tool use was denied(?:\\. The tool use was rejected|\\. It requires approval|: it requires interactive approval)',
  'The agent proposed a plan that was rejected by the user\\. The user chose to stay in plan mode',
]);
const wholeRejection = consistsOf([
  '(?:exec command|patch) rejected by user',
  'The user denied this operation\\.',
  'The user denied this operation and provided the following feedback:\\n<feedback>\\n[^]{0,2000}</feedback>',
  '(?:Error: )?The user rejected permission to use this specific tool call(?:\\.| with the following feedback: [^]{1,2000})',
  // Gemini CLI and Qwen Code give this reason for a call that waited for its approval.
  '\\[Operation Cancelled\\] Reason: (?:User denied execution\\.|User did not allow tool call)',
  'The user chose to skip the tool call, they want to proceed without running it',
]);
/**
 * The start of a rejection by a policy, or because there is no person to ask (Claude Code and opencode). Claude Code
 * then repeats the command, which can have several lines.
 */
const denialStart = beginsWith([
  'Permission to use \\S{1,200} with command \\S',
  'Permission for this action (?:was denied by the Claude Code auto mode classifier\\.|has been denied\\. Reason: )',
  'This (?:Bash|PowerShell) command contains multiple operations\\. The following parts? requires? approval: ',
  '(?:Error: )?The user has specified a rule which prevents you from using this specific tool call\\.',
]);
/**
 * Rejections by a policy, or because there is no person to ask, that decide only if they are the whole text of a result
 * (Claude Code, Gemini CLI).
 */
const wholeDenial = consistsOf([
  "Claude requested permissions to (?:use|read from|write to|edit) .{1,2000}(?:, but you haven't granted it yet| which is a sensitive file)\\.",
  "Permission to use (?:[A-Z]\\w{0,60}|mcp__[\\w-]{1,200}) has been denied(?: because Claude Code is running in don't ask mode)?\\.(?: .{1,2000})?",
  'Permission to (?:read|edit|write(?: to)?) (?:[~/]|[A-Za-z]:[\\\\/]).{1,1000} has been denied\\.',
  'This command requires approval',
  // The result of a question or of a plan if there is no person to ask.
  '(?:Answer questions|Exit plan mode)\\?',
  '.{1,1000} was blocked\\. For security, Claude Code may only .{1,2000}',
  '(?:<tool_use_error>)?File is in a directory that is denied by your permission settings\\.(?:</tool_use_error>)?',
  'Tool execution denied by policy\\.(?: .{1,1000})?',
]);
/** What a rejection says before the words of the person. */
const feedbackLabel = /\b(?:[Tt]he user said|the following (?:feedback|reason for the rejection)): ?/;
/**
 * The start of other error messages (tool servers, OpenHands, Claude Code's to-do list). Content can begin with them,
 * too.
 */
const otherMessages = /^(?:MCP error -?\d{1,10}: |ERROR:$|Task not found$)/;

/** The start of messages that decide only for changes of files (opencode and others, Gemini CLI, Codex). */
const editMessages = /^(?:Error: \S|Failed to (?:edit,|apply patch|find expected lines\b))/;

/**
 * The failure that the result of a tool call reports; undefined if it reports none. Reads only the edges of its texts,
 * and JSON up to 250,000 characters that begins like a result. {@link decides} says whether the failure counts for a
 * call.
 */
export function failureOf({
  isError,
  content,
}: Extract<ContentBlock, { type: 'tool_result' }>): ReportedFailure | undefined {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const raws = content.flatMap((block) => (block.type === 'unknown' ? [block.raw] : []));
  const failure = envelopeFailure(texts, raws) ?? textFailure(texts);
  if (!isError) return failure === 'none' ? undefined : failure;
  if (failure !== 'none' && failure?.form === 'rejection') return failure;
  const known = failure !== undefined && failure !== 'none' ? failure.reason : '';
  return { form: 'tool', reason: known === '' ? reasonIn(texts) : known };
}

/** Whether the result of a call reports a failure. Without `kind`, the call ran a command. */
export function isFailedResult(
  result: Extract<ContentBlock, { type: 'tool_result' }>,
  kind: ToolKind | 'result' = 'execute',
): boolean {
  const failure = failureOf(result);
  return failure !== undefined && decides(failure.form, kind);
}

/**
 * The failure in the edges of texts; `none` if an exit code says that there is none; undefined if nothing is reported.
 */
function textFailure(texts: readonly ResultText[]): ReportedFailure | 'none' | undefined {
  const start = startOf(texts[0] ?? '');
  const head = readHead(start);
  const first = (head.lines[0] ?? '').trimEnd();
  const rejection = rejectionIn(start, texts.length === 1);
  if (rejection) return rejection;
  const isMessage = toolMessages.test(first) || (texts.length === 1 && wholeMessages.test(start.trimEnd()));
  if (isMessage) return { form: 'tool', reason: firstReason(head.lines) };
  if (otherMessages.test(first)) return { form: 'envelope', reason: firstReason(head.lines) };
  const place = head.exitCode === undefined ? readTail(texts.at(-1) ?? '') : head;
  if (place.exitCode === undefined) {
    return editMessages.test(first) ? { form: 'message', reason: firstReason(head.lines) } : undefined;
  }
  if (!isExitCodeOfFailure(place.exitCode)) return 'none';
  const line = place === head ? 'exit' : 'ending';
  return { form: place.isStructured ? 'header' : line, reason: reasonIn(texts) };
}

/** The rejection in the start of a text. `isAlone` is set if the result has no other text. */
function rejectionIn(start: string, isAlone: boolean): ReportedFailure | undefined {
  const first = (start.split('\n', 1)[0] ?? '').trimEnd();
  const whole = isAlone ? start.trimEnd() : '';
  if (rejectionStart.test(first) || wholeRejection.test(whole)) return { form: 'rejection', reason: feedbackIn(start) };
  // What these rejections quote, such as arguments or rules, isn't what the person said.
  return denialStart.test(first) || wholeDenial.test(whole) ? { form: 'rejection', reason: '' } : undefined;
}

/** Whether a result says that its call was rejected. */
export function isRejection(result: Extract<ContentBlock, { type: 'tool_result' }>): boolean {
  return failureOf(result)?.form === 'rejection';
}

/**
 * What the person said when they rejected a call, from the text of its result; empty if they said nothing. Undefined if
 * the text isn't a rejection.
 */
export function readRejection(text: string): string | undefined {
  const failure = failureOf({ type: 'tool_result', isError: false, content: [{ type: 'text', text }] });
  return failure?.form === 'rejection' ? failure.reason : undefined;
}

/** The first line of what the person said about a rejection; empty if they said nothing. */
function feedbackIn(rejection: string): string {
  const [answer = ''] = rejection.split('\nRejected plan:\n', 1);
  const label = feedbackLabel.exec(answer);
  return label ? firstReason(answer.slice(label.index + label[0].length).split('\n')) : '';
}

const maxJsonLength = 250_000;
/** How a JSON object, or a list of objects, begins if it is a result and not content. */
const envelopeStart =
  /^\s{0,9}(?:\[\s{0,9})?\{\s{0,9}"(?:query|command|output|stdout|stderr|success|error|status|is_?[eE]rror|exit_?[cC]ode|exit_status|return_?code|result|message|metadata|content|interrupted|timed_?[oO]ut|signal|code|duration\w{0,10})"/;

const code = z.union([z.number(), z.string()]);
const exitFields = {
  exit_code: z.optional(z.nullable(code)),
  exitCode: z.optional(z.nullable(code)),
  exit_status: z.optional(z.nullable(code)),
  returncode: z.optional(z.nullable(code)),
};
const anything = z.optional(z.unknown());
/**
 * The JSON object that agents wrap a result in. It may have no other keys, because other JSON is content, for example
 * the file that was read.
 */
const envelope = z.strictObject({
  ...exitFields,
  success: z.optional(z.boolean()),
  ...{ is_error: z.optional(z.boolean()), isError: z.optional(z.boolean()) },
  status: z.optional(z.string()),
  error: anything,
  message: anything,
  ...{ output: anything, stdout: anything, stderr: anything, result: anything, content: anything },
  ...{ query: anything, command: anything, cwd: anything, signal: anything, truncated: anything, isImage: anything },
  ...{ timed_out: anything, timedOut: anything, interrupted: anything, code: z.optional(z.nullable(code)) },
  ...{ duration: anything, duration_ms: anything, duration_seconds: anything },
  metadata: z.optional(z.object(exitFields)),
});
type Envelope = z.output<typeof envelope>;
/** A call that the person rejected with feedback (Roo Code). */
const deniedWithFeedback = z.strictObject({ status: z.literal('denied'), feedback: z.string() });
const resultList = z.array(z.unknown()).check(z.minLength(1), z.maxLength(1_000));

/**
 * The results of a call that has several of them (Cline). Undefined if the value isn't a list, or if an item isn't a
 * result; later items aren't read.
 */
function operationsIn(value: unknown): readonly Envelope[] | undefined {
  const { data: items } = resultList.safeParse(value);
  const operations: Envelope[] = [];
  for (const item of items ?? []) {
    const { data } = envelope.safeParse(item);
    if (!data || !isOperation(data)) return undefined;
    operations.push(data);
  }
  return items && operations;
}

function isOperation({ query, success }: Envelope): boolean {
  return query !== undefined && success !== undefined;
}

/**
 * The failure in JSON; `none` if there is JSON that reports none; undefined if there is no JSON of a result. Of several
 * results, the first failed one counts.
 */
function envelopeFailure(texts: readonly string[], raws: readonly unknown[]): ReportedFailure | 'none' | undefined {
  const value = raws.length > 0 && texts.length === 0 ? raws : parsedResult(texts);
  if (value === undefined) return undefined;
  const results = operationsIn(value);
  if (results) return results.map(failureIn).find((failure) => failure !== 'none') ?? 'none';
  const denied = deniedWithFeedback.safeParse(value).data;
  if (denied) return { form: 'rejection', reason: firstReason(denied.feedback.split('\n', 50)) };
  const { data } = envelope.safeParse(value);
  return data && failureIn(data);
}

function parsedResult([text, ...others]: readonly string[]): unknown {
  if (text === undefined || others.length > 0 || text.length > maxJsonLength) return undefined;
  return envelopeStart.test(text) ? parseJson(text) : undefined;
}

/** Failed states of Roo Code, with their messages. Other states may describe what a program or a server reports on. */
const failedStates: ReadonlyMap<string, { readonly message: string; readonly isRejection: boolean }> = new Map([
  ['error', { message: 'The tool execution failed', isRejection: false }],
  ['denied', { message: 'The user denied this operation.', isRejection: true }],
]);

function failureIn(data: Envelope): ReportedFailure | 'none' {
  const { metadata = {}, success, error, status = '', message, content } = data;
  const hasError = error !== undefined && error !== null && error !== '' && error !== false;
  const isFlagged = content !== undefined && (data.is_error === true || data.isError === true);
  const state = failedStates.get(status);
  const isFailedState = state !== undefined && state.message === message;
  if (isFailedState && state.isRejection) return { form: 'rejection', reason: '' };
  const rejection = hasError ? rejectionIn(startOf(errorText(error)), true) : undefined;
  if (rejection) return rejection;
  if (success === false || isFlagged || isFailedState || hasError) {
    return { form: isOperation(data) ? 'tool' : 'envelope', reason: envelopeReason(data) };
  }
  const exitCodes = [data, metadata].flatMap((fields) => [
    ...[fields.exit_code, fields.exitCode, fields.exit_status, fields.returncode],
  ]);
  const isFailed = [...exitCodes, printedCode(data)].some(isExitCodeOfFailure) || isStopped(data);
  return isFailed ? { form: 'header', reason: envelopeReason(data) } : 'none';
}

/** The exit code of a command whose output is in the object, too. Elsewhere, `code` can mean anything. */
function printedCode(data: Envelope): string | number | null | undefined {
  return hasOutput(data) ? data.code : undefined;
}

function hasOutput({ stdout, stderr }: Envelope): boolean {
  return stdout !== undefined || stderr !== undefined;
}

/**
 * Whether a command was ended before it had an exit code. In an object with neither a field for an exit code nor
 * output, only a wait timed out.
 */
function isStopped(data: Envelope): boolean {
  const { signal, interrupted, timed_out: hasTimedOut, timedOut, exit_code, exitCode } = data;
  const exitCodes = [exit_code, exitCode].filter((each) => each !== undefined);
  if (exitCodes.some((each) => each !== null)) return false;
  if ([interrupted, hasTimedOut, timedOut].includes(true)) return exitCodes.length > 0 || hasOutput(data);
  return typeof signal === 'string' && signal !== '' && exitCodes.length > 0;
}

/** The error of a JSON object, or what its output says if there is no error, or one that is only an exit code. */
function envelopeReason({ error, message, stderr, output, stdout, result, content }: Envelope): string {
  const own = firstReason([errorText(error), errorText(message)].flatMap((text) => text.split('\n', 50)));
  if (own !== '' && readExitLine(own) === undefined) return own;
  const [item] = textItems.safeParse(content).data ?? [];
  const [printed] = [stderr, output, stdout, result, content, item?.text].filter(
    (text) => typeof text === 'string' && text.trim() !== '',
  );
  return (typeof printed === 'string' ? reasonIn([printed]) : '') || own;
}

const textItems = z.array(z.object({ text: z.string() }));
const errorObject = z.object({ message: z.string() });
/** The maximum number of characters that are read from an error without a message. */
const maxErrorLength = 1_000;

function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { data } = errorObject.safeParse(error);
  if (data) return data.message;
  return typeof error === 'object' && error !== null ? startOfJson(error, maxErrorLength) : '';
}
