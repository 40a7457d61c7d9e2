import type * as vscode from 'vscode';
import type { AttachmentMenuItem, UnavailableAttachments } from '../../shared/protocol/pageModel.ts';
import type { AttachmentKind, DeliveryAction, SendCondition, SendTime } from '../../shared/protocol/vocabulary.ts';
import { confirm } from '../../host/prompts/notify.ts';
import { readSettings } from '../../host/settings.ts';
import { messageWithComments } from '../../state/documents/messageWithComments.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { KeyedQueue } from '../../shared/serialQueue.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';
import { unsentComments } from '../../state/store/sessionRecord.ts';
import type { Translate } from '../../shared/text.ts';
import { paragraphs } from '../../shared/text/paragraphs.ts';
import type { DraftVersion } from '../../sync/drafts/draftSlot.ts';
import { type SessionKey, keyText, sameSession } from '../../state/store/sessionKey.ts';
import type { ConversationPage } from '../../views/conversation/conversationPage.ts';
import { confirmChanged } from '../attachments/changed.ts';
import { parseDroppedUri } from '../attachments/currentFileSource.ts';
import {
  type AttachmentSources,
  attachmentMenu,
  attachmentSources,
  unavailableAttachments,
} from '../attachments/sources.ts';
import type { AttachmentServices } from '../attachments/attachments.ts';
import { pickTargetComputer } from '../sessions/computers.ts';
import { ComposerFailures } from './composerFailures.ts';
import { type MessageParts, partsOf } from './messageParts.ts';
import { PastedAttachments } from './pastedAttachments.ts';
import { type Attaching, PendingAttachments } from './pendingAttachments.ts';
import { chooseSendCondition } from './sendLater.ts';
import { UserFacingError, errorMessageOf } from '../commandErrors.ts';

type ComposerServices = Pick<
  AttachmentServices,
  'store' | 'sessions' | 'drafts' | 'outbox' | 'attachments' | 'blobs' | 't'
> & {
  readonly log: Log;
};

/** A message to send. */
export interface ComposedMessage {
  readonly text: string;
  /** Overrides the setting `lineside.composer.whileRunning`. */
  readonly when?: SendTime | undefined;
  /** What a scheduled message waits for. */
  readonly after?: SendCondition | undefined;
  /** The ID of an attachment or comment that the page shows, if a page sends the message and shows one. */
  readonly shownId?: string | undefined;
  /** The ID of the last addition to the draft that `text` can contain. If undefined, `text` contains all additions. */
  readonly addedId?: number | undefined;
  /** The `rejectionId` of the newest failure that the page has shown. */
  readonly seenRejectionId?: number | undefined;
}

/** Edits drafts, sends them, and acts on messages in the outbox, for every page and editor of the window. */
export class ComposerController {
  readonly #services: ComposerServices;
  readonly #sources: AttachmentSources;
  /** The error message shown below the composer of each session, until the next action in that composer. */
  readonly failures = new ComposerFailures((error) => this.#sentenceOf(error));
  /**
   * The text of each session's draft after its last message returned to the draft, because the message couldn't be
   * queued.
   */
  readonly #returnedTexts = new Map<string, string>();
  readonly #sends = new KeyedQueue<string>();
  readonly #pending: PendingAttachments;
  /** The attachments that were pasted or dropped on a page. */
  readonly pasted: PastedAttachments;

  constructor(services: ComposerServices) {
    this.#services = services;
    this.#sources = attachmentSources(services.attachments, services.t);
    this.#pending = new PendingAttachments(this.failures, services.t);
    this.pasted = new PastedAttachments(services, this.#pending);
  }

  /** The entries of the Attach menu. */
  get attachmentMenu(): readonly AttachmentMenuItem[] {
    return attachmentMenu(this.#sources);
  }

  /** The sources that have nothing to attach right now, with the reasons. Never rejects. */
  unavailableAttachments(): Promise<UnavailableAttachments> {
    return unavailableAttachments(this.#sources);
  }

  /** Attaches what the user chooses. @throws UserFacingError or NotAttachable if that isn't possible. */
  attach(key: SessionKey, kind: AttachmentKind): Promise<void> {
    return this.#pending.add(key, async () => this.#add(key, await this.#sources[kind].choose({})));
  }

  /** Attaches the file that `find` resolves to, if any. @throws NotAttachable if that isn't possible. */
  attachFile(key: SessionKey, find: () => Promise<vscode.Uri | undefined>): Promise<void> {
    return this.#pending.add(key, async () => {
      const uri = await find();
      return this.#add(key, uri && (await this.#services.attachments.fromFile(uri)));
    });
  }

  /** Attaches dropped files and folders. @throws NotAttachable or UserFacingError if one can't be attached. */
  attachUris(key: SessionKey, texts: readonly string[]): Promise<void> {
    return this.#pending.add(key, async () => {
      const uris = texts.map(parseDroppedUri);
      return this.#add(key, await this.#sources.file.choose({ uris }));
    });
  }

