import { isLoopback } from '../../shared/loopback.ts';
import {
  failureOfIds,
  replacePlaceholders,
  type TemplateIds,
  type TemplateFailure,
  unknownPlaceholderIn,
} from './placeholders.ts';

/**
 * An ID without control characters, lone surrogates, or the path segments `.` and `..`. Even if such a segment is
 * encoded, a URL parser or a server may resolve it to another path.
 */
const safeId = /^(?!(?:[^]*[/\\])?\.{1,2}(?:[/\\]|$))[^\p{Cc}\p{Cs}]+$/u;

/**
 * Fills in a URL template: `https:`, or `http:` on a loopback host. Placeholders may be in the path, query, and
 * fragment; their IDs are percent-encoded. Returns the URL to open, or the reason why it can't be opened.
 */
export function fillUrl(
  template: string,
  ids: TemplateIds,
): { readonly url: string } | { readonly failure: TemplateFailure } {
  const failure = failureOfUrl(template) ?? failureOfIds(template, ids, safeId);
  if (failure) return { failure };
  return { url: new URL(replacePlaceholders(template, ids, encodeId)).href };
}

function failureOfUrl(template: string): TemplateFailure | undefined {
  // A URL parser removes or replaces some of these characters. An incomplete escape could combine with an ID.
  if (/[\s\p{Cc}\\`]|%[\da-f]?\$\{/iu.test(template)) return { kind: 'notAUrl' };
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)([/?#].*)?$/i.exec(template) ?? [];
  if (host === undefined) return { kind: 'scheme' };
  if (/[${}]/.test(host)) return { kind: 'placeholderInHost' };
  if (host.includes('@')) return { kind: 'credentials' };
  const sample = replacePlaceholders(template, {}, encodeId);
  if (!URL.canParse(sample) || /[[\]]/.test(rest)) return { kind: 'notAUrl' };
  const { protocol, hostname } = new URL(sample);
  if (protocol === 'http:' && !isLoopback(hostname)) return { kind: 'scheme' };
  return unknownPlaceholderIn(template);
}

/** Percent-encodes everything except letters, digits, `-`, `_`, `.`, and `~` (RFC 3986, 2.3). */
function encodeId(id: string): string {
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(id).replace(/[!'()*]/g, escaped);
}
