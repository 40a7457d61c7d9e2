import * as z from 'zod/mini';
import { linesOf } from '../../shared/text/lines.ts';
import { argumentsOf, NamedCall } from './namedCall.ts';
import type { ToolCall } from './toolCall.ts';

const maxQuestions = 100;
const maxTextLength = 200_000;

const nonEmpty = z.string().check(z.refine((text) => text.trim() !== ''));
const questionList = z.array(z.unknown()).check(z.minLength(1), z.maxLength(maxQuestions));

/** A plan that waits for approval: Claude Code, droid, opencode, Gemini CLI, Qwen Code, Cline. */
export function approval(call: NamedCall): ToolCall | undefined {
  if (!call.isNamed(/\b(exit ?(plan|spec) ?mode|plan exit|plan mode respond|(request|submit) plan approval)\b/)) {
    return undefined;
  }
  if (call.fields.isPartial === true) return undefined;
  return { kind: 'question', text: nonEmpty.safeParse(call.fields.proposal).data ?? '', isApproval: true };
}

/**
 * Questions for the user, with or without answers to choose from: Claude Code, droid, Codex, Cline, Roo Code, Copilot,
 * Gemini CLI, opencode. A `question` alone can be one for a search tool.
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
  const { data: list } = questionList.safeParse(value);
  return list?.every((item) => Array.isArray(argumentsOf(item).options)) ?? false;
}

function questionsOf(value: unknown): readonly string[] | undefined {
  const one = nonEmpty.safeParse(value).data;
  if (one !== undefined) return markedQuestions(one) ?? [one];
  const { data: list } = questionList.safeParse(value);
  const texts = list?.map((item) => {
    const { questions, prompt } = argumentsOf(item);
    return nonEmpty.safeParse(typeof item === 'string' ? item : (questions ?? prompt)).data;
  });
  return texts?.every((text) => text !== undefined) ? texts : undefined;
}

/** The questions of droid's questionnaire: its lines with `[question]`. */
function markedQuestions(text: string): readonly string[] | undefined {
  const marked = linesOf(text.slice(0, maxTextLength)).flatMap(
    (line) => /^\s*(?:\d{1,3}[.)]\s*)?\[question\]\s+(\S.*)$/.exec(line)?.[1] ?? [],
  );
  return marked.length === 0 ? undefined : marked;
}

/** A task for another agent: Claude Code, droid, opencode, Codex, Copilot, Gemini CLI, Roo Code, Amp. */
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
