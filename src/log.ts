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
 * three deep. Stacks are left out: they can carry values.
 */
export function reasonOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error, depth = 0; current !== undefined && depth < 3; depth++) {
    if (!(current instanceof Error)) {
      parts.push(typeof current === 'string' ? current : typeof current);
      break;
    }
    if (current.message) parts.push(current.message);
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

/** Replaces each of `secrets` in `text`, in plain, base64 and percent-encoded form, by `[redacted]`. */
export function redactSecrets(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    if (secret === '') continue;
    for (const form of [secret, toBase64(secret), encodeURIComponent(secret)]) {
      result = result.replaceAll(form, '[redacted]');
    }
  }
  return result;
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
