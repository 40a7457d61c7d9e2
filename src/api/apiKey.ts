import * as z from 'zod/mini';
import { parseJson } from '../shared/json.ts';

/** The reason why the entered text can't be used as an API key. */
type KeyFailure = 'empty' | 'controlCharacter' | 'notLatin1';

/** An API key, sent as `Authorization: Bearer <key>` (spec 5). */
interface AccessKey {
  readonly key: string;
  /** The `exp` claim in Unix ms if the key is a JWT that has one. The signature is not verified. */
  readonly expiresAtMs?: number | undefined;
}

/**
 * Reads an API key from user input. White space around the key and a pasted `Bearer ` prefix are removed. A key that an
 * HTTP header can't carry is rejected (R8).
 */
export function checkKey(text: string): AccessKey | { readonly failure: KeyFailure } {
  const key = text
    .trim()
    .replace(/^Bearer\s+/i, '')
    .trim();
  if (key === '') return { failure: 'empty' };
  // oxlint-disable-next-line no-control-regex -- the pattern is meant to match control characters
  if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) return { failure: 'controlCharacter' };
  if (/[^\u0020-\u00ff]/.test(key)) return { failure: 'notLatin1' };
  return { key, expiresAtMs: expiryOf(key) };
}

const jwtPayload = z.object({ exp: z.number() });

function expiryOf(key: string): number | undefined {
  const [header, payload, signature, ...rest] = key.split('.');
  if (!header || !payload || signature === undefined || rest.length > 0) return undefined;
  const claims = jwtPayload.safeParse(parseJson(Buffer.from(payload, 'base64url').toString('utf8')));
  return claims.success ? claims.data.exp * 1000 : undefined;
}
