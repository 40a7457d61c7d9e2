import type { ComposerHostMessage, ComposerSettings, SendTime } from '../../shared/protocol/composerProtocol.ts';
import type { PageComposer, PageDraft } from '../../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import { element, setText } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { Words } from '../strings.ts';
import { AttachmentList } from './attachmentList.ts';
import { Completion } from './completion.ts';
import type { ComposerHooks } from './composerActions.ts';
import { AttachMenu, sendMenuButton } from './menus.ts';
import { Notices } from './notices.ts';
import { DropTarget, PasteAndDrop } from './pasteAndDrop.ts';
import { PromptHistory } from './promptHistory.ts';
import { ComposerTextField } from './textField.ts';

/** The computer that this one message goes to, where the person chose one. */
export class RecipientChip {
  readonly node: HTMLElement;
  readonly #name = element('bdi', { class: 'chip-name' });

  constructor(words: Words, forget: () => void) {
    const close = iconButton('close', words.say('forgetComputer'), forget);
    this.node = element('span', { class: 'chip recipient', hidden: true }, icon('vm'), this.#name, close);
  }

  show(computer: string | undefined): void {
    setText(this.#name, computer ?? '');
    this.node.title = computer ?? '';
    this.node.hidden = computer === undefined;
  }
}

/** Where a message is written: the text, what goes with it, and what will become of it. */
export class ComposerView implements Disposable {
  readonly node: HTMLElement;
  readonly #words: Words;
  readonly #hooks: ComposerHooks;
  readonly #field: ComposerTextField;
  readonly #history: PromptHistory;
  readonly #completion: Completion;
  readonly #attachments: AttachmentList;
  readonly #attach: AttachMenu;
  readonly #incoming: PasteAndDrop;
  readonly #recipient: RecipientChip;
  readonly #notices: Notices;
  readonly #send: HTMLButtonElement;
  readonly #hint = element('div', { class: 'composer-hint', id: 'composer-hint', dir: 'auto' });
  readonly #problem = element('div', { class: 'composer-problem', id: 'composer-problem', dir: 'auto', hidden: true });
  readonly #disposables = new Disposables();
  #canSend = false;
  #hostProblem = '';
  #refusal = '';

  constructor(words: Words, settings: ComposerSettings, hooks: ComposerHooks) {
    this.#words = words;
    this.#hooks = hooks;
    this.#field = this.#makeField(settings);
    this.#history = this.#disposables.add(new PromptHistory(this.#field, hooks.wantPrompt));
    this.#completion = this.#disposables.add(
      new Completion(this.#field, words, { ask: hooks.suggest, take: hooks.takeSuggestion, announce: hooks.announce }),
    );
    this.#notices = new Notices(hooks.announce);
    this.#attachments = new AttachmentList(words, {
      preview: hooks.previewAttachment,
      remove: hooks.removeAttachment,
      emptied: () => this.focus(),
    });
    this.#attach = this.#disposables.add(new AttachMenu(words, settings.attachmentMenu, hooks));
    this.#recipient = new RecipientChip(words, () => hooks.compose('forgetComputer'));
    this.#incoming = this.#disposables.add(
      new PasteAndDrop(this.#field, settings, words, this.#notices, this.#incomingHooks()),
    );
    const target = this.#disposables.add(new DropTarget(words, (transferred) => this.#incoming.take(transferred)));
    this.#send = iconButton('send', words.say('send'), () => this.#sendAndStay());
    this.#send.classList.add('send-button');
    this.node = this.#layOut(target.node);
    this.#refresh();
  }

