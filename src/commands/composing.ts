import { readSettings } from '../host/settings.ts';
import { type Log, reasonOf } from '../log.ts';
import type { Attachable, DeliveryAction } from '../protocol.ts';
import type { StoredAttachment } from '../state/outboxEntry.ts';
import { type SessionKey, keyText } from '../state/sessionKey.ts';
import type { Translate } from '../state/words.ts';
import type { Blobs } from '../sync/blobs.ts';
import type { Drafts } from '../sync/drafts.ts';
import type { Outbox } from '../sync/outbox.ts';
import type { ConversationPage } from '../views/conversationPage.ts';
import { attachWays } from './attachWays.ts';
import type { Attachments } from './attachments.ts';
import { askAboutChanges } from './changedAttachments.ts';
import { ToldError, sentenceOf } from './problems.ts';

export interface ComposingParts {
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly attachments: Attachments;
  readonly blobs: Blobs;
  readonly log: Log;
  readonly t: Translate;
}

/** What a person does in a composer and with the messages that leave it, for whichever page it is done on. */
export class Composing {
  readonly #parts: ComposingParts;
  /** Why something last asked for in a composer was refused, until the next thing is asked for. */
  readonly #problems = new Map<string, string>();
  readonly #sending = new Map<string, Promise<void>>();

  constructor(parts: ComposingParts) {
    this.#parts = parts;
  }

  /** The sentence under a session's composer, where something was refused. */
  problem(key: SessionKey): string | undefined {
    return this.#problems.get(keyText(key));
  }

  /** Keeps a failure to be shown under the composer. */
  takeProblem(key: SessionKey, error: unknown): void {
    this.#problems.set(keyText(key), sentenceOf(error, readSettings(), this.#parts.t));
  }

  /** @returns whether there was one. */
  forgetProblem(key: SessionKey): boolean {
    return this.#problems.delete(keyText(key));
  }

  /** Attaches what the person names. Throws where that cannot be. */
  async attach(key: SessionKey, what: Attachable): Promise<void> {
    const { attachments, t } = this.#parts;
    const kept = await attachWays(attachments, t)[what]({});
    if (kept) await attachments.addToDraft(key, kept);
  }

  /**
   * Takes the message over; the draft goes only once the outbox has it on disk. One after the other: what the first one
   * takes along must not be there for the second.
   */
  send(key: SessionKey, text: string, page: ConversationPage): Promise<void> {
    const before = this.#sending.get(keyText(key)) ?? Promise.resolve();
    const turn = before.then(() => this.#send(key, text, page));
    this.#sending.set(
      keyText(key),
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #send(key: SessionKey, text: string, page: ConversationPage): Promise<void> {
    const { drafts, outbox, t } = this.#parts;
    const attached = drafts.get(key).attachments;
    if (text.trim() === '' && attached.length === 0) return;
    drafts.setText(key, { text, selectionStart: text.length, selectionEnd: text.length }, page);
    const attachments = await askAboutChanges(attached, this.#parts);
    if (!attachments) {
      page.tell({ type: 'sendRefused', text, reason: t('Not sent. The message stays here as a draft.') });
      return;
    }
    this.#replaceAttachments(key, attached, attachments);
    try {
      await outbox.enqueue(key, { text, attachments });
    } catch (error) {
      this.#parts.log.error(`a message could not be put into the outbox: ${reasonOf(error)}`);
      const reason = t('The message could not be written to disk, so it was not sent. It stays here as a draft.');
      page.tell({ type: 'sendRefused', text, reason });
      return;
    }
    // What was typed meanwhile came as a draft of its own, and stays.
    const now = drafts.get(key);
    const left = now.attachments.filter((attachment) => !attachments.includes(attachment));
    const isUntouched = now.text === text;
    drafts.set(
      key,
      {
        text: isUntouched ? '' : now.text,
        selectionStart: isUntouched ? 0 : now.selectionStart,
        selectionEnd: isUntouched ? 0 : now.selectionEnd,
        attachments: left,
      },
      page,
    );
  }

  /** Puts what was attached again in the place of what it was before; what was attached meanwhile stays. */
  #replaceAttachments(key: SessionKey, before: readonly StoredAttachment[], after: readonly StoredAttachment[]): void {
    if (before === after) return;
    const draft = this.#parts.drafts.get(key);
    const attachments = draft.attachments.map((attachment) => after[before.indexOf(attachment)] ?? attachment);
    this.#parts.drafts.set(key, { ...draft, attachments });
  }

  /** Does what the person decided about a message on its way. @throws ToldError where it could not be done. */
  async deliver(key: SessionKey, entryId: string, action: DeliveryAction): Promise<void> {
    const { outbox, t } = this.#parts;
    const ways = {
      sendAgain: () => outbox.sendAgain(entryId),
      discard: () => outbox.discard(entryId),
      cancel: () => outbox.cancel(entryId),
      edit: () => this.#takeBack(key, entryId),
    };
    if (await ways[action]()) return;
    throw new ToldError(t('The message is on its way or was changed meanwhile, so nothing was done. Look again.'));
  }

  /** Puts a message back into the composer, before what stands there; it leaves the outbox only once that is on disk. */
  #takeBack(key: SessionKey, entryId: string): Promise<boolean> {
    const { outbox, drafts } = this.#parts;
    return outbox.edit(entryId, async (_key, { text, attachments }) => {
      const draft = drafts.get(key);
      const joined = draft.text === '' ? text : `${text}\n\n${draft.text}`;
      const caret = { selectionStart: text.length, selectionEnd: text.length };
      await drafts.replace(key, { text: joined, ...caret, attachments: [...attachments, ...draft.attachments] });
    });
  }
}
