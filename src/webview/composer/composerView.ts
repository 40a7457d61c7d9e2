import type { HostMessageOf } from '../../shared/protocol/hostMessages.ts';
import type { ComposerSettings, PageComposer, PageDraft } from '../../shared/protocol/pageModel.ts';
import type { SendCondition, SendTime } from '../../shared/protocol/vocabulary.ts';
import { defined } from '../../shared/defined.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import type { Announcer } from '../dom/announcer.ts';
import { sentenceParts } from '../dom/bidiControls.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';
import { AttachmentList } from './attachmentList.ts';
import { ComposedAnswers } from './composedAnswers.ts';
import { Completion } from './completion.ts';
import type { ComposerActions, ComposerTarget, ShownComposer } from './composerActions.ts';
import type { CommentStrip } from './commentStrip.ts';
import { HiddenCharacterHints } from './hiddenCharacterHints.ts';
import { AttachMenu, sendMenuButton, type Submittable } from './menus.ts';
import { Notices } from './notices.ts';
import { PasteAndDrop } from './pasteAndDrop.ts';
import { PromptHistory } from './promptHistory.ts';
import { ComposerTextField } from './composerTextField.ts';

/** A message that waits for files that the page reads, or until the user has chosen when it is sent. */
interface WaitingMessage {
  readonly target: ComposerTarget;
  /** What the field contained. */
  readonly draft: PageDraft;
  readonly shown: ShownComposer;
  /** Whether the field showed a prompt from the history, which isn't the session's draft. */
  readonly isPrompt: boolean;
}

/** Shows the computer that the user chose for this message. */
class RecipientChip {
  readonly node: HTMLElement;
  readonly #name = element('bdi', { class: 'chip-name' });

