import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import { parseJson } from '../../shared/json.ts';

/** Only this many characters at the start and at the end are searched, and JSON up to the second length is parsed. */
const edgeLength = 2_000;
const maxJsonLength = 250_000;

/**
 * Lines that report an exit code, and nothing else: `Exit code: 1` (Codex, Claude Code, Gemini CLI), `<exited with exit
 * code 1>` (Copilot CLI), `[Command finished with exit code 1]` (OpenHands), `Command exited with code 1`.
 */
const exitLine =
  /^[[<(]?(?:(?:the )?(?:process|command|shell|terminal)? ?(?:exited|completed|finished|failed) with (?:exit )?(?:code|status)|exit (?:code|status))[: ]+(-?\d{1,10})\.?[\])>]?$/i;
/** Roo Code reports the exit code at the end of the first line. */
const sentence = /^Command executed in terminal\b.*\. Exit code: (-?\d{1,10})$/;
/** Codex begins the result of a command with a few such lines, one of which is an {@link exitLine}. */
const headLine = /^(?:Chunk ID|Wall time|Original token count|Process exited with code)\b/;
const maxHeadLines = 6;
/** First lines with which Claude Code, Cline, Roo Code, and Codex report a failure of the tool. */
const failureLine =
  /^(?:<(?:tool_use_)?error>|The tool execution failed with the following error|apply_patch verification failed)/;

const code = z.union([z.number(), z.string()]);
const exitFields = { exit_code: z.optional(code), exitCode: z.optional(code), exit_status: z.optional(code) };
/**
 * The JSON object that agents wrap a result in. It may have no other keys, because other JSON is content, for example
 * the file that was read.
 */
const envelope = z.strictObject({
  ...exitFields,
  success: z.optional(z.boolean()),
  error: z.optional(z.unknown()),
  output: z.optional(z.unknown()),
  stdout: z.optional(z.unknown()),
  stderr: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
  metadata: z.optional(z.looseObject(exitFields)),
});

/**
 * Whether the result of a tool call reports a failure: by its flag, or in one of the forms that docs/tools.md lists. They
 * are searched only in the first and the last lines and in whole JSON, because any other text can be content. A failed
 * call never counts as done.
 */
export function isFailedResult({ isError, content }: Extract<ContentBlock, { type: 'tool_result' }>): boolean {
  if (isError) return true;
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const start = texts[0]?.slice(0, edgeLength).trimStart() ?? '';
  const lines = start.split(/\r?\n/, maxHeadLines).map((line) => line.trimEnd());
  const first = lines[0] ?? '';
  const rest = lines.findIndex((line) => !headLine.test(line));
  const head = lines.slice(0, rest < 0 ? maxHeadLines : Math.max(1, rest));
  const last = texts.at(-1)?.slice(-edgeLength).trimEnd().split(/\r?\n/).at(-1) ?? '';
  return failureLine.test(first) || [...head, last].some(isFailedExit) || isFailedJson(texts);
}

function isFailedExit(line: string): boolean {
  const [, exitCode] = exitLine.exec(line) ?? sentence.exec(line) ?? [];
  return isFailureCode(exitCode);
}

function isFailedJson([text, ...others]: readonly string[]): boolean {
  if (text === undefined || others.length > 0 || text.length > maxJsonLength || !/^\s{0,9}\{/.test(text)) return false;
  const { data } = envelope.safeParse(parseJson(text));
  if (!data) return false;
  const { metadata = {}, success, error } = data;
  const exitCodes = [data, metadata].flatMap((fields) => [fields.exit_code, fields.exitCode, fields.exit_status]);
  const hasError = error !== undefined && error !== null && error !== '' && error !== false;
  return success === false || hasError || exitCodes.some(isFailureCode);
}

/** Whether a value is a number other than 0. */
function isFailureCode(value: string | number | undefined): boolean {
  const number = Number(value);
  return number < 0 || number > 0;
}
