import type { ComposerSettings } from '../../shared/protocol/composerProtocol.ts';
import { Owner, type Owned } from '../dom/timers.ts';
import type { Words } from '../strings.ts';
import type { MessageField } from './textField.ts';
import type { Notices } from './notices.ts';
import { sizePicture, type SizedPicture } from './pictureSizes.ts';
import { pastedFiles, type Transferred } from './transfers.ts';

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
export class Incoming implements Owned {
  readonly #field: MessageField;
  readonly #settings: ComposerSettings;
  readonly #words: Words;
  readonly #notices: Notices;
  readonly #hooks: IncomingHooks;
  readonly #owner = new Owner();
  /** What takes away the notice of a long text, by its file. */
  readonly #longTexts = new Map<string, { readonly takeAway: () => void; isAttached: boolean }>();

  constructor(field: MessageField, settings: ComposerSettings, words: Words, notices: Notices, hooks: IncomingHooks) {
    this.#field = field;
    this.#settings = settings;
    this.#words = words;
    this.#notices = notices;
    this.#hooks = hooks;
    this.#owner.listen(field.node, 'paste', (event) => this.#pasted(event));
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
    this.#owner.dispose();
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
