import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { inOnePiece } from '../../host/files/inOnePiece.ts';
import { mediaTypeOf } from '../../host/files/mediaType.ts';
import { decodeAddress, encodeAddress, ReadOnlyFiles } from '../../host/readOnlyFiles/readOnlyFiles.ts';
import { saveAs } from '../../host/files/saveAs.ts';
import { type MessagePart, partOf } from '../../state/conversation/messageParts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../services.ts';
import { UserFacingError } from '../commandErrors.ts';

type FileServices = Pick<Services, 'store' | 'sessions' | 'lifecycle' | 't'>;

const addressSchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);

/**
 * Opens images of messages in read-only editors, and saves files of messages. Opening an image writes nothing to disk.
 */
export class MessageFiles {
  readonly #services: FileServices;
  /** The images as a read-only file system. */
  readonly files: ReadOnlyFiles;

  constructor(services: FileServices) {
    this.#services = services;
    this.files = new ReadOnlyFiles(fileSchemes.message, async (address) => {
      await services.lifecycle.ensureStarted();
      const [origin, sessionId, messageId, path] = readAddress(address) ?? [];
      if (origin === undefined || sessionId === undefined || messageId === undefined || path === undefined) {
        return undefined;
      }
      const bytes = bytesOf(await this.#block({ origin, sessionId }, { messageId, path }));
      return bytes && { sizeBytes: bytes.byteLength, read: () => inOnePiece(bytes) };
    });
  }

  /**
   * Opens an image in an editor.
   * @throws UserFacingError if the message was removed, or isn't on this machine and its service isn't connected.
   * ApiError if the request for it failed.
   */
  async show({ origin, sessionId }: SessionKey, part: MessagePart): Promise<void> {
    const bytes = this.#require(bytesOf(await this.#block({ origin, sessionId }, part)));
    const [, ending = 'bin'] = /^image\/(\w+)$/.exec(mediaTypeOf(bytes)) ?? [];
    await this.files.show(encodeAddress([origin, sessionId, part.messageId, part.path]), `image.${ending}`);
  }

  /**
   * Saves a file to a location that the user chooses.
   * @throws UserFacingError if the message was removed, if it isn't on this machine and its service isn't connected, or
   * if the file couldn't be written. ApiError if the request for the message failed.
   */
  async save(key: SessionKey, part: MessagePart): Promise<void> {
    const block = await this.#block(key, part);
    const bytes = this.#require(bytesOf(block));
    try {
      await saveAs(block?.type === 'document' ? (block.name ?? '') : '', bytes);
    } catch (error) {
      throw new UserFacingError(this.#services.t("Couldn't write the file."), { cause: error });
    }
  }

  #require(bytes: Uint8Array | undefined): Uint8Array {
    if (!bytes) throw new UserFacingError(this.#services.t('The message with this file was removed.'));
    return bytes;
  }

  /**
   * @throws UserFacingError if the message isn't on this machine and its service isn't connected. ApiError if the
   * request for it failed.
   */
  async #block(key: SessionKey, { messageId, path }: MessagePart): Promise<ContentBlock | undefined> {
    const { store, sessions, t } = this.#services;
    await sessions.restoreFromCache(key);
    const [known] = await store.readBodies(key, [messageId]);
    if (known) return partOf(known, path);
    if ((await sessions.fetchMessage(key, messageId)) === false) return undefined;
    const [fetched] = await store.readBodies(key, [messageId]);
    if (fetched) return partOf(fetched, path);
    throw new UserFacingError(
      t("This message isn't cached on this machine. It will load when the service is available."),
    );
  }
}

function readAddress(text: string): z.output<typeof addressSchema> | undefined {
  const parsed = addressSchema.safeParse(decodeAddress(text));
  return parsed.success ? parsed.data : undefined;
}

function bytesOf(block: ContentBlock | undefined): Uint8Array | undefined {
  const data = block?.type === 'image' || block?.type === 'document' ? block.source.data : undefined;
  return data === undefined ? undefined : Buffer.from(data, 'base64');
}
