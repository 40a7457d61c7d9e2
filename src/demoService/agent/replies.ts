import { base64Start } from '../base64.ts';
import type { Message } from '../resources.ts';
import { freePriceAnswer, freePriceExchange } from './freePrice.ts';
import { pick } from './random.ts';
import { answers, thoughts, type ToolExchange, toolExchanges } from './texts.ts';

/** What the agent does in a turn: it thinks, uses a tool, and writes an answer. */
interface Reply {
  readonly thought: string;
  readonly exchange: ToolExchange;
  readonly answer: string;
}

const quotedCharacters = 200;
/** Only the start of an attachment is searched, because it can be several megabytes. */
const searchedBytes = 20_000;

/**
 * Prepares the reply to a message. A message about `portionPrice` in the sample project gets an answer about that
 * function, a message after a question of the agent gets a confirmation, and other messages get a random sample, which
 * asks nothing if the message is itself a question.
 * @param asked whether the agent's last message before this one is a question.
 */
export function prepareReply(message: Message, asked: boolean, random: () => number): Reply {
  const [thought, exchange] = [pick(thoughts, random), pick(toolExchanges, random)];
  if (isAboutFreePrice(message)) return { thought, exchange: freePriceExchange, answer: freePriceAnswer };
  const sample = pick(answers, random);
  const answer = isQuestion(message) && sample.endsWith('?') ? sample.slice(0, sample.lastIndexOf('.') + 1) : sample;
  return { thought, exchange, answer: asked ? confirmation(message) : answer };
}

/** Whether a message is a question: it ends with a question mark, or with a call of the `ask_user` tool. */
export function isQuestion({ content }: Message): boolean {
  const last = content.at(-1);
  if (last?.type === 'text') return last.text.trimEnd().endsWith('?');
  return last?.type === 'tool_use' && last.name === 'ask_user';
}

function isAboutFreePrice(message: Message): boolean {
  return message.content.some((block) => {
    if (block.type === 'text') return mentionsFreePrice(block.text);
    return (
      block.type === 'document' && mentionsFreePrice(base64Start(block.source.data, searchedBytes).toString('utf8'))
    );
  });
}

function mentionsFreePrice(text: string): boolean {
  return /\bportionPrice\b|\b(?:0|zero) cents\b/i.test(text);
}

/** Repeats the user's decision, and never ends in a question, so that the session stops waiting for the user. */
function confirmation(message: Message): string {
  const said = message.content.flatMap((block) => (block.type === 'text' ? [block.text.trim()] : [])).join(' ');
  const decision = Array.from(said.replace(/\s+/g, ' ')).slice(0, quotedCharacters).join('');
  return `Thanks, that decides it:

> ${decision}

I made the change and added a test for it. All 42 tests pass.`;
}
