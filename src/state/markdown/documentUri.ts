import type { SessionKey } from '../store/sessionKey.ts';
import { plainLine } from '../../shared/text.ts';

/** The content of a document: a part of a conversation (one-based) or one message. */
export interface DocumentAddress {
  readonly key: SessionKey;
  readonly shows: { readonly part: number } | { readonly messageId: string };
}

/** The URI components of an address. */
interface DocumentUri {
  readonly authority: string;
  readonly path: string;
}

/**
 * The URI of a document. The last segment is the name shown in the tab. URIs that differ only in this segment refer to
 * the same document.
 */
export function documentUri({ key, shows }: DocumentAddress, title: string): DocumentUri {
  const [kind, id] = 'part' in shows ? ['part', String(shows.part)] : ['message', shows.messageId];
  const part = 'part' in shows && shows.part > 1 ? ` (${shows.part})` : '';
  const segments = [key.sessionId, kind, id].map(encodeSegment);
  return {
    authority: key.origin.replace('://', '+'),
    path: `/${segments.join('/')}/${fileName(title)}${part}.md`,
  };
}

/** Parses a URI created by {@link documentUri}. Returns undefined for any other URI. */
export function documentAddress({ authority, path }: DocumentUri): DocumentAddress | undefined {
  const [empty, sessionId, kind, id, name, ...more] = path.split('/').map(decodeSegment);
  const isWhole = empty === '' && name !== undefined && more.length === 0;
  if (!isWhole || sessionId === undefined || sessionId === '' || id === undefined || id === '') return undefined;
  const key = { origin: authority.replace('+', '://'), sessionId };
  if (kind === 'message') return { key, shows: { messageId: id } };
  return kind === 'part' && /^[1-9]\d{0,5}$/.test(id) ? { key, shows: { part: Number(id) } } : undefined;
}

/** A map key for an address, independent of the document's name. */
export function addressText({ key, shows }: DocumentAddress): string {
  return JSON.stringify([key.origin, key.sessionId, 'part' in shows ? shows.part : shows.messageId]);
}

/** Percent-encodes a path segment, including its dots, because an ID can be `..`. */
function encodeSegment(text: string): string {
  return encodeURIComponent(text).replaceAll('.', '%2E');
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Converts a title to a file name that is valid on every operating system, because Save As suggests it. */
function fileName(title: string): string {
  const name = plainLine(title, 80)
    .replace(/[\\/:*?"<>|%]+/g, '-')
    .replace(/^[. ]+|[. ]+$/g, '');
  return name === '' ? 'Conversation' : name;
}
