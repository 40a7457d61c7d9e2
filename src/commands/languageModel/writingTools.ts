import { settings } from '../../host/settings.ts';
import { visibleText } from '../../shared/text/hiddenCharacters.ts';
import { redactTextInSlices } from '../../shared/redaction/redaction.ts';
import { NotSentError } from '../../sync/outbox/outbox.ts';
import type { CommandContext } from '../context.ts';
import type { Consent } from './consent.ts';
import { sessionKeyOf } from './readingTools.ts';
import type { ToolCall } from './toolCall.ts';
import type { ToolInput } from './toolInputs.ts';

type WritingContext = Pick<CommandContext, 'store' | 'drafts' | 'outbox' | 'navigation' | 't'>;

/**
 * The tools that write messages. Only the user can send a draft, and the user is asked before a tool sends a message.
 * Hidden characters become visible codes first, so that the text in the draft or the question is the text that is sent
 * (R49).
 */
export class WritingTools {
  readonly #context: WritingContext;
  readonly #consent: Consent;

  constructor(context: WritingContext, consent: Consent) {
    this.#context = context;
    this.#consent = consent;
  }

  /** Adds text to the draft of a session, below what the user wrote, and shows the conversation. */
  async draftMessage(input: ToolInput<'lineside_draft_message'>): Promise<string> {
    const { drafts, navigation, t } = this.#context;
    const key = sessionKeyOf(this.#context, input);
    const { shown, note } = await prepared(input.text);
    drafts.addText(key, `${t('(Drafted by a language model)')}\n${shown}`);
    await drafts.flush();
    await navigation.openConversation(key);
    return `The text was added to the user's draft. The user decides whether to send it.${note}`;
  }

  /**
   * Sends a message if the user allows it. Resolves to a sentence about the outcome: the message was sent, has to
   * wait, or certainly wasn't sent, or its delivery is unknown.
   * @throws Error for the model if sending is turned off, the user declines, the call is canceled before the message is
   * queued, or the session isn't in the list.
   */
  async sendMessage(input: ToolInput<'lineside_send_message'>, { token }: ToolCall): Promise<string> {
    const { outbox } = this.#context;
    if (!settings.letsToolsSend.read()) throw new Error('The user has turned sending by language models off.');
    const key = sessionKeyOf(this.#context, input);
    const { shown, note } = await prepared(input.text);
    const isAllowed = await this.#consent.maySend(key, shown, token);
    if (!isAllowed) throw new Error('The user declined to send this message. Nothing was sent.');
    if (token.isCancellationRequested) throw new Error('Canceled. Nothing was sent.');
    const { entryId } = await outbox.enqueue(key, { text: shown, attachments: [] });
    const canceled = new AbortController();
    const listener = token.onCancellationRequested(() => canceled.abort());
    try {
      const settlement = await outbox.settled(entryId, canceled.signal);
      if (settlement === undefined) return 'The user discarded the message. It was not sent.';
      if ('queued' in settlement) return 'The message is queued and will be sent later. Do not send it again.';
      if ('unknown' in settlement) return 'Delivery is not confirmed. The user decides about it. Do not send it again.';
      return `The message was sent.${note}`;
    } catch (error) {
      if (!(error instanceof NotSentError)) throw error;
      return 'The message was not sent. It stays in the outbox, and the user decides about it. Do not send it again.';
    } finally {
      listener.dispose();
    }
  }
}

/**
 * A model's text as the user sees and sends it: hidden characters as codes, and without likely secrets. `note` tells
 * the model what was changed, so that it doesn't rely on the original text. A change of line breaks alone isn't worth a
 * note.
 */
async function prepared(text: string): Promise<{ readonly shown: string; readonly note: string }> {
  const visible = visibleText(text);
  const { value: shown, count } = await redactTextInSlices(visible);
  const isChanged = visible.length !== text.replace(/\r\n/g, '\n').length;
  const codes = isChanged ? ' Hidden characters in it were replaced by codes such as <U+202E>.' : '';
  const secrets = count === 0 ? '' : ` Likely secrets in it were replaced by [redacted]: ${count}.`;
  return { shown, note: codes + secrets };
}
