import type * as vscode from 'vscode';
import type { AttachmentKind, DeliveryAction, SendTime } from '../../shared/protocol/vocabulary.ts';
import { readSettings } from '../../host/settings.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { Blobs } from '../../sync/storage/blobStore.ts';
import type { Drafts } from '../../sync/drafts/drafts.ts';
import type { Outbox } from '../../sync/outbox/outbox.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { attachWays, droppedUri } from '../attachments/sources.ts';
import type { Attachments } from '../attachments/attachments.ts';
import { askAboutChanges } from '../attachments/changed.ts';
import { pickComputer } from './computers.ts';
import { UserFacingError, errorMessageOf } from '../errors.ts';

export interface ComposingParts {
  readonly store: Store;
  readonly drafts: Drafts;
  readonly outbox: Outbox;
  readonly attachments: Attachments;
  readonly blobs: Blobs;
  readonly log: Log;
  readonly t: Translate;
}

/** What was written, and when it is to go where the person chose that for this message. */
export interface ComposedMessage {
  readonly text: string;
  readonly when?: SendTime | undefined;
}

/** What a person does in a composer and with the messages that leave it, for whichever page it is done on. */
export class ComposerController {
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
    this.#problems.set(keyText(key), errorMessageOf(error, readSettings(), this.#parts.t));
  }

  /** @returns whether there was one. */
  forgetProblem(key: SessionKey): boolean {
    return this.#problems.delete(keyText(key));
  }

  /** Attaches what the person names. Throws where that cannot be. */
  async attach(key: SessionKey, what: AttachmentKind): Promise<void> {
    const { attachments, t } = this.#parts;
    await this.#add(key, await attachWays(attachments, t)[what]({}));
  }

  /** Attaches a file. Throws NotAttachable where that cannot be. */
  async attachFile(key: SessionKey, uri: vscode.Uri): Promise<void> {
    await this.#add(key, await this.#parts.attachments.fromFile(uri));
  }

  /** Attaches what was pasted or dropped on the page. Throws NotAttachable where that cannot be. */
  async attachBytes(key: SessionKey, attachmentId: string, name: string, bytes: Uint8Array): Promise<void> {
    const { attachments, drafts } = this.#parts;
    const taken = drafts.get(key).attachments;
    if (taken.some((attachment) => attachment.attachmentId === attachmentId)) return;
    const freeName = nameBeside(name, new Set(taken.map((attachment) => attachment.name)));
    const kept = await attachments.fromBytes(freeName, bytes);
    await this.#add(
      key,
      kept?.map((attachment) => ({ ...attachment, attachmentId })),
    );
  }

  /**
   * Attaches files and folders that were dropped on the page, by their URIs, like chosen ones. Throws NotAttachable where
   * one of them cannot be.
   */
  async attachUris(key: SessionKey, texts: readonly string[]): Promise<void> {
    const { attachments, t } = this.#parts;
    await this.#add(key, await attachWays(attachments, t).file({ uris: texts.map(droppedUri) }));
  }

  /** Asks for the computer this session's next message goes to, or takes the one named. */
  async chooseComputer(key: SessionKey, named?: string): Promise<void> {
    const { store, t } = this.#parts;
    const computerId = named ?? (await pickComputer(store, key, t));
    if (computerId !== undefined) this.setComputer(key, computerId);
  }

  /** Routes the next message to a computer; undefined: to the session's own (spec 4.4). */
  setComputer(key: SessionKey, computerId: string | undefined): void {
    const { drafts } = this.#parts;
    drafts.set(key, { ...drafts.get(key), computerId });
  }

  /** Puts text into the draft where its caret is. */
  insert(key: SessionKey, text: string): void {
    const { drafts } = this.#parts;
    const draft = drafts.get(key);
    const caret = draft.selectionStart + text.length;
    const joined = draft.text.slice(0, draft.selectionStart) + text + draft.text.slice(draft.selectionEnd);
    drafts.setText(key, { text: joined, selectionStart: caret, selectionEnd: caret });
  }

  /**
   * Takes the message over; the draft goes only once the outbox has it on disk. One after the other: what the first one
   * takes along must not be there for the second. `page` is where it was written: there a failure is told.
   * @throws ToldError where it was not taken over and was not written on a page.
   */
  send(key: SessionKey, message: ComposedMessage, page?: ConversationPage): Promise<void> {
    const before = this.#sending.get(keyText(key)) ?? Promise.resolve();
    const turn = before.then(() => this.#send(key, message, page));
    this.#sending.set(
      keyText(key),
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #send(key: SessionKey, { text, when }: ComposedMessage, page: ConversationPage | undefined): Promise<void> {
    const { drafts, outbox, t } = this.#parts;
    const { attachments: attached, computerId } = drafts.get(key);
    if (text.trim() === '' && attached.length === 0) return;
    drafts.setText(key, { text, selectionStart: text.length, selectionEnd: text.length }, page);
    const attachments = await this.#asToSend(attached, text, page);
    if (!attachments) return;
    this.#replaceAttachments(key, attached, attachments);
    try {
      await outbox.enqueue(key, { text, attachments, computerId, when });
    } catch (error) {
      this.#parts.log.error(`a message could not be put into the outbox: ${reasonOf(error)}`);
      const reason = t('The message could not be written to disk, so it was not sent. It stays here as a draft.');
      refuse(text, reason, page);
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
        computerId: now.computerId === computerId ? undefined : now.computerId,
      },
      page,
    );
  }

  /** The attachments as they are to be sent; undefined where `text` went back to its page, whose field is empty by now. */
  async #asToSend(
    attached: readonly StoredAttachment[],
    text: string,
    page: ConversationPage | undefined,
  ): Promise<readonly StoredAttachment[] | undefined> {
    const { log, t } = this.#parts;
    const declined = t('Not sent. The message stays here as a draft.');
    try {
      const attachments = await askAboutChanges(attached, this.#parts);
      if (attachments) return attachments;
    } catch (error) {
      if (!page) throw error;
      log.error(`what is attached could not be looked at: ${reasonOf(error)}`);
      refuse(text, `${errorMessageOf(error, readSettings(), t)} ${declined}`, page);
      return undefined;
    }
    refuse(text, declined, page);
    return undefined;
  }

  /** Puts what was attached again in the place of what it was before; what was attached meanwhile stays. */
  #replaceAttachments(key: SessionKey, before: readonly StoredAttachment[], after: readonly StoredAttachment[]): void {
    if (before === after) return;
    const draft = this.#parts.drafts.get(key);
    const attachments = draft.attachments.map((attachment) => after[before.indexOf(attachment)] ?? attachment);
    this.#parts.drafts.set(key, { ...draft, attachments });
  }

  async #add(key: SessionKey, kept: readonly StoredAttachment[] | undefined): Promise<void> {
    if (kept) await this.#parts.attachments.addToDraft(key, kept);
  }

  /** Does what the person decided about a message on its way. @throws ToldError where it could not be done. */
  async deliver(key: SessionKey, entryId: string, action: DeliveryAction): Promise<void> {
    const { outbox, t } = this.#parts;
    const ways = {
      sendAgain: () => outbox.sendAgain(entryId),
      discard: () => outbox.discard(entryId),
      cancel: () => this.#stop(key, entryId),
      edit: () => this.#takeBack(key, entryId),
    };
    if (await ways[action]()) return;
    throw new UserFacingError(
      t('The message is on its way or was changed meanwhile, so nothing was done. Look again.'),
    );
  }

  /** Stops a message. One that was being sent and surely was not comes back into the composer, as before it was sent. */
  async #stop(key: SessionKey, entryId: string): Promise<boolean> {
    const { store, outbox } = this.#parts;
    const entry = () => store.record(key)?.outbox.find((known) => known.entryId === entryId);
    const wasSending = entry()?.state === 'sending';
    if (!(await outbox.cancel(entryId))) return false;
    if (!wasSending) return true;
    // How it ended is in its entry; a refusal by the service at that moment stays there with what it said.
    await outbox.settled(entryId).catch(() => undefined);
    const stopped = entry();
    if (stopped?.state === 'notSent' && stopped.problem?.kind === 'cancelled') await this.#takeBack(key, entryId);
    return true;
  }

  /** Puts a message back into the composer, before what stands there; it leaves the outbox only once that is on disk. */
  #takeBack(key: SessionKey, entryId: string): Promise<boolean> {
    const { outbox, drafts } = this.#parts;
    return outbox.edit(entryId, async (_key, { text, attachments, computerId = drafts.get(key).computerId }) => {
      const draft = drafts.get(key);
      const joined = draft.text === '' ? text : `${text}\n\n${draft.text}`;
      const caret = { selectionStart: text.length, selectionEnd: text.length };
      const joinedAttachments = [...attachments, ...draft.attachments];
      await drafts.replace(key, { text: joined, ...caret, attachments: joinedAttachments, computerId });
    });
  }
}

/** Gives a text back to the page it was written on, with the reason. @throws ToldError where there is none */
function refuse(text: string, reason: string, page: ConversationPage | undefined): void {
  if (!page) throw new UserFacingError(reason);
  page.post({ type: 'sendRefused', text, reason });
}

/** A name that is not taken: `image.png`, `image-2.png`, ... */
function nameBeside(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${stem}-${count}${extension}`;
  return free;
}
