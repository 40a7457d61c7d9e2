import type { PageAttachment } from '../../shared/protocol/pageModel.ts';
import { type Child, element, sameContent } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Words } from '../strings.ts';

const kindIcons: Readonly<Record<PageAttachment['kind'], IconName>> = {
  file: 'file',
  selection: 'list-selection',
  image: 'file-media',
};
/** Names up to here are never cut; of longer ones this much of the end stays: extension and lines. */
const wholeNameLength = 24;
const keptEndLength = 14;

/** What can be done with one attachment. */
export interface ChipHooks {
  readonly preview: (attachmentId: string) => void;
  readonly remove: (attachmentId: string) => void;
}

/** One attachment: pressed, it shows what will be sent. `thumbnail` stands in for its icon. */
export function attachmentChip(
  { attachmentId, name, detail, kind }: PageAttachment,
  thumbnail: Element | undefined,
  words: Words,
  { preview, remove }: ChipHooks,
): HTMLElement {
  const open = element(
    'button',
    {
      type: 'button',
      class: 'chip-open',
      title: `${words.say('preview', name)}\n${detail}`,
      'aria-label': `${name} ${detail}`,
      'aria-keyshortcuts': 'Delete',
    },
    thumbnail ?? icon(kindIcons[kind]),
    element('bdi', { class: 'chip-name' }, ...shortenable(name)),
    ' ',
    element('bdi', { class: 'chip-detail' }, detail),
  );
  open.addEventListener('click', () => preview(attachmentId));
  const close = iconButton('close', words.say('removeAttachment', name), () => remove(attachmentId));
  // By keyboard it is Delete on the attachment itself.
  close.tabIndex = -1;
  return element('li', { class: 'chip' }, open, close);
}

/** A long name in two parts, of which the style cuts the first one. */
function shortenable(name: string): Child[] {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  if (characters.length <= wholeNameLength) return [name];
  return [
    element('span', { class: 'chip-start' }, characters.slice(0, -keptEndLength).join('')),
    element('span', { class: 'chip-end' }, characters.slice(-keptEndLength).join('')),
  ];
}

export interface AttachmentListHooks extends ChipHooks {
  /** Where the focus goes when the last attachment is removed by keyboard. */
  readonly emptied: () => void;
}

/**
 * What goes out with the next message. One stop for Tab; arrows go from one to the next, Delete and Backspace leave it
 * out, Enter shows what will be sent.
 */
export class AttachmentList {
  readonly node: HTMLUListElement;
  readonly #words: Words;
  readonly #hooks: AttachmentListHooks;
  readonly #thumbnails = new Map<string, Element>();
  #shown: readonly PageAttachment[] = [];
  #current = 0;

  constructor(words: Words, hooks: AttachmentListHooks) {
    this.#words = words;
    this.#hooks = hooks;
    this.node = element('ul', { class: 'attachments', role: 'list', 'aria-label': words.say('attachments') });
    this.node.addEventListener('keydown', (event) => this.#pressed(event));
    this.node.addEventListener('focusin', () => this.#stopAt(this.#focused));
  }

  get count(): number {
    return this.#shown.length;
  }

  /** A small picture for an attachment that is, or will be, shown here. */
  takeThumbnail(attachmentId: string, thumbnail: Element): void {
    this.#thumbnails.set(attachmentId, thumbnail);
  }

  show(attachments: readonly PageAttachment[]): void {
    if (this.#shown.length > 0 && sameContent(this.#shown, attachments)) return;
    const focused = this.#focused;
    const isShorter = attachments.length < this.#shown.length;
    this.#shown = attachments;
    this.#forgetThumbnails();
    this.node.replaceChildren(
      ...attachments.map((attachment) =>
        attachmentChip(attachment, this.#thumbnails.get(attachment.attachmentId), this.#words, this.#hooks),
      ),
    );
    this.node.hidden = attachments.length === 0;
    this.#stopAt(isShorter ? Math.max(0, focused) : this.#current);
    if (focused < 0) return;
    if (attachments.length === 0) this.#hooks.emptied();
    else this.#focus(focused);
  }

  /** Which attachment has the focus, on itself or on its button; -1: none. */
  get #focused(): number {
    return [...this.node.children].findIndex((chip) => chip.contains(document.activeElement));
  }

  get #openers(): HTMLButtonElement[] {
    return [...this.node.querySelectorAll<HTMLButtonElement>('.chip-open')];
  }

  #pressed(event: KeyboardEvent): void {
    const index = this.#focused;
    if (event.altKey || event.ctrlKey || event.metaKey || index < 0) return;
    const last = this.#shown.length - 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(last, index + 1),
      ArrowDown: Math.min(last, index + 1),
      ArrowLeft: Math.max(0, index - 1),
      ArrowUp: Math.max(0, index - 1),
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    const removed = event.key === 'Delete' || event.key === 'Backspace' ? this.#shown[index] : undefined;
    if (next !== undefined) this.#focus(next);
    else if (removed) this.#hooks.remove(removed.attachmentId);
    else return;
    event.preventDefault();
  }

  #focus(index: number): void {
    const openers = this.#openers;
    openers[Math.min(index, openers.length - 1)]?.focus();
  }

  /** Tab comes to this one. */
  #stopAt(index: number): void {
    const openers = this.#openers;
    this.#current = Math.max(0, Math.min(index, openers.length - 1));
    for (const [at, opener] of openers.entries()) opener.tabIndex = at === this.#current ? 0 : -1;
  }

  /** A picture may come before its attachment does; one that left is not coming back. */
  #forgetThumbnails(): void {
    const ids = new Set(this.#shown.map(({ attachmentId }) => attachmentId));
    for (const [attachmentId, thumbnail] of this.#thumbnails) {
      if (thumbnail.isConnected && !ids.has(attachmentId)) this.#thumbnails.delete(attachmentId);
    }
  }
}