  /** Routes the next message to the named computer, to the only known one, or to the one that the user chooses. */
  async chooseComputer(key: SessionKey, named?: string): Promise<void> {
    const { store, drafts, t } = this.#services;
    const computerId = named ?? (await pickTargetComputer(store, key, drafts.get(key).computerId, t));
    if (computerId !== undefined) this.setComputer(key, computerId);
  }

  /** Routes the next message to a computer; undefined selects the session's own computer (spec 4.4). */
  setComputer(key: SessionKey, computerId: string | undefined): void {
    const { drafts } = this.#services;
    drafts.set(key, { ...drafts.get(key), computerId });
  }

  /** Inserts text into the draft in place of its selection. */
  insert(key: SessionKey, text: string): void {
    const { drafts } = this.#services;
    const draft = drafts.get(key);
    const caret = draft.selectionStart + text.length;
    const joined = draft.text.slice(0, draft.selectionStart) + text + draft.text.slice(draft.selectionEnd);
    drafts.setText(key, { text: joined, selectionStart: caret, selectionEnd: caret });
  }

  /**
   * Waits for attachments that are being read, and then moves the message to the outbox, with these attachments, and
   * the draft's attachments, comments, and computer. What is added to the draft during this wait stays there. Resolves
   * when the message is in the outbox, or immediately if there is nothing to send. Messages of one session are moved
   * one at a time, because the attachments of the first must not also be sent with the second. A message that can't be
   * queued returns to the draft. So does a message from a page that hasn't shown yet that an attachment was rejected.
   * If there is a page, it shows the failure.
   * @throws UserFacingError or NotAttachable if there is no page and the message couldn't be queued.
   */
  send(key: SessionKey, message: ComposedMessage, page?: ConversationPage): Promise<void> {
    const { drafts } = this.#services;
    const { text } = message;
    if (text.trim() === '' && !this.#canSendWithoutText(key, message, page)) return Promise.resolve();
    this.#returnedTexts.delete(keyText(key));
    // Take the text and note the rest now, because the draft may contain more by the time this message is processed.
    const version = drafts.takeText(key, text, page, message.addedId);
    const before = drafts.get(key);
    const pending = this.#pending.of(key);
    const unseen = this.failures.takeUnseen(key, page ? (message.seenRejectionId ?? 0) : Infinity);
    return this.#sends.run(keyText(key), async () => {
      const waited = unseen === undefined ? await this.#waitFor(key, pending) : this.#notSent(unseen);
      if (typeof waited === 'string') this.#reject(key, text, waited, page);
      else await this.#send(key, message, partsOf(drafts.get(key), before, waited), version, page);
    });
  }

  /** Waits for attachments. Resolves to their IDs, or to why the message that waits for them can't be sent. */
  async #waitFor(key: SessionKey, pending: readonly Attaching[]): Promise<readonly string[] | string> {
    try {
      return (await this.#pending.settled(pending)) ?? this.#notSent();
    } catch (error) {
      this.failures.forgetRejection(key, error);
      return this.#notSent(this.#sentenceOf(error));
    }
  }

  #notSent(why = ''): string {
    return `${why} ${notSentSentence(this.#services.t)}`.trim();
  }

  /**
   * Whether a message without text may be sent. If the field is empty only because an earlier message is being saved or
   * was returned to the page, the attachments and comments belong to that message. Attachments and comments that the
   * page doesn't show yet aren't enough to send a message.
   */
  #canSendWithoutText(key: SessionKey, { shownId }: ComposedMessage, page: ConversationPage | undefined): boolean {
    const { text, attachments, comments } = this.#services.drafts.get(key);
    const isReturned = this.#returnedTexts.get(keyText(key)) === text;
    const ids = [...attachments.map((item) => item.attachmentId), ...comments.map((item) => item.commentId)];
    const hasMore = page ? shownId !== undefined && ids.includes(shownId) : ids.length > 0;
    return hasMore && !this.#sends.isBusy(keyText(key)) && !isReturned;
  }

  /** Lets the user choose what a message waits for. Resolves to undefined if the user cancels. */
  chooseSendTime(key: SessionKey): Promise<SendCondition | undefined> {
    return chooseSendCondition(this.#services, key, this.#services.t('Send Later'));
  }

  async #send(
    key: SessionKey,
    { text, when, after }: ComposedMessage,
    { attachments: attached, comments, computerId }: MessageParts,
    version: DraftVersion,
    page: ConversationPage | undefined,
  ): Promise<void> {
    const { store, drafts, outbox, log, t } = this.#services;
    if (text.trim() === '' && attached.length === 0 && comments.length === 0) {
      drafts.forgetText(key, text);
      return;
    }
    const attachments = await this.#confirmAttachments(key, attached, text, page);
    if (!attachments) return;
    this.#replaceAttachments(key, attached, attachments);
    const record = store.record(key) ?? { headers: [], entryIdByMessageId: new Map<string, string>() };
    const sentText = messageWithComments(comments, text, record, t);
    try {
      const draft = { ...version, comments: comments.map(({ commentId, text: own }) => ({ commentId, text: own })) };
      await outbox.enqueue(key, { text: sentText, attachments, computerId, draft, when, after });
    } catch (error) {
      log.error(`could not write a message to the outbox: ${reasonOf(error)}`);
      this.#reject(key, text, `${this.#sentenceOf(error)} ${notSentSentence(t)}`, page);
      return;
    }
    drafts.forgetText(key, text);
    this.#removeFromDraft(key, { attachments, comments, computerId }, page);
  }

  /**
   * Removes the attachments, comments, and computer of a queued message from the draft, whose text was taken earlier.
   * Attachments and comments that were added in the meantime stay.
   */
  #removeFromDraft(key: SessionKey, sent: MessageParts, page: ConversationPage | undefined): void {
    const { drafts } = this.#services;
    const draft = drafts.get(key);
    const attachments = draft.attachments.filter((attachment) => !sent.attachments.includes(attachment));
    const comments = unsentComments(draft.comments, sent.comments);
    const computerId = draft.computerId === sent.computerId ? undefined : draft.computerId;
    drafts.set(key, { ...draft, attachments, comments, computerId }, page);
  }

  /**
   * Resolves to the attachments to send, or to undefined if the user canceled or the attachments couldn't be checked;
   * then the text was returned to the draft and the page.
   * @throws UserFacingError or NotAttachable in these cases if there is no page; the text was returned to the draft.
   */
  async #confirmAttachments(
    key: SessionKey,
    attached: readonly StoredAttachment[],
    text: string,
    page: ConversationPage | undefined,
  ): Promise<readonly StoredAttachment[] | undefined> {
    const { drafts, log, t } = this.#services;
    const notSent = notSentSentence(t);
    try {
      const attachments = await confirmChanged(attached, this.#services);
      if (attachments) return attachments;
    } catch (error) {
      if (!page) {
        drafts.returnText(key, text);
        throw error;
      }
      log.error(`could not check attachments: ${reasonOf(error)}`);
      this.#reject(key, text, `${this.#sentenceOf(error)} ${notSent}`, page);
      return undefined;
    }
    this.#reject(key, text, notSent, page);
    return undefined;
  }

  /**
   * Returns the text to the draft, and to its page, which has already cleared the input field.
   * @throws UserFacingError if there is no page.
   */
  #reject(key: SessionKey, text: string, reason: string, page: ConversationPage | undefined): void {
    const draftText = this.#services.drafts.returnText(key, text, page);
    if (!page) throw new UserFacingError(reason);
    if (text !== '') this.#returnedTexts.set(keyText(key), draftText);
    if (sameSession(page.key, key)) page.post({ type: 'sendRejected', ...key, text, reason });
    else this.failures.show(key, reason);
  }

  #sentenceOf(error: unknown): string {
    return errorMessageOf(error, readSettings(), this.#services.t);
  }

  /** Replaces attachments in the draft with updated ones. Attachments that were added in the meantime stay. */
  #replaceAttachments(key: SessionKey, before: readonly StoredAttachment[], after: readonly StoredAttachment[]): void {
    if (before === after) return;
    const { drafts } = this.#services;
    const draft = drafts.get(key);
    const attachments = draft.attachments.map((attachment) => after[before.indexOf(attachment)] ?? attachment);
    drafts.set(key, { ...draft, attachments });
  }

  async #add(key: SessionKey, stored: readonly StoredAttachment[] | undefined): Attaching {
    return stored ? this.#services.attachments.addToDraft(key, stored) : [];
  }

  /**
   * Applies the user's decision about a message in the outbox, made in `page`.
   * @throws UserFacingError if the message was already sent or changed.
   */
  async deliver(entryId: string, action: DeliveryAction, page?: ConversationPage): Promise<void> {
    // The page may show another session by now, so the session is that of the entry.
    const key = this.#services.outbox.sessionOf(entryId);
    if (!key || !(await this.#actOn(key, entryId, action, page))) {
      throw new UserFacingError(this.#services.t('This message was already sent or changed.'));
    }
  }

  #actOn(
    key: SessionKey,
    entryId: string,
    action: DeliveryAction,
    page: ConversationPage | undefined,
  ): Promise<boolean> {
    const { outbox } = this.#services;
    switch (action) {
      case 'sendAgain':
        return this.#sendAgain(key, entryId);
      case 'sendNow':
        return outbox.sendNow(entryId);
      case 'changeTime':
        return this.#changeTime(key, entryId);
      case 'sendOthers':
        return outbox.sendOthers(entryId);
      case 'discard':
        return outbox.discard(entryId);
      case 'cancel':
        return this.#cancel(key, entryId, page);
      case 'edit':
        return this.#moveToDraft(entryId, page);
    }
  }

  async #changeTime(key: SessionKey, entryId: string): Promise<boolean> {
    const { outbox, t } = this.#services;
    const after = await chooseSendCondition(this.#services, key, t('Change Time'));
    return after === undefined || outbox.reschedule(entryId, after);
  }

  /** Sends a message again. Asks first while the message may still be found in the conversation. */
  async #sendAgain(key: SessionKey, entryId: string): Promise<boolean> {
    const { store, outbox, t } = this.#services;
    const entry = store.record(key)?.outbox.find((known) => known.entryId === entryId);
    if (entry?.isSearching) {
      const question = t('The message may still appear in the conversation. Do you want to send it again now?');
      const detail = t('The agent might then receive it twice.');
      if (!(await confirm(question, detail, t('Send Again')))) return true;
    }
    return outbox.sendAgain(entryId);
  }

  /** Cancels a message. If it was being sent but didn't reach the service, it moves back to the draft. */
  async #cancel(key: SessionKey, entryId: string, page: ConversationPage | undefined): Promise<boolean> {
    const { store, outbox } = this.#services;
    const entry = () => store.record(key)?.outbox.find((known) => known.entryId === entryId);
    const wasSending = entry()?.state === 'sending';
    if (!(await outbox.cancel(entryId))) return false;
    if (!wasSending) return true;
    // If the service rejected the message, the entry stays and contains the reason.
    await outbox.settled(entryId).catch(() => undefined);
    const canceled = entry();
    if (canceled?.state === 'notSent' && canceled.failure?.kind === 'cancelled') await this.#moveToDraft(entryId, page);
    return true;
  }

  /**
   * Moves a message to the start of the draft. A page that shows the session also inserts the text, because the user
   * may be typing there. The message stays in the outbox until the draft is on disk.
   */
  #moveToDraft(entryId: string, page: ConversationPage | undefined): Promise<boolean> {
    const { outbox, drafts } = this.#services;
    return outbox.edit(entryId, async (key, { text, attachments, computerId }) => {
      const undo = () => drafts.removeStart(key, text, attachments);
      const draft = drafts.get(key);
      const caret = { selectionStart: text.length, selectionEnd: text.length };
      if (page && text !== '' && sameSession(page.key, key)) page.post({ type: 'textReturned', ...key, text });
      const moved = {
        ...draft,
        ...caret,
        text: paragraphs(text, draft.text),
        attachments: [...attachments, ...draft.attachments],
        computerId: computerId ?? draft.computerId,
      };
      await drafts.replace(key, moved).catch((error: unknown) => {
        undo();
        throw error;
      });
      return undo;
    });
  }
}

function notSentSentence(t: Translate): string {
  return t("The message wasn't sent. It's still in your draft.");
}
