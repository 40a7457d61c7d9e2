import type { PageAsked, PageAskedOption, PageAskedQuestion } from '../../shared/protocol/rowTypes.ts';
import { defined } from '../../shared/defined.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { visibleText } from '../../shared/text/hiddenCharacters.ts';
import { linesOf } from '../../shared/text/lines.ts';
import { plainLine, type Translate } from '../../shared/text.ts';
import type { AskedState } from '../conversation/asked.ts';
import type { ToolUse } from '../conversation/toolPairs.ts';
import { noteFurtherOptions } from '../conversation/truncate.ts';
import { shownQuestion } from '../store/waiting.ts';
import type { Waiting } from '../store/sessionRecord.ts';
import { lineWithoutMarks } from '../markdown/plainText.ts';
import { type AskedOption, type AskedQuestion, askedQuestions } from '../tools/questions.ts';
import { failureOf, readRejection } from '../tools/outcome.ts';
import { recognizeCall } from '../tools/recognize.ts';

/**
 * The maximum numbers of questions and options that are shown: more than a person would read. Notes say how many others
 * there are.
 */
const maxQuestions = 20;
const maxOptions = 200;
/** An option with more characters can't be chosen, because a person couldn't check it before sending it. */
const maxOptionLength = 1_000;
const maxLineLength = 160;

/** The state of a question, and the text of its answer, or of its failed result, if that is known. */
export interface KnownAnswer {
  readonly state: AskedState;
  readonly text?: string | undefined;
}

/** Describes a call that asks the user something, which the page shows as a card; undefined if it asks nothing. */
export function describeAsked(use: ToolUse, { state, text }: KnownAnswer, t: Translate): PageAsked | undefined {
  const call = recognizeCall(use.name, use.input);
  if (call.kind !== 'question') return undefined;
  const { isApproval } = call;
  const asked: readonly AskedQuestion[] = isApproval ? [planOf(call.text)] : askedQuestions(use.name, use.input);
  const shown = asked.slice(0, maxQuestions);
  let left = maxOptions;
  const questions = shown.map((each) => {
    const described = describeQuestion(each, left, t);
    left -= described.options.length;
    return described;
  });
  const further = asked.length - shown.length;
  const note =
    further === 0
      ? undefined
      : t({ one: "1 more question isn't shown.", other: "{0} more questions aren't shown." }, further);
  const result = text === undefined ? '' : state === 'failed' ? failureLine(text, t) : answerLine(text, asked, t);
  const answer = state === 'answered' || state === 'failed' ? result : '';
  return {
    type: 'asked',
    state,
    label: labelOf(isApproval, asked.length, questions[0]?.quote ?? '', t),
    answer,
    isApproval,
    questions,
    ...defined({ note }),
  };
}

function planOf(text: string): AskedQuestion {
  return { header: '', text, isMultiple: false, options: [], furtherCount: 0 };
}

function describeQuestion(
  { header, text, isMultiple, options, furtherCount }: AskedQuestion,
  most: number,
  t: Translate,
): PageAskedQuestion {
  const shown = options.slice(0, most);
  return {
    header: plainLine(header, 60),
    text,
    quote: quoteOf(text),
    isMultiple,
    options: shown.map((option) => describeOption(option, t)),
    ...noteFurtherOptions(furtherCount + options.length - shown.length, t),
  };
}

/**
 * An option as it is written into the composer: exactly its text. One that a person can't check there, because it is
 * long or contains hidden characters, is only shown.
 */
function describeOption({ text, detail }: AskedOption, t: Translate): PageAskedOption {
  const isLong = text.length > maxOptionLength;
  const label = visibleText(isLong ? `${startOfText(text, maxOptionLength)}…` : text);
  const line = plainLine(detail, 300);
  if (isLong) return { label, detail: line, failure: t('This option is too long. Write your answer below.') };
  if (label === text) return { label, detail: line };
  return { label, detail: line, failure: t('This option contains hidden characters. Write your answer below.') };
}

function labelOf(isApproval: boolean, count: number, quote: string, t: Translate): string {
  if (isApproval)
    return quote === ''
      ? t('The agent asks you to approve its plan')
      : t('The agent asks you to approve its plan: {0}', quote);
  return count < 2 ? t('The agent asks: {0}', quote) : t({ other: 'The agent asks {0} questions: {1}' }, count, quote);
}

/** The first line of Markdown text that isn't empty, without its marks. */
function quoteOf(text: string): string {
  const start = text.slice(0, 2_000).trimStart();
  return plainLine(lineWithoutMarks(linesOf(start)[0] ?? ''), maxLineLength);
}

/** The most informative line of the result of a failed call. */
function failureLine(text: string, t: Translate): string {
  const failure = failureOf({ type: 'tool_result', isError: true, content: [{ type: 'text', text }] });
  return plainLine(failure?.reason ?? '', maxLineLength) || t('no output');
}

/**
 * The answer in one line: what a tool's result says about each question, that the call was rejected, or else the text
 * without quoted lines.
 */
function answerLine(text: string, asked: readonly AskedQuestion[], t: Translate): string {
  const rejection = readRejection(text);
  if (rejection !== undefined) return rejection === '' ? t('Rejected') : t('Rejected: {0}', rejection);
  const start = text.slice(0, 8_000);
  const marks = asked.flatMap((question) => {
    const mark = `"${question.text}"="`;
    const at = start.indexOf(mark);
    return at === -1 ? [] : [{ at, end: at + mark.length }];
  });
  const answers = marks.flatMap(({ end }) => {
    const next = marks.reduce((least, { at }) => (at < end ? least : Math.min(least, at)), start.length);
    const said = start.slice(end, next);
    const length = lengthOfAnswer(said);
    return length === -1 ? [] : [said.slice(0, length)];
  });
  if (answers.length > 0) return plainLine(answers.join(', '), maxLineLength);
  const own = linesOf(start).filter((line) => !/^\s{0,3}>/.test(line) && line.trim() !== '');
  return plainLine(own.join(' '), maxLineLength);
}

/**
 * Patterns of what follows an answer in the result of a tool, the most reliable first. An answer can contain quotation
 * marks, too.
 */
const answerEnds = [
  /"(?= (?:user notes|selected preview):|(?:, |\s*)$|\. You can (?:now )?continue\b)/,
  /"(?=[.,])/,
  /"/,
];

/** The length of the answer at the beginning of a text, up to its closing quotation mark; -1 if there is none. */
function lengthOfAnswer(said: string): number {
  return answerEnds.map((end) => said.search(end)).find((at) => at !== -1) ?? -1;
}

/**
 * Explains in up to two lines, for a tooltip, why the agent may be waiting: the rule, and the question if it is known.
 */
export function explainWaiting({ rule, question }: Waiting, t: Translate): string {
  const line = shownQuestion(question);
  return [reasonOf(rule, t), line].filter((part) => part !== '').join('\n');
}

function reasonOf(rule: Waiting['rule'], t: Translate): string {
  switch (rule) {
    case 'question':
      return t('May be waiting for you: a question has no answer yet.');
    case 'approval':
      return t('May be waiting for you: a plan asks for your approval.');
    case 'answer':
      return t('May be waiting for you: the answer ends in a question.');
  }
}
