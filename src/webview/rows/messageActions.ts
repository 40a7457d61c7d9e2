import type { MessageAction } from '../../shared/protocol/vocabulary.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { ShownSession } from '../shownSession.ts';

/** Holds a draft and can send it to the host immediately. */
interface DraftSource {
  flush(): void;
}

/** Runs the actions of a message's menu, on the host. */
export class MessageActions {
  readonly #channel: HostChannel;
  readonly #session: ShownSession;
  readonly #draft: DraftSource;

  constructor(channel: HostChannel, session: ShownSession, draft: DraftSource) {
    this.#channel = channel;
    this.#session = session;
    this.#draft = draft;
  }

  /**
   * Runs an action for the message of a row. Quoting uses only the text selected in the message, if any. The draft is
   * sent first, because the host inserts a quote at the draft's caret.
   */
  run(key: string, action: MessageAction): void {
    const text = action === 'quote' ? selectedTextIn(key) : '';
    this.#draft.flush();
    const selected = text === '' ? {} : { text };
    this.#channel.post({ type: 'messageAction', ...this.#session.fields, action, key, ...selected });
  }
}

function selectedTextIn(key: string): string {
  const selection = document.getSelection();
  const row = selection?.anchorNode?.parentElement?.closest<HTMLElement>('article[data-key]');
  return row?.dataset['key'] === key ? (selection?.toString().trim() ?? '') : '';
}
