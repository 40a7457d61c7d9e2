import type { ComposerSettings } from '../../shared/protocol/composerProtocol.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { listen } from '../dom/listen.ts';
import { element, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { Words } from '../strings.ts';
import type { Notices } from './notices.ts';
import { type SizedPicture, sizePicture } from './pictureSizes.ts';
import type { ComposerTextField } from './textField.ts';

/** What a paste or a drop brings, as far as it becomes an attachment. */
export interface Transferred {
  /** Files by their bytes: from the clipboard, or from the desktop. */
  readonly files: readonly File[];
  /** Files by their place: from the editor's own lists. */
  readonly uris: readonly string[];
}

const uriTypes = ['application/vnd.code.uri-list', 'text/uri-list'];

/**
 * Files on the clipboard, unless it holds a text as well: then the text is what people mean (programs put a picture
 * beside it), but for the name of the copied file.
 */
export function pastedFiles(data: DataTransfer): readonly File[] {
  const files = [...data.files];
  const text = data.getData('text/plain').trim();
  const names = files.map(({ name }) => name);
  return text === '' || text.split(/\r?\n/).every((line) => names.includes(line)) ? files : [];
}

/** What was dropped. Addresses of web pages are text. */
export function dropped(data: DataTransfer): Transferred {
  const list = uriTypes.map((type) => data.getData(type)).find((text) => text !== '') ?? resourceUrls(data);
  const uris = list
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^(?:https?|data|javascript):/i.test(line));
  return uris.length > 0 ? { uris, files: [] } : { uris: [], files: [...data.files] };
}

/** Whether something that may become an attachment is being dragged; its content is not readable before the drop. */
export function mayAttach(data: DataTransfer | null): boolean {
  const types = data?.types.map((type) => type.toLowerCase()) ?? [];
  return types.some((type) => type === 'files' || type === 'resourceurls' || uriTypes.includes(type));
}

/** The editor's lists drag their files this way, too: a JSON list of URIs. */
function resourceUrls(data: DataTransfer): string {
  try {
    const urls: unknown = JSON.parse(data.getData('ResourceURLs'));
    return Array.isArray(urls) ? urls.filter((url) => typeof url === 'string').join('\n') : '';
  } catch {
    return '';
  }
}

/** What becomes of what comes in. */
export interface IncomingHooks {
  readonly attachBytes: (attachmentId: string, name: string, bytes: ArrayBuffer) => void;
  readonly attachUris: (uris: readonly string[]) => void;
  readonly remove: (attachmentId: string) => void;
  readonly thumbnail: (attachmentId: string, picture: Element) => void;
}

/**
 * What is pasted or dropped and is no short text: files and pictures, and texts too long to read in a field. The bytes
 * go to the host, which judges and keeps them; a picture larger than models see is offered smaller first.
 */
export class PasteAndDrop implements Disposable {
  readonly #field: ComposerTextField;
  readonly #settings: ComposerSettings;
  readonly #words: Words;
  readonly #notices: Notices;
  readonly #hooks: IncomingHooks;
  readonly #disposables = new Disposables();
  /** What takes away the notice of a long text, by its file. */
  readonly #longTexts = new Map<string, { readonly takeAway: () => void; isAttached: boolean }>();

