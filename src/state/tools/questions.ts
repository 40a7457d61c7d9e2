import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import { linesOf } from '../../shared/text/lines.ts';
import { argumentsOf, NamedCall } from './namedCall.ts';
import type { ToolCall } from './toolCall.ts';

const maxQuestions = 100;
const maxTextLength = 200_000;

const nonEmpty = z.string().check(z.refine((text) => text.trim() !== ''));
const questionList = z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxQuestions));

/** Recognizes a plan that waits for approval (Claude Code, droid, opencode, Gemini CLI, Qwen Code, Cline). */
export function approval(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/\b(exit ?(plan|spec) ?mode|plan exit|plan mode respond|(request|submit) plan approval)\b/)) {
    return undefined;
  }
  if (call.fields.isPartial === true) return undefined;
  return { kind: 'question', text: nonEmpty.safeParse(call.fields.proposal).data ?? '', isApproval: true };
}

/**
 * Recognizes questions for the user, with or without answers to choose from (Claude Code, droid, Codex, Cline, Roo
 * Code, Copilot, Gemini CLI, opencode). An argument `question` alone isn't enough, because it can belong to a search.
 */
export function question(call: NamedCall): ToolCall | undefined {
  const { questions, prompt, options } = call.fields;
  const isChoice = options !== undefined || Array.isArray(questions);
  const isNamed = call.isNamed(/\b(ask ?user|ask followup question|ask human|user (question|input))\b/);
  if (!isNamed && !(isChoice && call.isNamed(/\b(ask|questions?|clarify)\b/)) && !isQuestionnaire(questions)) {
    return undefined;
  }
  const texts = questionsOf(questions ?? prompt);
  return texts && { kind: 'question', text: texts.join('\n'), isApproval: false };
}

/** Whether a value is a list of questions with answers to choose from. */
function isQuestionnaire(value: unknown): boolean {
  if (value === undefined) return false;
  const { data: list } = questionList.safeParse(value);
  return list?.every((item) => Array.isArray(argumentsOf(item).options)) ?? false;
}

function questionsOf(value: unknown): readonly string[] | undefined {
  const one = nonEmpty.safeParse(value).data;
  if (one !== undefined) return markedForm(one)?.map(({ text }) => text) ?? [one];
  const { data: list } = questionList.safeParse(value);
  const texts = list?.map((item) => {
    const { questions, prompt } = argumentsOf(item);
    return nonEmpty.safeParse(typeof item === 'string' ? item : (questions ?? prompt)).data;
  });
  return texts?.every((text) => text !== undefined) ? texts : undefined;
}

/** A question of a call, with the answers to choose from. All text is untrusted, unchanged, and can be long. */
export interface AskedQuestion {
  /** A word or two above the question; empty if there is none. */
  readonly header: string;
  readonly text: string;
  readonly isMultiple: boolean;
  /** The first options that have a text; empty if the person answers in their own words. */
  readonly options: readonly AskedOption[];
  /** The number of other options: those after the first {@link maxOptions}, and those without a text. */
  readonly furtherCount: number;
}

export interface AskedOption {
  readonly text: string;
  /** Explains the option; empty if nothing does. */
  readonly detail: string;
}

/** The maximum number of options that are read from a question. */
const maxOptions = 50;

/**
 * The individual questions of a call that {@link question} recognizes, each with at most its first {@link maxOptions}
 * options. Empty for other calls.
 */
export function askedQuestions(name: string, input: unknown): readonly AskedQuestion[] {
  const call = new NamedCall(name, input);
  const { questions, prompt } = call.fields;
  if (question(call) === undefined) return [];
  const one = nonEmpty.safeParse(questions ?? prompt).data;
  if (one !== undefined) return markedForm(one) ?? [formOf(one, call.fields)];
  const list = questionList.safeParse(questions).data ?? questionList.safeParse(prompt).data;
  return (list ?? []).map((item) => {
    if (typeof item === 'string') return formOf(item, {});
    const fields = argumentsOf(item);
    return formOf(nonEmpty.safeParse(fields.questions ?? fields.prompt).data ?? '', fields);
  });
}

function formOf(text: string, fields: Pick<NamedCall['fields'], 'heading' | 'options' | 'isMultiple'>): AskedQuestion {
  const items = listOf(fields.options);
  const options = items.slice(0, maxOptions).flatMap(optionOf);
  return {
    header: nonEmpty.safeParse(fields.heading).data ?? '',
    text,
    isMultiple: fields.isMultiple === true,
    options,
    furtherCount: items.length - options.length,
  };
}

/** The members of a list, which some models write as JSON text. */
function listOf(value: unknown): readonly unknown[] {
  const isJson = typeof value === 'string' && value.length <= maxTextLength && value.trimStart().startsWith('[');
  const list = isJson ? parseJson(value) : value;
  return Array.isArray(list) ? list : [];
}

function optionOf(item: unknown): readonly AskedOption[] {
  const { optionText, optionDetail } = argumentsOf(item);
  const text = nonEmpty.safeParse(typeof item === 'string' ? item : optionText).data;
  return text === undefined ? [] : [{ text, detail: nonEmpty.safeParse(optionDetail).data ?? '' }];
}

/** The questions of droid's questionnaire with the lines that follow each of them; undefined if it has none. */
function markedForm(text: string): readonly AskedQuestion[] | undefined {
  const found: { header: string; text: string; options: AskedOption[]; furtherCount: number }[] = [];
  for (const line of linesOf(text.slice(0, maxTextLength))) {
    const [, mark, rest] = /^\s*(?:\d{1,3}[.)]\s*)?\[(question|topic|option)\]\s+(\S.*)$/.exec(line) ?? [];
    const last = found.at(-1);
    if (rest === undefined) continue;
    if (mark === 'question') found.push({ header: '', text: rest, options: [], furtherCount: 0 });
    else if (mark === 'topic' && last) last.header = rest;
    else if (mark === 'option' && last && last.options.length < maxOptions)
      last.options.push({ text: rest, detail: '' });
    else if (mark === 'option' && last) last.furtherCount += 1;
  }
  return found.length === 0 ? undefined : found.map((each) => ({ ...each, isMultiple: false }));
}

/** Recognizes a task for another agent (Claude Code, droid, opencode, Codex, Copilot, Gemini CLI, Roo Code, Amp). */
export function agent(call: NamedCall): ToolCall | undefined {
  const { prompt, summary, agentType } = call.fields;
  const isAgent = call.isNamed(/\b(agent|subagent|task|delegate|oracle|handoff|codebase investigator|generalist)\b/);
  if (!isAgent && agentType === undefined) return undefined;
  if (
    call.isNamed(/\b(list|get|update|create|stop|wait|close|kill|send|output|status|complete|finish|resume|run task)\b/)
  ) {
    return undefined;
  }
  const task = nonEmpty.safeParse(prompt).data;
  return task === undefined ? undefined : { kind: 'agent', task: nonEmpty.safeParse(summary).data ?? task };
}
