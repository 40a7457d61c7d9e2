import type { PageAttachment } from '../../shared/protocol/pageModel.ts';
import { detailRoom } from '../dom/detailRoom.ts';
import { type Child, element } from '../dom/element.ts';
import { sameValue } from '../../shared/equality.ts';
import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import type { IconName } from '../icons/svgs.ts';
import type { Strings } from '../strings.ts';
import type { ComposerActions } from './composerActions.ts';
import type { ComposerTextField } from './composerTextField.ts';

const kindIcons: Readonly<Record<PageAttachment['kind'], IconName>> = {
  file: 'file',
  selection: 'list-selection',
  image: 'file-media',
  outputs: 'output',
};
/**
 * Names of up to this many characters are never truncated. The last `keptEndLength` characters of longer names, which
 * usually include the extension and line numbers, are always shown.
 */
const wholeNameLength = 24;
const keptEndLength = 14;

/**
 * The list item for one attachment: a button that previews the content to be sent, and one that removes the attachment.
 * `thumbnail` replaces the icon.
 */
function attachmentChip(
  { attachmentId, name, detail, kind }: PageAttachment,
  thumbnail: Element | undefined,
  strings: Strings,
  actions: ComposerActions,
): HTMLElement {
  const open = element(
    'button',
    {
      type: 'button',
      class: 'chip-open',
      title: `${strings.get('preview', name)}\n${detail}`,
      'aria-label': `${name} ${detail}`,
      'aria-keyshortcuts': 'Delete',
    },
    thumbnail ?? icon(kindIcons[kind]),
    element('bdi', { class: 'chip-name' }, ...shortenable(name)),
    ' ',
    detailRoom(element('bdi', { class: 'chip-detail' }, detail)),
  );
  open.addEventListener('click', () => actions.previewAttachment(attachmentId));
  const close = iconButton('close', strings.get('removeAttachment', name), () =>
    actions.removeAttachment(attachmentId),
  );
  // Keyboard users press Delete on the attachment itself, so this button doesn't need a tab stop.
  close.tabIndex = -1;
  return element('li', { class: 'chip' }, open, close);
}

/** The name, in two parts if it is long. CSS truncates the first part. */
function shortenable(name: string): Child[] {
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  if (characters.length <= wholeNameLength) return [name];
  return [
    element('span', { class: 'chip-start' }, characters.slice(0, -keptEndLength).join('')),
    element('span', { class: 'chip-end' }, characters.slice(-keptEndLength).join('')),
  ];
}

/**
 * The attachments of the next message. They are one tab stop: the arrow keys move between them, Delete and Backspace
 * remove the focused one, and Enter previews it.
 */
export class AttachmentList {
  readonly node: HTMLUListElement;
  readonly #strings: Strings;
  readonly #actions: ComposerActions;
  readonly #field: ComposerTextField;
  readonly #thumbnails = new Map<string, Element>();
  #shown: readonly PageAttachment[] = [];
  #current = 0;

  /** @param field gets the focus when the list becomes empty while an attachment has the focus. */
  constructor(strings: Strings, actions: ComposerActions, field: ComposerTextField) {
    this.#strings = strings;
    this.#actions = actions;
    this.#field = field;
    this.node = element('ul', { class: 'attachments', role: 'list', 'aria-label': strings.get('attachments') });
    this.node.addEventListener('keydown', (event) => this.#pressed(event));
    this.node.addEventListener('focusin', () => this.#setTabStop(this.#focused));
  }

  get count(): number {
    return this.#shown.length;
  }

  /** The ID of the first attachment; undefined if there is none. */
  get firstId(): string | undefined {
    return this.#shown[0]?.attachmentId;
  }

  has(attachmentId: string): boolean {
    return this.#shown.some((shown) => shown.attachmentId === attachmentId);
  }

  /** Sets the thumbnail with which an attachment is drawn. Call this before the attachment is added to the draft. */
  setThumbnail(attachmentId: string, thumbnail: Element): void {
    this.#thumbnails.set(attachmentId, thumbnail);
  }

  show(attachments: readonly PageAttachment[]): void {
    if (this.#shown.length > 0 && sameValue(this.#shown, attachments)) return;
    const focused = this.#focused;
    const isShorter = attachments.length < this.#shown.length;
    this.#shown = attachments;
    this.#dropThumbnails();
    this.node.replaceChildren(
      ...attachments.map((attachment) =>
        attachmentChip(attachment, this.#thumbnails.get(attachment.attachmentId), this.#strings, this.#actions),
      ),
    );
    this.node.hidden = attachments.length === 0;
    this.#setTabStop(isShorter ? Math.max(0, focused) : this.#current);
    if (focused < 0) return;
    if (attachments.length === 0) this.#field.node.focus();
    else this.#focus(focused);
  }

  /** The index of the attachment that contains the focus, or -1. */
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
    else if (removed) this.#actions.removeAttachment(removed.attachmentId);
    else return;
    event.preventDefault();
  }

  #focus(index: number): void {
    const openers = this.#openers;
    openers[Math.min(index, openers.length - 1)]?.focus();
  }

  /** Makes the attachment at this index, or the one nearest to it, the only tab stop of the list. */
  #setTabStop(index: number): void {
    const openers = this.#openers;
    this.#current = Math.max(0, Math.min(index, openers.length - 1));
    for (const [at, opener] of openers.entries()) opener.tabIndex = at === this.#current ? 0 : -1;
  }

  /**
   * Drops thumbnails of removed attachments. Those that were never shown stay, because their attachments may still
   * arrive.
   */
  #dropThumbnails(): void {
    const ids = new Set(this.#shown.map(({ attachmentId }) => attachmentId));
    for (const [attachmentId, thumbnail] of this.#thumbnails) {
      if (thumbnail.isConnected && !ids.has(attachmentId)) this.#thumbnails.delete(attachmentId);
    }
  }
}
