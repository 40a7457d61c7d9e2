import type { PageFact } from '../../shared/protocol/pageModel.ts';
import type { StoredAttachment } from './outboxEntry.ts';
import { type Translate, plainLine, wholeNumber } from '../../shared/text.ts';

/** What is kept of an attachment after its bytes have left. `sha256` is in lower-case hex. */
export type SentFile = Pick<StoredAttachment, 'name' | 'path' | 'mediaType' | 'sizeBytes' | 'sha256'>;

/** What was sent with a message, for its details: a line for each file, and the hash of its bytes. */
export function sentFacts(files: readonly SentFile[], t: Translate): PageFact[] {
  return files.flatMap(({ name, path, mediaType, sizeBytes, sha256 }) => {
    const place = plainLine(path === undefined || path.endsWith(name) ? (path ?? name) : `${name} (${path})`, 200);
    const value = t('{0}, {1}, {2} bytes', place, plainLine(mediaType, 80), wholeNumber(sizeBytes));
    return [
      { label: t('What was sent'), value },
      { label: 'SHA-256', value: sha256, isId: true },
    ];
  });
}