  constructor(strings: Strings, actions: ComposerActions) {
    const close = iconButton('close', strings.get('forgetComputer'), () => actions.compose('forgetComputer'));
    this.node = element('span', { class: 'chip recipient', hidden: true }, icon('vm'), this.#name, close);
  }

  show(computer: string | undefined): void {
    setText(this.#name, computer ?? '');
    setAttribute(this.node, 'title', computer);
    this.node.hidden = computer === undefined;
  }
}

/** The composer: the text of the next message, its attachments, and its send options. */
export class ComposerView implements Submittable, Disposable {
  readonly node: HTMLElement;
  /** The answers in the draft to questions of the agent. */
  readonly answers: ComposedAnswers;
  readonly #strings: Strings;
  readonly #actions: ComposerActions;
  readonly #announcer: Announcer;
  readonly #field: ComposerTextField;
  readonly #history: PromptHistory;
  readonly #completion: Completion;
  readonly #attachments: AttachmentList;
  readonly #attachMenu: AttachMenu;
  readonly #pasteAndDrop: PasteAndDrop;
  readonly #comments: CommentStrip;
  readonly #recipient: RecipientChip;
  readonly #notices: Notices;
  readonly #hiddenCharacters: HiddenCharacterHints;
  readonly #send: HTMLButtonElement;
  readonly #hint = element('div', { class: 'composer-hint', id: 'composer-hint', dir: 'auto' });
  readonly #failure = element('div', { class: 'composer-failure', id: 'composer-failure', dir: 'auto', hidden: true });
  readonly #disposables = new Disposables();
  #canSend = false;
  #hostFailure: Pick<PageComposer, 'failure' | 'rejectionId'> = {};
  #shownFailure = '';
  #seenRejectionId: number | undefined;
  /** The session whose composer was shown last, and its computer. */
  #shownBefore: { readonly shownKey: string; readonly computer: string | undefined } | undefined;
  /** The reason why the last message wasn't accepted or sent; empty if there is none. */
  #rejection = '';

  constructor(
    strings: Strings,
    settings: ComposerSettings,
    actions: ComposerActions,
    comments: CommentStrip,
    announcer: Announcer,
  ) {
    this.#strings = strings;
    this.#actions = actions;
    this.#comments = comments;
    this.#announcer = announcer;
    const field = this.#disposables.add(new ComposerTextField(strings, settings.sendKey, actions));
    this.#field = field;
    this.answers = this.#disposables.add(new ComposedAnswers(field, this));
    this.#disposables.add(field.onDidEdit(() => this.#onEdit()));
    this.#disposables.add(field.onDidSubmit(() => this.#submitNow()));
    listen(this.#disposables, field.node, 'focus', () => actions.focused(true));
    listen(this.#disposables, field.node, 'blur', () => actions.focused(false));
    // Suggestions handle a key before the history does.
    this.#completion = this.#disposables.add(new Completion(field, strings, actions, announcer));
    this.#history = this.#disposables.add(new PromptHistory(field, actions));
    this.#notices = new Notices(announcer);
    const hiddenCharacters = this.#disposables.add(new HiddenCharacterHints(strings, this.#notices));
    this.#hiddenCharacters = hiddenCharacters;
    this.#disposables.add(field.onDidInsert((text) => hiddenCharacters.check(field.node, text)));
    this.#attachments = new AttachmentList(strings, actions, field);
    this.#attachMenu = this.#disposables.add(new AttachMenu(strings, settings.attachmentMenu, actions));
    this.#recipient = new RecipientChip(strings, actions);
    this.#pasteAndDrop = this.#disposables.add(
      new PasteAndDrop(field, settings, strings, this.#notices, actions, this.#attachments),
    );
    this.#disposables.add(comments.onDidChange(() => this.#refresh()));
    this.#disposables.add(comments.onDidLeave(() => this.focus()));
    this.#send = iconButton('send', strings.get('send'), () => this.submit());
    this.#send.classList.add('send-button');
    this.node = this.#layOut();
    this.#refresh();
  }

  get canSubmit(): boolean {
    return this.#canSend && (!this.#field.isBlank || this.#attachments.count > 0 || this.#comments.count > 0);
  }

  /** Sends the message if it can be sent, and focuses the field. */
  submit(when?: SendTime): void {
    this.#submitNow(when);
    this.focus();
  }

  /**
   * Lets the user choose when the message is sent. The message stays in the field until the user has chosen. It is then
   * sent even if another session is shown. If there is nothing to send, shows that; if sending is unavailable,
   * announces why.
   */
  async submitLater(): Promise<void> {
    if (!this.#canSend) {
      this.#announcer.announce(this.#hint.textContent);
      return;
    }
    if (!this.canSubmit) {
      this.#rejection = this.#strings.get('nothingToSend');
      this.#showFailure();
      return;
    }
    const waiting = this.#noteMessage();
    const after = await this.#actions.chooseSendTime();
    if (after && this.#actions.shownKey === waiting.target.shownKey) this.#submitNow(undefined, after, waiting);
    else if (after) void this.#submitAfter(this.#pasteAndDrop.readingFor(waiting.target), waiting, undefined, after);
    this.focus();
  }

  show(composer: PageComposer): void {
    this.#noteAdditions(composer);
    this.#canSend = composer.canSend;
    this.#hostFailure = composer;
    this.#attachments.show(composer.attachments);
    this.#pasteAndDrop.showAttached(composer.attachments);
    this.#recipient.show(composer.computer);
    setText(this.#hint, composer.hint);
    setAttribute(this.#hint, 'title', composer.hint);
    this.#showFailure();
    this.#refresh();
  }

  /**
   * Shows the host's draft. In the same session, ignores it if the user typed or sent something that the host hadn't
   * received yet. While a prompt from the history is shown unchanged, shows the draft when the user leaves the history.
   */
  showDraft(draft: PageDraft, isSameSession: boolean): void {
    if (!isSameSession) {
      this.#history.forget();
      this.answers.forget();
      this.#completion.close();
      this.#notices.clear();
      this.#rejection = '';
      this.#seenRejectionId = undefined;
    }
    if (isSameSession && this.#field.isAheadOf(draft)) this.#field.flush();
    else if (!isSameSession || !this.#history.takeHostDraft(draft)) this.#field.show(draft);
    this.#showFailure();
    this.#refresh();
  }

  /** Restores the text of a message that the host couldn't accept, and shows the reason. */
  rejected(text: string, reason: string): void {
    // If the page returned to this session in the meantime, the host's draft already contained the text.
    if (!this.#history.takeReturned(text) && !this.#field.draft.text.startsWith(text)) this.#field.restore(text);
    this.#rejection = reason;
    this.#showFailure();
    this.#refresh();
  }

  /** Adds, at the start of the draft, the text of a message that the user edits again, unless it is already there. */
  returned(text: string): void {
    if (!this.#history.takeReturned(text) && !this.#field.draft.text.startsWith(text)) this.#field.prepend(text);
  }

  insertText(text: string): void {
    this.#field.write(text);
  }

  /** Handles a custom keyboard shortcut of the composer, or a command that sends the message. */
  pressed(press: HostMessageOf<'composerKey'>['press']): void {
    if (press === 'sendLater') {
      void this.submitLater();
      return;
    }
    if (this.#comments.pressed(press)) return;
    if (press === 'newline') this.#field.write('\n');
    else if (!this.#field.isUnread) this.#submitNow();
  }

  /** Saves the draft and its comments on the host now, for example before another session is shown. */
  flush(): void {
    this.#comments.flush();
    this.#field.flush();
  }

  /** Adds controls after the Attach button and before the Send button. */
  addControls(afterAttach: readonly HTMLElement[], beforeSend: readonly HTMLElement[]): void {
    this.#attachMenu.button.after(...afterAttach);
    this.#send.before(...beforeSend);
  }

  focus(): void {
    this.#field.node.focus();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #layOut(): HTMLElement {
    const more = sendMenuButton(this.#strings, this.#actions, this);
    const send = element('div', { class: 'send-group' }, this.#send, more);
    const attach = this.#attachMenu.button;
    const bar = element('div', { class: 'composer-bar' }, attach, this.#recipient.node, send);
    const writing = element('div', { class: 'composer-writing' }, this.#completion.node, this.#field.node);
    const box = element('div', { class: 'composer-box' }, this.#attachments.node, writing, this.#hint, bar);
    // A click next to the text field or between the buttons also focuses the text field.
    box.addEventListener('click', (event) => {
      if (event.target === box || event.target === bar) this.focus();
    });
    const { overlay } = this.#pasteAndDrop;
    const above = element('div', { class: 'composer-above' }, this.#failure, this.#notices.node);
    return element('section', { class: 'composer', 'aria-label': this.#strings.get('message') }, above, box, overlay);
  }

  /** @param waiting the message, if it has waited. The user may have changed it since. */
  #submitNow(when?: SendTime, after?: SendCondition, waiting?: WaitingMessage): void {
    if (!this.canSubmit) {
      if (!this.#canSend) this.#announcer.announce(this.#hint.textContent);
      return;
    }
    const reading = this.#pasteAndDrop.readingFor(this.#actions.target);
    if (reading) {
      void this.#submitAfter(reading, this.#noteMessage(), when, after);
      return;
    }
    this.#rejection = '';
    this.#hostFailure = {};
    this.#showFailure();
    this.#completion.close();
    this.#comments.flush();
    const hasWaited: true | undefined = waiting && !waiting.isPrompt && this.#hasTextOf(waiting) ? true : undefined;
    const draft = this.#history.takeSavedDraft();
    this.#actions.send({ ...this.#field.take(), ...defined({ hasWaited }) }, this.#shown, when, after);
    // A prompt from the history was sent instead of the draft, so the draft is restored.
    if (draft && draft.text !== '') this.#field.restore(draft.text);
    this.#hiddenCharacters.update();
    this.#refresh();
  }

  /** What the composer shows in addition to the text. */
  get #shown(): ShownComposer {
    const shownId = this.#attachments.firstId ?? this.#comments.comments[0]?.commentId;
    return { shownId, seenRejectionId: this.#seenRejectionId };
  }

  /**
   * Returns the message as it is now, and saves it unless it is a prompt from the history. Also saves the comments, so
   * that what the user has already written in them doesn't count as an addition later.
   */
  #noteMessage(): WaitingMessage {
    this.#comments.flush();
    const isPrompt = this.#history.isActive;
    // The host compares its draft with the message.
    if (!isPrompt) this.#field.save();
    return { target: this.#actions.target, draft: this.#field.draft, shown: this.#shown, isPrompt };
  }

  /**
   * Counts an addition if commands or other windows have added to the draft since the composer of this session was last
   * shown.
   */
  #noteAdditions(composer: PageComposer): void {
    const { shownKey } = this.#actions;
    const before = this.#shownBefore?.shownKey === shownKey ? this.#shownBefore : undefined;
    this.#shownBefore = { shownKey, computer: composer.computer };
    if (!before) return;
    const hasComputer = composer.computer !== undefined && composer.computer !== before.computer;
    const hasFile = composer.attachments.some(
      ({ attachmentId }) => !this.#attachments.has(attachmentId) && !this.#pasteAndDrop.isOwn(attachmentId),
    );
    if (hasComputer || hasFile) this.#actions.noteAddition();
  }

  #hasTextOf({ draft }: WaitingMessage): boolean {
    return this.#field.draft.text === draft.text;
  }

  /**
   * Sends the message when the page has read the files for it, even if another session is shown by then. The message
   * stays in the draft if a file can't be read, or if the user goes on writing, here or elsewhere, or adds something
   * else. If the user presses the send key again, the second call also waits, but then finds nothing left to send.
   */
  async #submitAfter(
    reading: Promise<boolean> | undefined,
    waiting: WaitingMessage,
    when?: SendTime,
    after?: SendCondition,
  ): Promise<void> {
    const { target, draft, shown, isPrompt } = waiting;
    const additionCount = this.#actions.additionCountOf(target);
    if ((await reading) === false || this.#actions.additionCountOf(target) !== additionCount) return;
    if (this.#actions.shownKey === target.shownKey) {
      if (this.#hasTextOf(waiting)) this.#submitNow(when, after, waiting);
      return;
    }
    // For a prompt from the history, the saved draft isn't the message, so nothing is taken.
    const taken = isPrompt ? undefined : this.#field.takeHidden(target.shownKey, draft);
    if (taken) this.#actions.sendFrom(target, { ...taken, hasWaited: true }, shown, when, after);
  }

  #refresh(): void {
    const { canSubmit } = this;
    if (this.#send.disabled === canSubmit) this.#send.disabled = !canSubmit;
  }

  #onEdit(): void {
    if (this.#rejection !== '') {
      this.#rejection = '';
      this.#showFailure();
    }
    this.#refresh();
  }

  #showFailure(): void {
    const { failure = '', rejectionId } = this.#hostFailure;
    const text = this.#rejection || failure;
    if (rejectionId !== undefined && this.#rejection === '') this.#seenRejectionId = rejectionId;
    if (text === this.#shownFailure) return;
    this.#shownFailure = text;
    this.#failure.replaceChildren(...sentenceParts(text));
    this.#failure.hidden = text === '';
    if (text === '') return;
    this.#announcer.announce(this.#failure.textContent);
    this.#failure.scrollIntoView({ block: 'nearest' });
  }
}
