import type { PageAttachment } from '../../pageContent.ts';
import { element } from '../element.ts';
import { iconButton } from '../iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/pictures.ts';
import { sameContent } from '../sameContent.ts';
import type { Words } from '../words.ts';

const kindIcons: Readonly<Record<PageAttachment['kind'], IconName>> = {
  file: 'file',
  selection: 'selection',
  image: 'fileMedia',
};

/** What goes out with the next message, each with a button to leave it out. */
export class AttachmentList {
  readonly node: HTMLUListElement;
  readonly #words: Words;
  readonly #remove: (attachmentId: string) => void;
  readonly #onEmptied: () => void;
  #shown: readonly PageAttachment[] = [];

  /** @param onEmptied where the focus goes when the last attachment is removed by keyboard. */
  constructor(words: Words, remove: (attachmentId: string) => void, onEmptied: () => void) {
    this.#words = words;
    this.#remove = remove;
    this.#onEmptied = onEmptied;
    this.node = element('ul', { class: 'attachments', role: 'list', 'aria-label': words.say('attachments') });
  }

  get count(): number {
    return this.#shown.length;
  }

  show(attachments: readonly PageAttachment[]): void {
    if (this.#shown.length > 0 && sameContent(this.#shown, attachments)) return;
    const focused = [...this.node.children].findIndex((chip) => chip.contains(document.activeElement));
    this.#shown = attachments;
    this.node.replaceChildren(...attachments.map((attachment) => this.#chip(attachment)));
    this.node.hidden = attachments.length === 0;
    if (focused >= 0) this.#focusNear(focused);
  }

  #chip(attachment: PageAttachment): HTMLElement {
    const remove = iconButton('close', this.#words.say('removeAttachment', attachment.name), () =>
      this.#remove(attachment.attachmentId),
    );
    const name = element('bdi', { class: 'chip-name', title: attachment.name }, attachment.name);
    const detail = element('bdi', { class: 'chip-detail', title: attachment.detail }, attachment.detail);
    return element('li', { class: 'chip' }, icon(kindIcons[attachment.kind]), name, detail, remove);
  }

  #focusNear(index: number): void {
    const chip = this.node.children[Math.min(index, this.node.children.length - 1)];
    const button = chip?.querySelector('button');
    if (button) button.focus();
    else this.#onEmptied();
  }
}
