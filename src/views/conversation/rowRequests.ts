import type { PageFind } from '../../shared/protocol/readingProtocol.ts';
import type { PageMessage } from '../../shared/protocol/pageMessages.ts';
import { ConversationFind, type FindOptions } from './find.ts';
import type { FoundPlace } from './findMatches.ts';
import type { PageSender } from './pageUpdates.ts';

const types = ['wantRows', 'toggleGroup', 'revealMessage', 'find', 'findStep', 'findStop'] as const;

/** What a page asks about its own rows. */
export type RowRequest = Extract<PageMessage, { type: (typeof types)[number] }>;

/** Settles what a page asks about its own rows: which ones it has and shows, and what is found in them. */
export class RowRequests {
  readonly find: ConversationFind;
  readonly #sender: PageSender;
  readonly #due: () => void;

  /** @param due something is to be sent. */
  constructor(sender: PageSender, options: Omit<FindOptions, 'tell'>, due: () => void) {
    this.#sender = sender;
    this.#due = due;
    this.find = new ConversationFind({ ...options, tell: (...found) => this.#tellFound(...found) });
  }

  /** Whether a message is one of these. */
  static isOne(message: PageMessage): message is RowRequest {
    return types.some((type) => type === message.type);
  }

  handle(message: RowRequest): void {
    const { key, record, rows } = this.#sender;
    switch (message.type) {
      case 'wantRows':
        this.#sender.want(message.keys);
        return;
      case 'toggleGroup':
        if (record) rows.toggle(record, message.key);
        this.#sender.change('rows');
        return;
      case 'revealMessage':
        this.#sender.reveal(message.messageId);
        return;
      case 'find':
        if (key && record) this.find.start(key, message, rows.messageIdOf(record, message.fromKey ?? ''));
        return;
      case 'findStep':
        this.find.step(message.findId, message.by);
        return;
      case 'findStop':
        this.find.stop();
    }
  }

  /** What was found is told as it comes; a match is shown once its row is there. */
  #tellFound(find: PageFind, place?: FoundPlace): void {
    if (!place) this.#sender.tell({ type: 'found', find });
    else {
      const { messageId, ...match } = place;
      this.#sender.reveal(messageId, (key) => ({ type: 'found', find: { ...find, match: { key, ...match } } }));
    }
    this.#due();
  }
}
