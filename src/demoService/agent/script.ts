import { answerText, failureText, longAnswerText } from './answerText.ts';
import { prepareReply } from './replies.ts';
import { planExchange, taskNotes, type ToolExchange, toolExchanges } from './texts.ts';
import { pick } from './random.ts';
import type { ContentBlock, Message, MessageDraft, TokenUsage } from '../resources.ts';

/** A scripted run of the agent. Each yielded value is the number of steps to wait before the run continues. */
export type Script = Generator<number, void, void>;

/** The message that a script answers, and the operations on its session. */
export interface Turn {
  readonly message: Message;
  /** Whether this is the session's first turn in this run of the service. */
  readonly isFirst: boolean;
  /** Whether the agent's last message before this turn is a question. */
  readonly asked: boolean;
  readonly random: () => number;
  readonly fails: boolean;
  readonly nextToolUseId: () => string;
  /** Adds a message and returns its ID. */
  append(draft: MessageDraft): string;
  revise(messageId: string, change: Partial<MessageDraft>): void;
  spend(tokens: Partial<TokenUsage>): void;
}

const growthSteps = 12;
const longTaskRounds = 24;
/**
 * In the long task, every sixth round completes an item of the list. The first two items are completed before the task
 * starts.
 */
const roundsPerItem = 6;
const itemsDoneBefore = 2;

/** Thinks, uses a tool, and writes an answer, or fails halfway. Takes about 20 steps. */
export function* answerTurn(turn: Turn): Script {
  turn.spend({ inputTokens: 1840, cacheReadTokens: 21_400, cacheCreationTokens: 640, serviceCredits: 0.21 });
  const { thought, exchange, answer } = prepareReply(turn.message, turn.asked, turn.random);
  yield* thinkAndUseTool(turn, thought, exchange);
  const whole = answerText(turn.message, answer, turn.isFirst);
  if (turn.fails) {
    yield* growText(turn, whole, growthSteps / 2);
    turn.append({ role: 'assistant', content: [text(failureText)], isError: true, visibility: 'both' });
    return;
  }
  yield* growText(turn, whole, growthSteps);
}

/** Simulates a large task: many rounds of thinking and tool calls before the answer. */
export function* longTurn(turn: Turn): Script {
  for (let round = 1; round <= longTaskRounds; round++) {
    turn.spend({ inputTokens: 920, cacheReadTokens: 34_000, serviceCredits: 0.17 });
    const note = `${pick(taskNotes, turn.random)} (step ${round} of ${longTaskRounds})`;
    const exchange = pick(toolExchanges, turn.random);
    const isItemDone = round % roundsPerItem === 0;
    yield* thinkAndUseTool(turn, note, isItemDone ? planExchange(itemsDoneBefore + round / roundsPerItem) : exchange);
    yield 12;
  }
  yield* growText(turn, longAnswerText, growthSteps);
}

function* thinkAndUseTool(turn: Turn, thought: string, exchange: ToolExchange): Script {
  const half = thought.slice(0, Math.ceil(thought.length / 2));
  const messageId = turn.append({ role: 'assistant', content: [thinking(half)], openaiPhase: 'commentary' });
  yield 2;
  turn.revise(messageId, { content: [thinking(thought)] });
  turn.spend({ thinkingTokens: Math.ceil(thought.length / 4) });
  yield 1;
  const toolUseId = turn.nextToolUseId();
  const use: ContentBlock = { type: 'tool_use', id: toolUseId, name: exchange.name, input: exchange.input };
  turn.revise(messageId, { content: [thinking(thought), text(exchange.announcement), use] });
  turn.spend({ outputTokens: 95 });
  yield 3;
  const isError = exchange.isError ?? false;
  turn.append({ role: 'tool', content: [{ type: 'tool_result', toolUseId, content: exchange.result, isError }] });
  turn.spend({ inputTokens: Math.ceil(exchange.result.length / 4) });
  yield 1;
}

/**
 * Adds a message and extends its text by 1/`growthSteps` of `whole` in each step. With fewer than `growthSteps` steps,
 * the text stays incomplete. It is always cut between words.
 */
function* growText(turn: Turn, whole: string, steps: number): Script {
  let messageId: string | undefined;
  for (let step = 1; step <= steps; step++) {
    const content = [text(startOf(whole, step / growthSteps))];
    if (messageId === undefined) messageId = turn.append({ role: 'assistant', content, openaiPhase: 'final_answer' });
    else turn.revise(messageId, { content });
    turn.spend({ outputTokens: Math.ceil(whole.length / growthSteps / 4), serviceCredits: 0.02 });
    yield 1;
  }
}

function startOf(whole: string, share: number): string {
  if (share >= 1) return whole;
  const space = whole.indexOf(' ', Math.ceil(whole.length * share));
  return space < 0 ? whole : whole.slice(0, space);
}

function text(words: string): ContentBlock {
  return { type: 'text', text: words };
}

function thinking(words: string): ContentBlock {
  return { type: 'thinking', thinking: words, signature: 'c2FuZGJveA==', signatureProvider: 'anthropic' };
}
