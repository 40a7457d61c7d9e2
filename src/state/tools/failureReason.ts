import { splitSentences } from '../../shared/text.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import {
  edgeLength,
  lastLines,
  readExitLine,
  readHead,
  readTail,
  type ResultText,
  startOf,
  withoutOutputLabel,
} from './resultText.ts';

/** The maximum numbers of characters of a line that are searched for words, and that are shown. */
const maxSearchedLength = 400;
const maxShownLength = 120;
/** More lines than the edges of a text can have. */
const maxLines = 8_100;

/** Words for a failure, unless they are a part of a path such as `errors.ts`. */
const errorWord =
  /(?:error|exception)s?(?![\w./\\-])|(?<![\w./\\-])(?:fail(?:ed|ure|ures|s|ing)?|broken?|fatal|panic(?:ked)?|denied|refused|not found|no such|can(?:not|'t)|unable to|timed out|ERR!)(?![\w/\\-])/i;
/** What a compiler or linter reports about a place in a file, except for warnings and notes. */
const diagnostic = /^(?:[a-z]:)?(?=[^\s:]{0,300}[./\\])[^\s:]{1,300}:\d{1,7}:\d{1,7}:? (?!\s*(?:warning|note|info)\b)/i;
/** Lines of tests that passed, and counts of zero errors or failures. */
const fineLine = /^\s{0,40}(?:[✓✔√]|ok\b|pass(?:ed)?\b)|\b(?:0|no) (?:errors?|fail\w{0,5}|exceptions?)\b/i;
/** Lines without a word, such as rules, braces, and fences, and the line before a Python stack trace. */
const emptyLine = /^[^\p{L}\p{N}]*$|^Traceback \(most recent call last\):$/u;
const tags = /^(?:<\/?\w{1,30}>\s{0,9}){1,5}|(?:<\/\w{1,30}>){1,5}$/g;

/**
 * The most informative line of a failed result: the one that says that the tool ended the command, else the first line
 * after headers that names an error, else the last one with text, which is an exit code only if there is no other, else
 * a line of the header. Empty if there is none. Reads only the edges of the texts.
 */
export function reasonIn(texts: readonly ResultText[]): string {
  const start = startOf(texts[0] ?? '');
  const head = readHead(start);
  const [output = '', ...more] = start.split('\n').slice(head.length);
  const end = texts.at(-1) ?? '';
  const tail = readTail(end);
  const stop = head.stop ?? tail.stop;
  if (stop !== undefined) return shownLine(splitSentences(stop)[0] ?? '');
  const last = lastLines(end, texts.length === 1 ? end.length - edgeLength : end.length);
  const lines = [withoutOutputLabel(output), ...more, ...last].slice(0, maxLines);
  lines.length -= Math.min(lines.length, tail.length);
  let [lastTold, lastShown] = ['', ''];
  for (const line of lines) {
    const shown = shownLine(line);
    if (shown === '') continue;
    lastShown = shown;
    if (readExitLine(shown) !== undefined) continue;
    if (namesError(line.slice(0, maxSearchedLength).trim())) return shown;
    lastTold = shown;
  }
  return lastTold || lastShown || exitLineIn(head.lines, head.length);
}

/**
 * The first line with text, without tags around it. A label such as `Error:` counts only if no other line has text.
 * Empty if none has.
 */
export function firstReason(lines: readonly string[]): string {
  const shown = lines.slice(0, maxLines).map(shownLine);
  const isLabel = (line: string) => /^error$|\berror:$/i.test(line);
  return shown.find((line) => line !== '' && !isLabel(line)) ?? shown.find((line) => line !== '') ?? '';
}

/**
 * The line of a header that contains only an exit code, or else the first line of the header; empty if none has text.
 */
function exitLineIn(lines: readonly string[], headLength: number): string {
  const line = lines.find((each) => readExitLine(each) !== undefined) ?? (headLength > 0 ? lines[0] : undefined);
  return line === undefined ? '' : shownLine(line);
}

function namesError(line: string): boolean {
  return (errorWord.test(line) || diagnostic.test(line)) && !fineLine.test(line);
}

function shownLine(line: string): string {
  const shown = startOfText(line, maxShownLength).trim().replace(tags, '').trim();
  return emptyLine.test(shown) ? '' : shown;
}
