import { plainTerminalText } from '../../shared/text/terminalText.ts';

/** A text of a tool's result, of any length. */
export type ResultText = string;

/** Only this many characters at the start and at the end of a text are read. */
export const edgeLength = 4_000;
/** The number of characters that are searched for a header after the command, which can be a script. */
const maxCommandLength = 20_000;
const maxHeadLines = 24;
const maxTailLines = 10;
/** The exit code of a trailer is within this many characters of the end. */
const maxTailLength = 1_000;

/**
 * Lines that report an exit code and nothing else: `Exit code: 1` (Codex, Claude Code, Gemini CLI),
 * `<exited with exit code 1>` (Copilot CLI), `[Process exited with code 1]` (droid),
 * `[Command finished with exit code 1]` (OpenHands), `Command exited with code 1` (pi), `<returncode>1</returncode>`
 * (mini-SWE-agent), `<system>ERROR: Command failed with exit code: 1.</system>` (Kimi CLI).
 */
const exitLine =
  /^[[<(]?(?:(?:the )?(?:process|command|shell|terminal|task)?(?: with (?:shell)?id:? \S{1,40})? ?(?:exited|completed|finished|failed) with (?:exit )?(?:code|status)[: ]+|(?:exit|return) ?code[: ]+|exit status: ?)(-?\d{1,10})(?: \(SIG[A-Z]{1,9}\))?\.?[\])>]?$/i;
const exitTag =
  /^<(?:(?:return_?code|exit_?code|exit_?status)>\s{0,9}|system>ERROR: Command failed with exit code: )(-?\d{1,10})\.?\s{0,9}<\/\w{1,20}>$/i;
