import * as z from 'zod/mini';

/** Why a text cannot be a key: no header can carry it. */
export type KeyProblem = 'empty' | 'controlCharacter' | 'notLatin1';

/** A key as it is sent: `Authorization: Bearer <key>` (spec 5). */
export interface AccessKey {
  readonly key: string;
  /** When the token says it expires, Unix ms: known only for a JWT that carries `exp`. Nothing is verified. */
  readonly expiresAtMs?: number | undefined;
}

/** Reads the key that a person gave: trimmed, without a pasted `Bearer `; refused where no header can carry it (R8). */
export function checkKey(text: string): AccessKey | { readonly problem: KeyProblem } {
  const key = text
    .trim()
    .replace(/^Bearer\s+/i, '')
    .trim();
  if (key === '') return { problem: 'empty' };
  // eslint-disable-next-line no-control-regex -- control characters are exactly what is refused
  if (/[\u0000-\u001f\u007f-\u009f]/.test(key)) return { problem: 'controlCharacter' };
  if (/[^\u0020-\u00ff]/.test(key)) return { problem: 'notLatin1' };
  return { key, expiresAtMs: expiryOf(key) };
}

const jwtPayload = z.object({ exp: z.number() });

function expiryOf(key: string): number | undefined {
  const [header, payload, signature, ...rest] = key.split('.');
  if (!header || !payload || signature === undefined || rest.length > 0) return undefined;
  try {
    const claims = jwtPayload.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
    return claims.success ? claims.data.exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
