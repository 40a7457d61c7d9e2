import type { MessageHeader } from '../store/messageHeader.ts';
import { readToolMarks } from '../tools/toolMarks.ts';
import type { TurnSteps } from './turnSteps.ts';

/**
 * The state of a question to the user. `open`: it can still be answered. `answered`: its call has a result, which can
 * also be a rejection, or the user's next message follows. `failed`: its call failed, so the result is no answer.
 * `passed`: no result names its call, but the agent continued, or a later result names no call, so it may belong to any
 * call.
 */
export type AskedState = 'open' | 'answered' | 'failed' | 'passed';

/**
 * What answers a question: the result of its call, which can also say why the call failed, the user's next message, or
 * one that is being sent. `updatedAt` changes with the text of a message. The text of an outbox entry never changes.
 * `index` is the position of the result in its message; absent for a message of the user.
 */
export type AnswerSource =
  | { readonly messageId: string; readonly updatedAt: number; readonly index?: number }
  | { readonly entryId: string };

/** A question to the user: the position of its call in its message, and its answer. */
export interface Asked {
  readonly index: number;
  readonly state: AskedState;
  readonly answer?: AnswerSource | undefined;
}

/** Whether a message asks the user something with a tool. */
export function asksUser(header: MessageHeader): boolean {
  return questionPlaces(header).length > 0;
}

/** The positions of the calls with which a message asks the user something. */
export function questionPlaces({ tools }: MessageHeader): readonly number[] {
  if (!mayAsk(tools)) return [];
  return readToolMarks(tools).flatMap((mark) => (mark.type === 'call' && mark.kind === 'question' ? mark.index : []));
}

/** The questions of a turn, read on demand. */
export class TurnQuestions {
  readonly #turn: readonly MessageHeader[];
  readonly #steps: TurnSteps;
  readonly #reply: AnswerSource | undefined;
  #asked: ReadonlyMap<string, readonly Asked[]> | undefined;

  /**
   * @param turn the messages of the turn.
   * @param reply the user's message after the turn; undefined if there is none yet.
   */
  constructor(turn: readonly MessageHeader[], steps: TurnSteps, reply: AnswerSource | undefined) {
    this.#turn = turn;
    this.#steps = steps;
    this.#reply = reply;
  }

  /** The questions of a message of the turn. */
  of({ messageId, tools }: MessageHeader): readonly Asked[] {
    if (!mayAsk(tools)) return [];
    return (this.#asked ??= this.#read()).get(messageId) ?? [];
  }

  #read(): ReadonlyMap<string, readonly Asked[]> {
    const asked = new Map<string, readonly Asked[]>();
    let isPassed = false;
    for (const header of this.#turn.toReversed()) {
      if (mayAsk(header.tools)) asked.set(header.messageId, this.#askedIn(header, isPassed));
      isPassed ||= continues(header);
    }
    return asked;
  }

  #askedIn({ messageId }: MessageHeader, isPassed: boolean): readonly Asked[] {
    const reply = this.#reply;
    return this.#steps.of(messageId).flatMap(({ kind, index, state, result }): readonly Asked[] => {
      if (kind !== 'question') return [];
      if (result) return [{ index, state: state === 'failed' ? 'failed' : 'answered', answer: result }];
      if (isPassed) return [{ index, state: 'passed' }];
      return [reply ? { index, state: 'answered', answer: reply } : { index, state: 'open' }];
    });
  }
}

/** Whether a message may ask the user something. Fast, but also true for another call whose label is `question`. */
function mayAsk(tools: string | undefined): boolean {
  return tools?.includes('"question"') === true;
}

/** Whether the agent did something in a message, or a result arrived in it that may belong to any call. */
function continues({ isGone, isModelOnly, hasText, tools }: MessageHeader): boolean {
  if (isGone === true || isModelOnly) return false;
  return hasText || readToolMarks(tools).some((mark) => mark.type === 'call' || mark.callId === undefined);
}

/** A string that changes whenever the questions are drawn differently. */
export function askedMark(asked: readonly Asked[]): string {
  return asked
    .map(({ index, state, answer }) => ` asks ${index} ${state} ${answer ? answerMark(answer) : ''}`)
    .join('');
}

function answerMark(answer: AnswerSource): string {
  return 'entryId' in answer ? answer.entryId : `${answer.messageId} ${answer.updatedAt}`;
}