/** Sentences that report an exit code: of droid, of Claude Code, and of Roo Code (at the end of the first line). */
const exitSentences: readonly RegExp[] = [
  /^(?:Error: )?Command failed \((?:exit )?code:? (-?\d{1,10})\)/i,
  /^Error: Exit code (-?\d{1,10})$/,
  /^Command executed in (?:terminal\b|').*\. Exit code: (-?\d{1,10})$/,
];
/** The sentence with which a result of Zed begins. It quotes the command, which can have several lines. */
const quotedCommand =
  /^Command "[^]{0,4000}?" (?:(?:failed|exited|finished|completed) with (?:exit )?(?:code|status) (-?\d{1,10})\b|timed out(?: after \d{1,10} ?(?:ms|s|seconds))?\.(?= (?:No output was captured\.|Output captured before timeout:)))/;
/** How tools write the time after which they ended a command, such as `5 seconds` and `2m 0.0s`. */
const limit = '[\\d.]{1,12}(?: ?(?:ms|milliseconds|s|seconds|m|minutes)\\b)?(?: [\\d.]{1,9}s)?';
/**
 * First lines with which a tool says that it ended a command (Gemini CLI and Qwen Code, Codex, Roo Code, Claude Code),
 * and the starts of such last lines (opencode, OpenHands, Claude Code). Programs don't print them.
 */
const stopHead =
  /^(?:Command was automatically cancelled because it exceeded the timeout of \d|Command was cancelled by user before it could (?:start|complete)\.|command timed out after \d{1,12} milliseconds$|Command executed in (?:terminal\b|').{0,1000}\. Process terminated by signal \S|Command timed out after \d{1,4}m \d{1,2}(?:\.\d)?s$)/;
const stopTail =
  /^(?:(?:bash|shell|terminal) tool terminated command after exceeding timeout \d|User aborted the command$|\[The command timed out after \d|<error>Command was aborted before completion<\/error>$)/;
/**
 * Last lines with which a tool says that it ended a command (pi and others). Programs can print them, too, but rarely
 * below a blank line.
 */
const stopParagraph = new RegExp(
  `^(?:Command timed out after ${limit}|Command terminated by signal SIG[A-Z]{1,9}|Command aborted)$`,
);
/** Whole texts with which a tool says that it ended a command (Codex and others). A longer text can be a program's. */
const stopText = new RegExp(
  `^(?:Wall time: [\\d.]{1,12} seconds\\naborted by user|aborted by user after [\\d.]{1,12}s|Command was aborted before completion|(?:The )?[Cc]ommand timed out after ${limit}\\.?)$`,
);
const exitTexts: readonly RegExp[] = [
  /^Error: (?:Command|Process|Shell) (?:failed|exited) with (?:exit )?code (-?\d{1,10})(?:: .{1,1000})?$/,
  /^(?:The )?[Cc]ommand exited with (?:non-zero status|(?:non-zero )?status code) (-?\d{1,10})\.?$/,
];
/**
 * The signal that ended a command (Gemini CLI and Qwen Code). Above or below it is a field that only these tools write.
 */
const signalLine = /^Signal: (?:SIG[A-Z]{1,9}|[1-9]|[1-5]\d|6[0-4])$/;
/** The error that explains why a command has no exit code. */
const errorLine = /^Error: (?!\(none\)$|0$)\S/i;
const noExitCode = /^Exit Code: \(none\)$/;
const trailerField = /^(?:Background PIDs|Process Group PGID): /;
/** The exit code for a command that a tool ended. Programs such as `timeout` use it, too. */
const stoppedCode = '124';
/** Claude Code's report on a background task that failed or was killed. */
const failedTag = /^<status>\s{0,9}(?:failed|killed)\s{0,9}<\/status>$/;

/** The lines before the output, in any order (Codex, Gemini CLI, Claude Code's background tasks, and others). */
const headLine =
  /^(?:Command executed in (?:terminal\b|')|(?:Command|Chunk ID|Wall time|Original token count|Total output lines|Session ID|Status|Duration|Signal|(?:Working )?Directory|Cwd|[Ee]xit [Cc]ode|[Ee]xit [Ss]tatus|Return code)\b[^:]{0,80}:|Exit code \d|Process (?:running|exited) with\b|Warning: truncated\b|<(?:untrusted_context|retrieval_status|task_id|task_type|status|command|cwd|returncode|return_code|exit_?code)>)/;
/** What begins the output. The output can follow on the same line. */
const outputLine = /^(?:(?:Command )?Output|Stdout|Stderr|Content)s?:|^<(?:output|stdout|stderr)>/i;
/** The line of a process that continues to run, and has no exit code yet (Codex). */
const runningLine = /^Process running with session ID\b/;
/** The lines after the output (Gemini CLI and Qwen Code, OpenHands). */
const tailLine =
  /^(?:(?:Error|Stderr): \((?:none|empty)\)$|(?:Exit Code|Signal|Background PIDs|Process Group PGID|Process ID|PID|Duration|Wall time)\b[^:]{0,40}:|<\/?(?:(?:bash_|shell_|terminal_)?metadata|untrusted_context)>$|\[(?:Current working directory|Python interpreter|Command finished with exit code|The command completed with exit code)\b.{0,1000}\]$)/;

/** The start of a text. */
interface Head {
  /** The first lines, at most {@link maxHeadLines}. */
  readonly lines: readonly string[];
  /**
   * The exit code in a header or in the first line; 0 for a process that is still running, 1 for a background task that
   * failed or was killed, and 124 for a command that the tool ended.
   */
  readonly exitCode: string | undefined;
  /** Whether the exit code is one of several fields, or in a distinctive form such as a tag. */
  readonly isStructured: boolean;
  /** The number of lines of the header. */
  readonly length: number;
  /** The line that says that the tool ended the command. */
  readonly stop: string | undefined;
}

/** The end of a text. */
interface Tail {
  /** The exit code in a trailer or in the last line; 124 for a command that the tool ended. */
  readonly exitCode: string | undefined;
  /** Whether the exit code is one of several fields. */
  readonly isStructured: boolean;
  /** The number of lines of the trailer. */
  readonly length: number;
  /** The line that says that the tool ended the command. */
  readonly stop: string | undefined;
}

/**
 * The start of a text, at most {@link edgeLength} characters, without blank lines at its beginning, the command that
 * Codex repeats before its header, and control sequences of terminals.
 */
export function startOf(text: ResultText): string {
  return afterCommand(plain(text.slice(0, edgeLength)).trimStart(), text);
}

/**
 * The lines in the last `length` characters of a text, at most {@link edgeLength}, up to the last line with text,
 * without control sequences.
 */
export function lastLines(text: ResultText, length: number): readonly string[] {
  if (length <= 0) return [];
  return plain(text.slice(-Math.min(length, edgeLength)))
    .trimEnd()
    .split('\n');
}

/** Reads the header in the start of a result, which {@link startOf} returned. */
export function readHead(start: string): Head {
  const lines = start.split('\n', maxHeadLines);
  const whole = readQuoted(start, lines) ?? readWhole(start.trimEnd(), lines);
  if (whole) return whole;
  let length = 0;
  for (const each of lines) {
    const line = each.trimEnd();
    const stop = stopHead.test(line) ? line : undefined;
    const own = firstGroup(exitSentences, line) ?? exitTag.exec(line)?.[1] ?? stateIn(line) ?? (stop && stoppedCode);
    const exitCode = own ?? readExitLine(line);
    if (exitCode !== undefined) {
      const end = headLength(lines, length + 1);
      return { lines, exitCode, isStructured: own !== undefined || end > 1, length: end, stop };
    }
    // Only headers that consist of tags can contain blank lines.
    const isHead = line === '' ? (lines[length - 1] ?? '').startsWith('<') : headLine.test(line);
    if (!isHead || outputLine.test(line)) break;
    length += 1;
  }
  return { lines, exitCode: undefined, isStructured: false, length: headLength(lines, length), stop: undefined };
}

/** Reads the sentence with which Zed begins a result. Except for the command that it quotes, it is one line. */
function readQuoted(start: string, lines: readonly string[]): Head | undefined {
  const [sentence, exitCode] = start.startsWith('Command "') ? (quotedCommand.exec(start) ?? []) : [];
  if (sentence === undefined) return undefined;
  const own = sentence.split('\n');
  if (own.length > 1 && isQuoteClosed(own[0] ?? '')) return undefined;
  const stop = exitCode === undefined ? own.at(-1) : undefined;
  return { lines, exitCode: exitCode ?? stoppedCode, isStructured: true, length: own.length, stop };
}

/**
 * Whether the quotation that begins on a line of a header also ends on that line. A quotation mark before a word begins
 * a nested quotation.
 */
function isQuoteClosed(line: string): boolean {
  let depth = 0;
  for (const { index } of line.matchAll(/"/g)) {
    depth += /^[\s=([{]"\S/.test(line.slice(index - 1, index + 2)) ? 1 : -1;
    if (depth === 0) return true;
  }
  return false;
}

/** Reads a text that consists of a report on the command. */
function readWhole(text: string, lines: readonly string[]): Head | undefined {
  const stop = stopText.test(text) ? text.slice(text.lastIndexOf('\n') + 1) : undefined;
  const exitCode = stop === undefined ? firstGroup(exitTexts, text) : stoppedCode;
  if (exitCode === undefined) return undefined;
  return { lines, exitCode, isStructured: true, length: text.split('\n', maxHeadLines).length, stop };
}

/** Reads the trailer in the last lines of a text. */
export function readTail(text: ResultText): Tail {
  const lines = lastLines(text, maxTailLength).slice(-maxTailLines);
  let [fields, length] = [0, 0];
  let [told, isOwn, hasNoExitCode]: [string | undefined, boolean, boolean] = [undefined, false, false];
  for (const last of lines.toReversed()) {
    const line = last.trimEnd();
    length += 1;
    isOwn ||= trailerField.test(line);
    hasNoExitCode ||= noExitCode.test(line);
    const above = (lines.at(-length - 1) ?? '').trimEnd();
    if (signalLine.test(line) && (isOwn || noExitCode.test(above))) told = line;
    if (errorLine.test(line) && hasNoExitCode) told = line;
    const isStop = stopTail.test(line) || (stopParagraph.test(line) && above === '');
    const exitCode = isStop ? stoppedCode : readExitLine(line);
    if (exitCode !== undefined) {
      const stop = isStop ? line : undefined;
      return { exitCode, isStructured: fields > 0, length: tailLength(lines, length), stop };
    }
    if (line === '') continue;
    if (!tailLine.test(line)) break;
    fields += 1;
  }
  if (told === undefined) return { exitCode: undefined, isStructured: false, length: 0, stop: undefined };
  return { exitCode: stoppedCode, isStructured: true, length, stop: told };
}

/** The exit code in a line that contains nothing else; undefined for other lines. */
export function readExitLine(line: string): string | undefined {
  return (exitLine.exec(line) ?? exitTag.exec(line))?.[1];
}

/** Whether a value is an exit code other than 0. */
export function isExitCodeOfFailure(value: string | number | null | undefined): boolean {
  const number = Number(value);
  return number < 0 || number > 0;
}

/** A line without the label that begins the output, such as `Output:`. */
export function withoutOutputLabel(line: string): string {
  return line.replace(outputLine, '').trim();
}

/** Removes the command that Codex repeats before its header, because the command's lines aren't part of the header. */
function afterCommand(start: string, text: ResultText): string {
  if (!start.startsWith('Command: ')) return start;
  const long = plain(text.slice(0, maxCommandLength));
  const at = long.search(/\n(?:Chunk ID|Wall time): /);
  return at < 0 ? start : long.slice(at + 1, at + 1 + edgeLength);
}

/** The first group of the first pattern that a text matches. */
function firstGroup(patterns: readonly RegExp[], text: string): string | undefined {
  for (const pattern of patterns) {
    const [, group] = pattern.exec(text) ?? [];
    if (group !== undefined) return group;
  }
  return undefined;
}

function stateIn(line: string): string | undefined {
  if (runningLine.test(line)) return '0';
  return failedTag.test(line) ? '1' : undefined;
}

/** The number of lines of a header whose first `length` lines are known. */
function headLength(lines: readonly string[], length: number): number {
  let end = length;
  while (end > 0 && end < maxHeadLines && end < lines.length && headLine.test(lines[end] ?? '')) end += 1;
  return end;
}

/** The number of lines of a trailer whose last `length` lines are known. */
function tailLength(lines: readonly string[], length: number): number {
  let end = length;
  while (end < lines.length && tailLine.test(lines.at(-end - 1) ?? '')) end += 1;
  return end;
}

/** Removes control sequences. Most texts have none, and checking that is faster. */
function plain(edge: string): string {
  const hasControls = ['\u001b', '\r', '\b', '\u009b'].some((control) => edge.includes(control));
  return hasControls ? plainTerminalText(edge) : edge;
}
