/**
 * The extension's log. Its lines contain methods, paths, statuses, durations, and counts, but never API keys, message
 * text, file data, or setting values (R37).
 */
export interface Log {
  trace(line: string): void;
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/** A log that discards everything. */
export const silentLog: Log = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

const maxReasonLength = 500;

/**
 * Describes a thrown value in one line of at most 500 characters: the messages of the error and of up to two causes. An
 * error without a message is represented by its code. Stack traces are omitted because they can contain values.
 */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error, depth = 0; current !== undefined && depth < 3; depth++) {
    if (!(current instanceof Error)) {
      parts.push(typeof current === 'string' ? current : typeof current);
      break;
    }
    const message = current.message || ('code' in current ? String(current.code) : '');
    if (message) parts.push(message);
    current = current.cause;
  }
  return oneLine(parts.join(': ') || 'unknown error', maxReasonLength);
}

/**
 * Replaces each run of white space and control characters with one space, and truncates the result to `maxLength`
 * characters.
 */
export function oneLine(text: string, maxLength: number): string {
  // eslint-disable-next-line no-control-regex -- the pattern is meant to match control characters
  const folded = text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return folded.length <= maxLength ? folded : `${folded.slice(0, maxLength - 1)}…`;
}

/**
 * A log that redacts secrets from every line before it writes the line to `target`. `secrets` is called for each line, so
 * that a new key is redacted immediately.
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
 * Replaces secrets in `text` with `[redacted]`. Finds them as plain text, JSON-escaped, percent-encoded, and encoded as
 * base64 or base64url, even as part of a longer encoded string such as a whole header.
 */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const form of secrets.flatMap(formsOf)) result = result.replaceAll(form, '[redacted]');
  return result;
}

/**
 * All forms in which a secret can appear in a line, longest first, so that a shorter form doesn't split a longer one.
 */
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
    // A lone surrogate has no percent-encoded form.
    return text;
  }
}

/** Minimum length of a base64 fragment. Shorter ones would match unrelated text. */
const minInnerBase64Length = 8;

/**
 * The base64 fragments that `secret` produces in a longer encoded string: one for each possible offset within a 3-byte
 * group. Omits the characters at both ends that also depend on neighboring bytes.
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
