import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { ComposerSettings } from '../../shared/protocol/pageModel.ts';
import { element, setText } from '../dom/element.ts';
import { listen } from '../dom/listen.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';
import type { AttachmentList } from './attachmentList.ts';
import type { ComposerTarget, ComposerActions } from './composerActions.ts';
import type { Notices } from './notices.ts';
import { type SizedPicture, sizePicture } from './pictureSizes.ts';
import type { ComposerTextField } from './composerTextField.ts';

/** The part of a paste or drop that can be attached. */
interface Transferred {
  /** Files by their content: from the clipboard or from outside VS Code. */
  readonly files: readonly File[];
  /** Files by their URI: from VS Code's own lists. */
  readonly uris: readonly string[];
}

/** A file whose content the page has read. */
interface ReadFile {
  readonly target: ComposerTarget;
  readonly name: string;
  readonly bytes: ArrayBuffer;
  readonly picture: SizedPicture | undefined;
}

/** As in the settings, a megabyte has a million bytes. */
const bytesPerMB = 1_000_000;

const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/**
 * Attaches pasted and dropped files and images, and pasted text that is too long to read in a text field. The host
 * receives the bytes and decides whether to attach them. If an image is larger than models need, the user can choose a
 * smaller version. Until then, the original is attached, because a page that is closed can't attach anything. If the
 * original exceeds the maximum size of an attachment, the smaller version is attached.
 *
 * Files can be dropped anywhere on the page. VS Code passes a drag on to a webview only while Shift is held. If a
 * drag event without Shift reaches the page anyway, the page shows a hint to hold Shift.
 */
export class PasteAndDrop implements Disposable {
  /** Covers the page while something that can be attached is dragged over it. */
  readonly overlay = element('div', { class: 'drop-target', hidden: true });
  readonly #overlayText = element('span');
  readonly #field: ComposerTextField;
  readonly #settings: ComposerSettings;
  readonly #strings: Strings;
  readonly #notices: Notices;
  readonly #actions: ComposerActions;
  readonly #attachments: AttachmentList;
  readonly #disposables = new Disposables();
  /**
   * The files that the page is reading, with the key of the session that each is for. The host doesn't know them yet. A
   * promise resolves to false on a failure.
   */
  readonly #reading = new Map<Promise<boolean>, string>();
  /** The IDs of the attachments whose bytes the page has sent to the host. */
  readonly #ownIds = new Set<string>();
  /** The notices about attachments that the user can still replace, by attachment ID. */
  readonly #replaceable = new Map<string, { readonly notice: HTMLElement; isAttached: boolean }>();
  #isDisposed = false;