  show(composer: PageComposer): void {
    this.#canSend = composer.canSend;
    this.#hostProblem = composer.problem ?? '';
    this.#attachments.show(composer.attachments);
    this.#incoming.showAttached(composer.attachments);
    this.#recipient.show(composer.computer);
    setText(this.#hint, composer.hint);
    this.#hint.title = composer.hint;
    this.#showProblem();
    this.#refresh();
  }

  /** The host's draft for this page; what was typed or sent here that the host had not seen then is newer. */
  showDraft(draft: PageDraft, isSameSession: boolean): void {
    if (!isSameSession) {
      this.#history.forget();
      this.#completion.close();
      this.#notices.clear();
      this.#refusal = '';
    }
    if (isSameSession && this.#field.isAheadOf(draft)) this.#field.flush();
    else this.#field.show(draft);
    this.#showProblem();
    this.#refresh();
  }

  /** The host could not take the message over: its text comes back, with the reason. */
  refused(text: string, reason: string): void {
    this.#field.giveBack(text);
    this.#refusal = reason;
    this.#showProblem();
    this.#refresh();
  }

  /** Takes what the host says of the text being written. */
  take(message: ComposerHostMessage): void {
    switch (message.type) {
      case 'suggestions':
        this.#completion.show(message);
        return;
      case 'prompt':
        this.#history.show(message);
        return;
      case 'hindrances':
        this.#attach.show(message.hindrances);
        return;
      case 'insertText':
        this.#field.write(message.text);
        return;
      case 'composerKey':
        if (message.press === 'send') this.#sendNow();
        else this.#field.write('\n');
    }
  }

  /** Sends the draft to the host now; for the moment before another session is shown. */
  flush(): void {
    this.#field.flush();
  }

  focus(): void {
    this.#field.node.focus();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #makeField(settings: ComposerSettings): ComposerTextField {
    const field = this.#disposables.add(
      new ComposerTextField(this.#words, settings.sendKey, {
        edited: () => this.#edited(),
        send: () => this.#sendNow(),
        draft: this.#hooks.draft,
        pressed: (event) => this.#completion.pressed(event) || this.#history.pressed(event),
      }),
    );
    listen(this.#disposables, field.node, 'focus', () => this.#hooks.focused(true));
    listen(this.#disposables, field.node, 'blur', () => this.#hooks.focused(false));
    return field;
  }

  #incomingHooks() {
    const { attachBytes, attachUris, removeAttachment: remove } = this.#hooks;
    const thumbnail = (attachmentId: string, picture: Element) =>
      this.#attachments.takeThumbnail(attachmentId, picture);
    return { attachBytes, attachUris, remove, thumbnail };
  }

  #layOut(dropTarget: HTMLElement): HTMLElement {
    const more = sendMenuButton(this.#words, {
      send: (when) => this.#sendAndStay(when),
      act: (action) => this.#hooks.compose(action),
      isReady: () => this.#isReady(),
    });
    const ways = element('div', { class: 'send-group' }, this.#send, more);
    const bar = element('div', { class: 'composer-bar' }, this.#attach.button, this.#recipient.node, this.#hint, ways);
    const writing = element('div', { class: 'composer-writing' }, this.#completion.node, this.#field.node);
    const box = element('div', { class: 'composer-box' }, this.#attachments.node, writing, bar);
    // A click beside the text, between the buttons, means the text too.
    box.addEventListener('click', (event) => {
      if (event.target === box || event.target === bar) this.focus();
    });
    const above = element('div', { class: 'composer-above' }, this.#problem, this.#notices.node);
    return element('section', { class: 'composer', 'aria-label': this.#words.say('message') }, above, box, dropTarget);
  }

  #sendAndStay(when?: SendTime): void {
    this.#sendNow(when);
    this.focus();
  }

  #sendNow(when?: SendTime): void {
    if (!this.#isReady()) {
      if (!this.#canSend) this.#hooks.announce(this.#hint.textContent);
      return;
    }
    this.#refusal = '';
    this.#hostProblem = '';
    this.#showProblem();
    this.#completion.close();
    const kept = this.#history.takeKept();
    this.#hooks.send(this.#field.take(), when);
    // An earlier message stood in for what was being written, which was not sent.
    if (kept && kept.text !== '') this.#field.giveBack(kept.text);
    this.#refresh();
  }

  #isReady(): boolean {
    return this.#canSend && (!this.#field.isBlank || this.#attachments.count > 0);
  }

  #refresh(): void {
    const isReady = this.#isReady();
    if (this.#send.disabled === isReady) this.#send.disabled = !isReady;
  }

  #edited(): void {
    if (this.#refusal !== '') {
      this.#refusal = '';
      this.#showProblem();
    }
    this.#refresh();
  }

  #showProblem(): void {
    const text = this.#refusal || this.#hostProblem;
    const isNew = text !== '' && text !== this.#problem.textContent;
    setText(this.#problem, text);
    this.#problem.hidden = text === '';
    if (!isNew) return;
    this.#hooks.announce(text);
    this.#problem.scrollIntoView({ block: 'nearest' });
  }
}
