import type { Log } from './log.ts';
import { redactText } from './redaction/redaction.ts';
import { redactSecrets } from './secrets.ts';

/**
 * A log that redacts secrets from every line before it writes the line to `target`: the values of `secrets`, and what
 * looks like a secret of any kind. `secrets` is called for each line, so that a new key is redacted immediately.
 */
export function redactingLog(target: Log, secrets: () => readonly string[]): Log {
  const redact = (line: string) => redactText(redactSecrets(line, secrets())).value;
  return {
    trace: (line) => target.trace(redact(line)),
    debug: (line) => target.debug(redact(line)),
    info: (line) => target.info(redact(line)),
    warn: (line) => target.warn(redact(line)),
    error: (line) => target.error(redact(line)),
  };
}
