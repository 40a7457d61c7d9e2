import type { AnswerSource, Asked } from '../../state/conversation/asked.ts';
import type { ConversationRow } from '../../state/conversation/row.ts';
import type { KnownAnswers } from '../../state/presentation/blocks.ts';
import { contentText } from '../../state/store/messageHeader.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { MessageSource } from './pageMessages.ts';

/** The answers to what messages ask the user. */
export class Answers {
  readonly #texts: ReadonlyMap<string, string>;

  /** @param texts the texts of answers by {@link answerName}. */
  private constructor(texts: ReadonlyMap<string, string>) {
    this.#texts = texts;
  }

  /** Reads the answers to the questions of rows: results of calls, and messages of the user. */
  static async read(store: MessageSource, key: SessionKey, rows: readonly ConversationRow[]): Promise<Answers> {
    const sources = rows.flatMap((row) => askedBy(row).flatMap(({ answer }) => answer ?? []));
    if (sources.length === 0) return new Answers(new Map());
    const ids = new Set(sources.flatMap((source) => ('messageId' in source ? source.messageId : [])));
    const messages = new Map((await store.readBodies(key, [...ids])).map((message) => [message.id, message]));
    const outbox = new Map(store.record(key)?.outbox.map(({ entryId, text }) => [entryId, text]));
    const texts = sources.flatMap((source): [string, string][] => {
      if ('entryId' in source) return [[answerName(source), outbox.get(source.entryId) ?? '']];
      const { content = [] } = messages.get(source.messageId) ?? {};
      const block = source.index === undefined ? undefined : content[source.index];
      const parts = block ? [block] : content.filter(({ type }) => type === 'text');
      return [[answerName(source), parts.map(contentText).join('\n')]];
    });
    return new Answers(new Map(texts));
  }

  /**
   * The states of the questions of a row, and the answers that are known, by the index of the call in the message's
   * content.
   */
  in(row: ConversationRow): KnownAnswers {
    return new Map(
      askedBy(row).map(({ index, state, answer }) => [
        index,
        { state, text: answer && this.#texts.get(answerName(answer)) },
      ]),
    );
  }
}

function askedBy({ source }: ConversationRow): readonly Asked[] {
  return 'messageId' in source ? (source.asked ?? []) : [];
}

function answerName(answer: AnswerSource): string {
  return 'entryId' in answer ? answer.entryId : `${answer.messageId} ${answer.index ?? ''}`;
}