  constructor(
    field: ComposerTextField,
    settings: ComposerSettings,
    words: Words,
    notices: Notices,
    hooks: IncomingHooks,
  ) {
    this.#field = field;
    this.#settings = settings;
    this.#words = words;
    this.#notices = notices;
    this.#hooks = hooks;
    listen(this.#disposables, field.node, 'paste', (event) => this.#pasted(event));
  }

  /** Attaches what was dropped. */
  take({ files, uris }: Transferred): void {
    if (uris.length > 0) this.#hooks.attachUris(uris);
    for (const file of files) void this.#takeFile(file);
  }

  /** What is attached now. The notice of a long text goes with its file, removed or sent; it may come before that. */
  showAttached(attachments: readonly { readonly attachmentId: string }[]): void {
    for (const [attachmentId, notice] of this.#longTexts) {
      const isAttached = attachments.some((attachment) => attachment.attachmentId === attachmentId);
      if (isAttached) notice.isAttached = true;
      else if (notice.isAttached) this.#forget(attachmentId, notice.takeAway);
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #pasted(event: ClipboardEvent): void {
    const data = event.clipboardData;
    if (!data) return;
    const files = pastedFiles(data);
    const text = data.getData('text/plain');
    const { pasteAsFileLength } = this.#settings;
    const isLong = pasteAsFileLength > 0 && text.length > pasteAsFileLength;
    if (files.length === 0 && !isLong) return;
    event.preventDefault();
    if (files.length > 0) this.take({ files, uris: [] });
    else this.#takeLongText(text);
  }

  #takeLongText(text: string): void {
    const attachmentId = crypto.randomUUID();
    this.#hooks.attachBytes(attachmentId, 'pasted-text.txt', new TextEncoder().encode(text).buffer);
    const undo = () => {
      this.#longTexts.delete(attachmentId);
      this.#hooks.remove(attachmentId);
      this.#field.write(text);
    };
    const lines = text.split('\n').length;
    const button = { label: this.#words.say('pasteAsText'), run: undo };
    const takeAway = this.#notices.show(this.#words.say('pastedAsFile', lines), [button]);
    this.#longTexts.set(attachmentId, { takeAway, isAttached: false });
  }

  #forget(attachmentId: string, takeAway: () => void): void {
    this.#longTexts.delete(attachmentId);
    takeAway();
  }

  async #takeFile(file: File): Promise<void> {
    if (file.size > this.#settings.maxPageBytes) {
      this.#notices.show(this.#words.say('tooLargeToPaste', file.name, this.#words.size(file.size)), [
        { label: this.#words.say('dontAttach'), run: () => undefined },
      ]);
      return;
    }
    const picture = file.type.startsWith('image/') ? await sizePicture(file).catch(() => undefined) : undefined;
    if (picture?.smaller) this.#offerSmaller(file, picture, picture.smaller);
    else await this.#attach(file, file.name, picture);
  }

  #offerSmaller(
    file: File,
    picture: SizedPicture,
    { blob, longEdgePx, extension }: NonNullable<SizedPicture['smaller']>,
  ): void {
    const words = this.#words;
    const pixels = `${picture.widthPx} × ${picture.heightPx}`;
    const smallName = file.name.replace(/(?:\.[^.]*)?$/, `.${extension}`);
    this.#notices.show(words.say('largePicture', file.name, pixels, words.size(file.size)), [
      {
        label: words.say('attachSmaller', longEdgePx, words.size(blob.size)),
        run: () => void this.#attach(blob, smallName, picture),
      },
      { label: words.say('attachAsIs'), run: () => void this.#attach(file, file.name, picture) },
      { label: words.say('dontAttach'), run: () => undefined },
    ]);
  }

  async #attach(content: Blob, name: string, picture: SizedPicture | undefined): Promise<void> {
    const attachmentId = crypto.randomUUID();
    if (picture) this.#hooks.thumbnail(attachmentId, picture.thumbnail);
    this.#hooks.attachBytes(attachmentId, name, await content.arrayBuffer());
  }
}

/**
 * Takes what is dropped anywhere on the page. The editor hands a drag over to a page only while Shift is held, so that
 * is what is said as soon as one comes in without it.
 */
export class DropTarget implements Disposable {
  readonly node = element('div', { class: 'drop-target', hidden: true });
  readonly #words: Words;
  readonly #text = element('span');
  readonly #disposables = new Disposables();

  constructor(words: Words, take: (transferred: Transferred) => void) {
    this.#words = words;
    this.node.append(icon('attach'), this.#text);
    listen(this.#disposables, document, 'dragenter', (event) => this.#over(event));
    listen(this.#disposables, document, 'dragover', (event) => this.#over(event));
    listen(this.#disposables, document, 'dragleave', (event) => {
      if (event.relatedTarget === null) this.node.hidden = true;
    });
    listen(this.#disposables, document, 'dragend', () => (this.node.hidden = true));
    listen(this.#disposables, window, 'blur', () => (this.node.hidden = true));
    listen(this.#disposables, document, 'drop', (event) => {
      this.node.hidden = true;
      const transferred = event.dataTransfer ? dropped(event.dataTransfer) : { files: [], uris: [] };
      const isText = transferred.files.length + transferred.uris.length === 0;
      // Text goes where the browser puts it; anywhere else it would open an address that was dropped.
      if (isText && event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      if (!isText) take(transferred);
    });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #over(event: DragEvent): void {
    if (!mayAttach(event.dataTransfer)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    setText(this.#text, this.#words.say(event.shiftKey ? 'dropToAttach' : 'holdShift'));
    this.node.hidden = false;
  }
}
