import * as z from 'zod/mini';
import type { ContentBlock } from '../../api/resources/contentBlock.ts';
import { fileSchemes } from '../../host/readOnlyFiles/fileSystem.ts';
import { parseJson } from '../../shared/json.ts';
import { mediaTypeOf } from '../../host/files/mediaType.ts';
import { ReadOnlyFiles } from '../../host/readOnlyFiles/files.ts';
import { saveAs } from '../../host/files/saveAs.ts';
import { type MessagePart, partOf } from '../../state/conversation/messageParts.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Services } from '../context.ts';
import { UserFacingError } from '../errors.ts';

type FileServices = Pick<Services, 'store' | 'sessions' | 'lifecycle' | 't'>;

const addressSchema = z.tuple([z.string(), z.string(), z.string(), z.string()]);

/** The pictures and files that came in messages: opened in editors of their own, or saved. Nothing is written for that. */
export class MessageFiles {
  readonly #services: FileServices;
  /** The pictures as files of the editor. */
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
      return bytes && { sizeBytes: bytes.byteLength, read: () => single(bytes) };
    });
  }

  /** Opens a picture as the editor shows pictures. @throws ToldError where it is not there any more. */
  async show({ origin, sessionId }: SessionKey, part: MessagePart): Promise<void> {
    const bytes = this.#present(bytesOf(await this.#block({ origin, sessionId }, part)));
    const [, ending = 'bin'] = /^image\/(\w+)$/.exec(mediaTypeOf(bytes)) ?? [];
    const address = JSON.stringify([origin, sessionId, part.messageId, part.path]);
    await this.files.show(Buffer.from(address).toString('base64url'), `image.${ending}`);
  }

  /** Saves a file where the person says. @throws ToldError where it is not there any more. */
  async save(key: SessionKey, part: MessagePart): Promise<void> {
    const block = await this.#block(key, part);
    const bytes = this.#present(bytesOf(block));
    await saveAs(block?.type === 'document' ? (block.name ?? '') : '', bytes);
  }

  #present(bytes: Uint8Array | undefined): Uint8Array {
    if (!bytes) throw new UserFacingError(this.#services.t('The message with this file was removed.'));
    return bytes;
  }

  async #block(key: SessionKey, { messageId, path }: MessagePart): Promise<ContentBlock | undefined> {
    const { store, sessions } = this.#services;
    await sessions.restoreFromCache(key);
    const [known] = await store.readBodies(key, [messageId]);
    if (known) return partOf(known, path);
    await sessions.fetchMessage(key, messageId);
    const [fetched] = await store.readBodies(key, [messageId]);
    return fetched && partOf(fetched, path);
  }
}

function readAddress(text: string): z.output<typeof addressSchema> | undefined {
  const parsed = addressSchema.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function bytesOf(block: ContentBlock | undefined): Uint8Array | undefined {
  const data = block?.type === 'image' || block?.type === 'document' ? block.source.data : undefined;
  return data === undefined ? undefined : Buffer.from(data, 'base64');
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
