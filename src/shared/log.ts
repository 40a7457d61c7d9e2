/**
 * Where every room writes what happened. Lines carry method, path, status, durations and counts; never the key, message
 * text, file data or settings values (R37).
 */
export interface Log {
  trace(line: string): void;
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const maxReasonLength = 500;

/**
 * What went wrong, in one line of at most 500 characters, from anything that can be thrown. `cause` chains are followed
 * three deep; an error without words is named by its code. Stacks are left out: they can carry values.
 */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error, depth = 0; current !== undefined && depth < 3; depth++) {
    if (!(current instanceof Error)) {
      parts.push(typeof current === 'string' ? current : typeof current);
      break;
    }
    const words = current.message || ('code' in current ? String(current.code) : '');
    if (words) parts.push(words);
    current = current.cause;
  }
  return oneLine(parts.join(': ') || 'unknown error', maxReasonLength);
}

/** Folds white space and control characters into single spaces and cuts at `maxLength` characters. */
export function oneLine(text: string, maxLength: number): string {
  // eslint-disable-next-line no-control-regex -- control characters are exactly what has to go
  const folded = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return folded.length <= maxLength ? folded : `${folded.slice(0, maxLength - 1)}…`;
}

/**
 * A log that replaces every known secret, as it is and as base64, by `[redacted]` in every line before passing it on.
 * `secrets` is asked at each line, so that a changed key is covered at once.
 */
export function redactingLog(target: Log, secrets: () => readonly string[]): Log {
  const redact = (line: string) => redactSecrets(line, secrets());
  return {
    trace: (line) => target.trace(redact(line)),
    debug: (line) => target.debug(redact(line)),
    info: (line) => target.info(redact(line)),
    warn: (line) => target.warn(redact(line)),
    error: (line) => target.error(redact(line)),
  };
}

/**
 * Replaces each of `secrets` in `text` by `[redacted]`: as it is, escaped as in JSON, percent-encoded, and as base64 or
 * base64url, also from inside a longer encoded text (such as that of a whole header).
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const form of secrets.flatMap(formsOf)) result = result.replaceAll(form, '[redacted]');
  return result;
}

/** Every form a secret can take in a line, longest first, so that no form is cut by a shorter one. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  const plain = [secret, JSON.stringify(secret).slice(1, -1), percentEncoded(secret)];
  const encoded = [toBase64(secret), ...innerBase64(secret)];
  const forms = [...plain, ...encoded, ...encoded.map(toBase64Url)];
  return [...new Set(forms)].sort((left, right) => right.length - left.length);
}

function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair has no percent-encoded form.
    return text;
  }
}

/** Shorter ones would be found everywhere. */
const minInnerBase64Length = 8;

/**
 * What stands in the base64 of a longer text that holds `secret`: one form for each place within a group of 3 bytes,
 * without the characters at either end that also depend on the neighbours.
 */
function innerBase64(secret: string): string[] {
  const sizeBytes = new TextEncoder().encode(secret).byteLength;
  const forms = [0, 1, 2].map((offset) => {
    const encoded = toBase64('\0'.repeat(offset) + secret);
    const start = Math.ceil((offset * 8) / 6);
    return encoded.slice(start, Math.floor(((offset + sizeBytes) * 8) / 6));
  });
  return forms.filter((form) => form.length >= minInnerBase64Length);
}

function toBase64Url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
