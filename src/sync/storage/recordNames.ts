import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';

/** The name of a session's only record in a subfolder. */
export function sessionRecordName(subfolder: string, key: SessionKey): string {
  return `${subfolder}/${sessionHash(key)}.json`;
}

/** Identifies a session in a file name; its ID may contain characters that file names can't contain. */
export function sessionHash(key: SessionKey): string {
  return hashOf(keyText(key));
}

/** The name of a service's only record in a subfolder. */
export function originRecordName(subfolder: string, origin: string): string {
  return `${subfolder}/${hashOf(origin)}.json`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export const sessionKeySchema = z.object({ origin: z.string(), sessionId: z.string() });

/** An attachment as saved on disk. The blob's ID becomes a file name, so it is validated. */
export const storedAttachmentSchema = z.object({
  attachmentId: z.string(),
  kind: z.enum(['file', 'selection', 'image']),
  name: z.string(),
  path: z.optional(z.string()),
  mediaType: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  blobId: z.string().check(z.regex(/^[0-9a-f-]{36}$/)),
  isUnsaved: z.boolean(),
  sourceUri: z.optional(z.string()),
  parsedData: z.optional(z.string()),
});
