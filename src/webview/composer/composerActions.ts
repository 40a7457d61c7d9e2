import type { PageAnswers, PageMessages } from '../../shared/protocol/pageMessages.ts';
import type { PageDraft, PageSession } from '../../shared/protocol/pageModel.ts';
import { defined } from '../../shared/defined.ts';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import {
  type AttachmentKind,
  type ComposerAction,
  maxUris,
  type PromptStep,
  type SendCondition,
  type SendTime,
  type SuggestionKind,
} from '../../shared/protocol/vocabulary.ts';
import type { SessionChannel } from '../sessionChannel.ts';

/** A draft as it is sent to the host. */
type SentDraft = PageDraft & { readonly revision: number };

/** The fields of a message about a comment, without the session. */
type CommentFields<K extends 'addComment' | 'changeComment' | 'removeComment'> = Omit<
  PageMessages[K],
  'type' | keyof PageSession
>;

/** Text that was taken out of the field to be sent. */
export interface TakenText {
  readonly text: string;
  readonly revision: number;
  /** The `addedId` of the draft that was in the field; absent if it had none. */
  readonly addedId?: number;
  /** Set if the message waited on the page. The host then checks that the draft still has the text. */
  readonly hasWaited?: true;
}

/** What the composer shows when a message is sent. */
export interface ShownComposer {
  /** The ID of an attachment or comment; absent if there is none. */
  readonly shownId?: string | undefined;
  /** The ID of the newest rejected attachment whose failure was shown; absent if none was shown. */
  readonly seenRejectionId?: number | undefined;
}

/** The session that an attachment or a message is for. */
export interface ComposerTarget {
  readonly shownKey: string;
  readonly session: PageSession | undefined;
}

/** Sends the user's actions in the composer to the host, for the session that is shown. */
export class ComposerActions implements Disposable {
  readonly #channel: SessionChannel;
  /** By the key of the session. */
  readonly #additionCounts = new Map<string, number>();
  readonly #sent = new Emitter<void>();
  /** Fires after a message has been submitted to the host. */
  readonly onDidSend = this.#sent.event;

  constructor(channel: SessionChannel) {
    this.#channel = channel;
  }

  /** Identifies the session that is shown; a single space until one is shown. */
  get shownKey(): string {
    const { origin = '', sessionId = '' } = this.#channel.shown ?? {};
    return `${origin} ${sessionId}`;
  }

  /**
   * The number of additions to a session's draft, such as attachments, comments, and computers, but not typed text.
   * Counts additions that were started here and, while the session was shown, those that were made elsewhere.
   */
  additionCountOf({ shownKey }: ComposerTarget): number {
    return this.#additionCounts.get(shownKey) ?? 0;
  }

  /** Counts an addition to the draft of the session that is shown. */
  noteAddition(): void {
    const { target } = this;
    this.#additionCounts.set(target.shownKey, this.additionCountOf(target) + 1);
  }

  /**
   * Submits a message to the host.
   * @param when overrides the user's setting for messages that are sent while the agent is running.
   * @param after schedules the message.
   */
  send(taken: TakenText, shown: ShownComposer, when?: SendTime, after?: SendCondition): void {
    this.sendFrom(this.target, taken, shown, when, after);
    this.#sent.fire();
  }

  /** Like {@link send}, for a session that may not be shown anymore. Doesn't fire {@link onDidSend}. */
  sendFrom(
    { session }: ComposerTarget,
    taken: TakenText,
    shown: ShownComposer,
    when?: SendTime,
    after?: SendCondition,
  ): void {
    this.#channel.post({ type: 'send', ...taken, ...defined({ ...shown, when, after }) }, session);
  }

  /** Lets the user choose when the message is sent; resolves to undefined if the user cancels. */
  async chooseSendTime(): Promise<SendCondition | undefined> {
    return (await this.#channel.ask('chooseSendTime', {}))?.after;
  }

  saveDraft(draft: SentDraft): void {
    this.#channel.post({ type: 'draft', ...draft });
  }

  addComment(comment: CommentFields<'addComment'>): void {
    this.noteAddition();
    this.#channel.post({ type: 'addComment', ...comment });
  }

  changeComment(change: CommentFields<'changeComment'>): void {
    this.noteAddition();
    this.#channel.post({ type: 'changeComment', ...change });
  }

  removeComment(removed: CommentFields<'removeComment'>): void {
    this.#channel.post({ type: 'removeComment', ...removed });
  }

  attach(what: AttachmentKind): void {
    this.noteAddition();
    this.#channel.post({ type: 'attach', what });
  }

  getUnavailableAttachments(): Promise<PageAnswers['getUnavailableAttachments'] | undefined> {
    return this.#channel.ask('getUnavailableAttachments', {});
  }

  /** The session that is shown, for files that take a while to read, and for the message that waits for them. */
  get target(): ComposerTarget {
    return { shownKey: this.shownKey, session: this.#channel.shown };
  }

  attachBytes({ session }: ComposerTarget, attachmentId: string, name: string, bytes: ArrayBuffer): void {
    this.#channel.post({ type: 'attachBytes', attachmentId, name: name.slice(0, 255), bytes }, session);
  }

  attachUris(uris: readonly string[]): void {
    this.noteAddition();
    for (let start = 0; start < uris.length; start += maxUris) {
      const some = uris.slice(start, start + maxUris);
      this.#channel.post({ type: 'attachUris', uris: some });
    }
  }

  previewAttachment(attachmentId: string): void {
    this.#channel.post({ type: 'previewAttachment', attachmentId });
  }

  removeAttachment(attachmentId: string): void {
    this.#channel.post({ type: 'removeAttachment', attachmentId });
  }

  suggest(kind: SuggestionKind, query: string): Promise<PageAnswers['suggest'] | undefined> {
    return this.#channel.ask('suggest', { kind, query });
  }

  takeSuggestion(kind: SuggestionKind, suggestionId: string): void {
    this.noteAddition();
    this.#channel.post({ type: 'takeSuggestion', kind, suggestionId });
  }

  /** Requests the prompt before or after the one with the ID `from`; without `from`, the newest prompt. */
  async getPrompt(step: PromptStep, from?: string): Promise<PageAnswers['getPrompt']> {
    return (await this.#channel.ask('getPrompt', { step, ...defined({ from }) })) ?? {};
  }

  compose(action: ComposerAction): void {
    if (action !== 'forgetComputer') this.noteAddition();
    this.#channel.post({ type: 'compose', action });
  }

  focused(isFocused: boolean): void {
    this.#channel.post({ type: 'composerFocus', isFocused });
  }

  dispose(): void {
    this.#sent.dispose();
  }
}