  constructor(
    field: ComposerTextField,
    settings: ComposerSettings,
    strings: Strings,
    notices: Notices,
    actions: ComposerActions,
    attachments: AttachmentList,
  ) {
    this.#field = field;
    this.#settings = settings;
    this.#strings = strings;
    this.#notices = notices;
    this.#actions = actions;
    this.#attachments = attachments;
    this.overlay.append(icon('attach'), this.#overlayText);
    listen(this.#disposables, field.node, 'paste', (event) => this.#onPaste(event));
    for (const type of ['dragenter', 'dragover'] as const) {
      listen(this.#disposables, document, type, (event) => this.#onDrag(event));
    }
    listen(this.#disposables, document, 'dragleave', (event) => {
      if (event.relatedTarget === null) this.#hideOverlay();
    });
    listen(this.#disposables, document, 'dragend', () => this.#hideOverlay());
    listen(this.#disposables, window, 'blur', () => this.#hideOverlay());
    listen(this.#disposables, document, 'drop', (event) => this.#onDrop(event));
  }

  /**
   * Call this when the attachments have changed. Removes the notice about long pasted text or a large image once its
   * attachment has been removed or sent. The notice may appear before the attachment does.
   */
  showAttached(attachments: readonly { readonly attachmentId: string }[]): void {
    for (const [attachmentId, replaceable] of this.#replaceable) {
      const isAttached = attachments.some((attachment) => attachment.attachmentId === attachmentId);
      if (isAttached) replaceable.isAttached = true;
      else if (replaceable.isAttached) {
        this.#replaceable.delete(attachmentId);
        replaceable.notice.remove();
      }
    }
  }

  /**
   * Resolves when each file that is being read for a session has been sent to the host, has been rejected as too large,
   * or couldn't be read. Resolves to false if a file couldn't be read, and otherwise to true. Undefined if no file is
   * being read for the session.
   */
  readingFor({ shownKey }: ComposerTarget): Promise<boolean> | undefined {
    const reading = [...this.#reading].flatMap(([promise, key]) => (key === shownKey ? [promise] : []));
    if (reading.length === 0) return undefined;
    return Promise.all(reading).then((results) => results.every(Boolean));
  }

  /** Whether this page has sent the attachment's bytes to the host. */
  isOwn(attachmentId: string): boolean {
    return this.#ownIds.has(attachmentId);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#disposables.dispose();
  }

  #onPaste(event: ClipboardEvent): void {
    const data = event.clipboardData;
    if (!data) return;
    const files = pastedFiles(data);
    const text = data.getData('text/plain');
    const { pasteAsFileLength } = this.#settings;
    const isLong = pasteAsFileLength > 0 && text.length > pasteAsFileLength;
    if (files.length === 0 && !isLong) return;
    event.preventDefault();
    if (files.length > 0) this.#attachAll({ files, uris: [] });
    else this.#attachLongText(text);
  }

  #onDrag(event: DragEvent): void {
    if (!mayAttach(event.dataTransfer)) return;
    event.preventDefault();
    // Without a conversation, there is no composer.
    if (event.dataTransfer) event.dataTransfer.dropEffect = this.overlay.isConnected ? 'copy' : 'none';
    setText(this.#overlayText, this.#strings.get(event.shiftKey ? 'dropToAttach' : 'holdShift'));
    this.overlay.hidden = false;
  }

  #onDrop(event: DragEvent): void {
    this.#hideOverlay();
    const transferred = event.dataTransfer ? dropped(event.dataTransfer) : { files: [], uris: [] };
    const isText = transferred.files.length + transferred.uris.length === 0;
    // The browser inserts text into a text area. Anywhere else, it would open a dropped URL.
    if (isText && event.target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    if (!isText && this.overlay.isConnected) this.#attachAll(transferred);
  }

  #hideOverlay(): void {
    this.overlay.hidden = true;
  }

  #attachAll({ files, uris }: Transferred): void {
    if (uris.length > 0) this.#actions.attachUris(uris);
    const { target } = this.#actions;
    for (const file of files) {
      this.#actions.noteAddition();
      this.#track(target, file.name, this.#attachFile(target, file));
    }
  }

  /**
   * Keeps track of a file that is being read, so that messages can wait for it. Shows a notice if the file can't be
   * read, for example because it is a folder, or was deleted.
   */
  #track({ shownKey }: ComposerTarget, name: string, attaching: Promise<void>): void {
    const reading = attaching.then(
      () => true,
      () => {
        this.#showProblem(this.#strings.get('cantReadFile', name));
        return false;
      },
    );
    this.#reading.set(reading, shownKey);
    void reading.then(() => this.#reading.delete(reading));
  }

  #attachLongText(text: string): void {
    const name = 'pasted-text.txt';
    const { buffer } = new TextEncoder().encode(text);
    if (this.#isTooLarge(name, buffer.byteLength)) return;
    const { target } = this.#actions;
    this.#actions.noteAddition();
    const attachmentId = this.#attach({ target, name, bytes: buffer, picture: undefined });
    const pasteAsText = () => {
      this.#remove(attachmentId);
      this.#field.write(text);
    };
    const button = { label: this.#strings.get('pasteAsText'), run: pasteAsText };
    const notice = this.#notices.show(this.#strings.get('pastedAsFile'), [button]);
    this.#replaceable.set(attachmentId, { notice, isAttached: false });
  }

  async #attachFile(target: ComposerTarget, file: File): Promise<void> {
    if (this.#isTooLarge(file.name, file.size)) return;
    const picture = file.type.startsWith('image/') ? await sizePicture(file).catch(() => undefined) : undefined;
    const bytes = await file.arrayBuffer();
    const smallerBytes = await picture?.smaller?.blob.arrayBuffer();
    // If another session is shown by now, the user can no longer be asked.
    const canChoose = this.#actions.shownKey === target.shownKey && !this.#isDisposed;
    const original = { target, name: file.name, bytes, picture };
    if (!picture?.smaller || !smallerBytes) {
      this.#attach(original);
      return;
    }
    const name = file.name.replace(/(?:\.[^.]*)?$/, `.${picture.smaller.extension}`);
    const smaller = { target, name, bytes: smallerBytes, picture };
    if (canChoose) this.#offerSizes(original, smaller, picture.smaller.longEdgePx);
    else this.#attach(this.#isOverLimit(original) ? smaller : original);
  }

  #isOverLimit({ bytes }: ReadFile): boolean {
    return bytes.byteLength > this.#settings.maxAttachmentMB * bytesPerMB;
  }

  /** Whether a size is more than the host accepts from a page. If so, shows a notice. */
  #isTooLarge(name: string, sizeBytes: number): boolean {
    const isTooLarge = sizeBytes > this.#settings.maxPageBytes;
    if (isTooLarge) this.#showProblem(this.#strings.get('tooLargeToPaste', name, this.#strings.size(sizeBytes)));
    return isTooLarge;
  }

  #showProblem(text: string): void {
    this.#notices.show(text, [{ label: this.#strings.get('dontAttach'), run: () => undefined }]);
  }

  /** Attaches an image, smaller if the original is too large, and lets the user choose the size. */
  #offerSizes(original: ReadFile, smaller: ReadFile & { readonly picture: SizedPicture }, longEdgePx: number): void {
    const strings = this.#strings;
    const { widthPx, heightPx } = smaller.picture;
    const isTooLarge = this.#isOverLimit(original);
    const attachmentId = this.#attach(isTooLarge ? smaller : original);
    const resize = () => {
      if (isTooLarge) return;
      this.#remove(attachmentId);
      this.#attach(smaller);
    };
    const sizes = [`${widthPx} × ${heightPx}`, strings.size(original.bytes.byteLength)] as const;
    const smallerSize = strings.size(smaller.bytes.byteLength);
    const notice = this.#notices.show(strings.get('largePicture', original.name, ...sizes), [
      { label: strings.get('attachSmaller', String(longEdgePx), smallerSize), run: resize },
      ...(isTooLarge ? [] : [{ label: strings.get('attachAsIs'), run: () => undefined }]),
      { label: strings.get('dontAttach'), run: () => this.#remove(attachmentId) },
    ]);
    this.#replaceable.set(attachmentId, { notice, isAttached: false });
  }

  /** @returns the ID of the attachment. */
  #attach({ target, name, bytes, picture }: ReadFile): string {
    const attachmentId = crypto.randomUUID();
    this.#ownIds.add(attachmentId);
    if (picture) this.#attachments.setThumbnail(attachmentId, picture.thumbnail);
    this.#actions.attachBytes(target, attachmentId, name, bytes);
    return attachmentId;
  }

  #remove(attachmentId: string): void {
    this.#replaceable.delete(attachmentId);
    this.#actions.removeAttachment(attachmentId);
  }
}

