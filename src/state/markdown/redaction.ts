/** A value without likely secrets, and the number of secrets that were replaced. */
interface Redacted<T> {
  readonly value: T;
  readonly count: number;
}

/** Secrets with distinctive formats defined by their issuers; false positives are rare. */
const known: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{1,20000}-----END [A-Z ]{0,40}PRIVATE KEY-----/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g,
  /\bglpat-[A-Za-z0-9_-]{20,64}\b/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,250}\b/g,
  /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/]{20,100}/g,
  /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,250}\b/g,
  /\bsk-[A-Za-z0-9_-]{20,250}/g,
  /\bAIza[A-Za-z0-9_-]{35}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[A-Za-z0-9_-]{50,250}/g,
  /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g,
  /\beyJ[A-Za-z0-9_-]{10,4000}\.eyJ[A-Za-z0-9_-]{10,8000}\.[A-Za-z0-9_-]{10,4000}/g,
];

/** Secrets that are recognized by the preceding text, which is preserved. */
const named: readonly RegExp[] = [
  /(\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/-]{16,4000}={0,2}/g,
  /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,200}:)[^\s/@]{1,200}(?=@)/gi,
  /(["']?\b[\w-]{0,40}(?:api[_-]?key|secret|token|passwd|password|private[_-]?key)["']?\s{0,3}[:=]\s{0,3}["']?)(?!\[redacted\]|[^\s"',;<>(){}[\]]*\()[^\s"',;<>(){}[\]]{8,400}/gi,
];

const mark = '[redacted]';

/** Replaces likely secrets in `text`. Can miss secrets and can replace harmless text. */
export function redactText(text: string): Redacted<string> {
  let count = 0;
  let value = text;
  for (const pattern of known) {
    value = value.replace(pattern, () => {
      count++;
      return mark;
    });
  }
  for (const pattern of named) {
    value = value.replace(pattern, (_whole, before: string) => {
      count++;
      return before + mark;
    });
  }
  return { value, count };
}

/** Replaces likely secrets in every string of a JSON value, except field names and base64 data of images and files. */
export function redactJson(value: unknown): Redacted<unknown> {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return { value, count: 0 };
  const parts = Object.entries(value).map(
    ([name, part]) => [name, name === 'data' && isBytes(part) ? untouched(part) : redactField(name, part)] as const,
  );
  const count = parts.reduce((total, [, part]) => total + part.count, 0);
  if (Array.isArray(value)) return { value: parts.map(([, part]) => part.value), count };
  return { value: Object.fromEntries(parts.map(([name, part]) => [name, part.value])), count };
}

/** Redacts a field. If its name indicates a secret, the whole value is replaced. */
function redactField(name: string, value: unknown): Redacted<unknown> {
  const isSecret = /(?:api[_-]?key|secret|passwd|password|private[_-]?key|access[_-]?token|auth[_-]?token)$/i.test(
    name,
  );
  return isSecret && typeof value === 'string' && value.length >= 8 ? { value: mark, count: 1 } : redactJson(value);
}

/**
 * Whether a `data` field contains base64 that is too long to be a secret. Needed because a tool's input can also have a
 * field named `data`.
 */
function isBytes(value: unknown): boolean {
  return typeof value === 'string' && value.length >= 400 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
}

function untouched(value: unknown): Redacted<unknown> {
  return { value, count: 0 };
}
