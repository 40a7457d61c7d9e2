import type { PageComposer, PageDraft } from '../../pageContent.ts';
import type { PageSetup } from '../../protocol.ts';
import { element, setText } from '../element.ts';
import { iconButton } from '../iconButton.ts';
import { Owner, type Owned } from '../ownership.ts';
import type { Words } from '../words.ts';
import { AttachmentList } from './attachmentList.ts';
import { AttachMenu, type Attachable } from './attachMenu.ts';
import { MessageField } from './messageField.ts';

/** What the person does in the composer. */
export interface ComposerHooks {
  readonly send: (text: string) => void;
  readonly draft: (draft: PageDraft) => void;
  readonly attach: (what: Attachable) => void;
  readonly removeAttachment: (attachmentId: string) => void;
  readonly announce: (text: string) => void;
}

/** Where a message is written: the text, what goes with it, and what will become of it. */
export class ComposerView implements Owned {
  readonly node: HTMLElement;
  readonly #hooks: ComposerHooks;
  readonly #field: MessageField;
  readonly #attachments: AttachmentList;
  readonly #send: HTMLButtonElement;
  readonly #hint = element('div', { class: 'composer-hint', id: 'composer-hint', dir: 'auto' });
  readonly #problem = element('div', { class: 'composer-problem', id: 'composer-problem', dir: 'auto', hidden: true });
  readonly #owner = new Owner();
  #canSend = false;
  #hostProblem = '';
  #refusal = '';

  constructor(words: Words, sendKey: PageSetup['sendKey'], hooks: ComposerHooks) {
    this.#hooks = hooks;
    this.#field = this.#owner.own(
      new MessageField(words, sendKey, {
        edited: () => this.#edited(),
        send: () => this.#sendNow(),
        draft: hooks.draft,
      }),
    );
    const remove = (attachmentId: string) => hooks.removeAttachment(attachmentId);
    this.#attachments = new AttachmentList(words, remove, () => this.focus());
    const menu = this.#owner.own(new AttachMenu(words, hooks.attach));
    this.#send = iconButton('send', words.say('send'), () => {
      this.#sendNow();
      this.focus();
    });
    this.#send.classList.add('send-button');
    const bar = element('div', { class: 'composer-bar' }, menu.node, this.#hint, this.#send);
    const box = element('div', { class: 'composer-box' }, this.#attachments.node, this.#field.node, bar);
    this.node = element('section', { class: 'composer', 'aria-label': words.say('message') }, this.#problem, box);
    // A click beside the text, between the buttons, means the text too.
    box.addEventListener('click', (event) => {
      if (event.target === box || event.target === bar) this.focus();
    });
    this.#refresh();
  }

  show(composer: PageComposer): void {
    this.#canSend = composer.canSend;
    this.#hostProblem = composer.problem ?? '';
    this.#attachments.show(composer.attachments);
    setText(this.#hint, composer.hint);
    this.#hint.title = composer.hint;
    this.#showProblem();
    this.#refresh();
  }

  /** The host's draft for this page; typing that the host has not seen yet is not overwritten. */
  showDraft(draft: PageDraft, isSameSession: boolean): void {
    if (isSameSession && this.#field.hasUnsaved) this.#field.flush();
    else this.#field.show(draft);
    if (!isSameSession) this.#refusal = '';
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

  /** Sends the draft to the host now; for the moment before another session is shown. */
  flush(): void {
    this.#field.flush();
  }

  focus(): void {
    this.#field.node.focus();
  }

  dispose(): void {
    this.#owner.dispose();
  }

  #sendNow(): void {
    if (!this.#isReady()) {
      if (!this.#canSend) this.#hooks.announce(this.#hint.textContent);
      return;
    }
    this.#refusal = '';
    this.#hostProblem = '';
    this.#showProblem();
    const text = this.#field.take();
    this.#refresh();
    this.#hooks.send(text);
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
    if (text !== '' && text !== this.#problem.textContent) this.#hooks.announce(text);
    setText(this.#problem, text);
    this.#problem.hidden = text === '';
  }
}