/**
 * The files on the clipboard, unless it also holds text other than their names: then the user probably wants the text,
 * because some programs add an image of copied text.
 */
function pastedFiles(data: DataTransfer): readonly File[] {
  const files = [...data.files];
  const text = data.getData('text/plain').trim();
  const names = files.map(({ name }) => name);
  return text === '' || text.split(/\r?\n/).every((line) => names.includes(line)) ? files : [];
}

/** The dropped files. URLs of web pages count as text. */
function dropped(data: DataTransfer): Transferred {
  const list = uriTypes.map((type) => data.getData(type)).find((text) => text !== '') ?? resourceUrls(data);
  const uris = list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^(?:https?|data|javascript):/i.test(line));
  return uris.length > 0 ? { uris, files: [] } : { uris: [], files: [...data.files] };
}

/** Whether something that may be attached is being dragged. Its content can't be read before it is dropped. */
function mayAttach(data: DataTransfer | null): boolean {
  const types = data?.types.map((type) => type.toLowerCase()) ?? [];
  return types.some((type) => type === 'files' || type === 'resourceurls' || uriTypes.includes(type));
}

/** The URIs in the JSON array that VS Code's lists also provide, one on each line; empty if there is no such array. */
function resourceUrls(data: DataTransfer): string {
  try {
    const urls: unknown = JSON.parse(data.getData('ResourceURLs'));
    return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string').join('\n') : '';
  } catch {
    return '';
  }
}
