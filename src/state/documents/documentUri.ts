import type { SessionKey } from '../store/sessionKey.ts';
import { plainLine, uriPart } from '../../shared/text.ts';

/**
 * What a document shows: a part of a conversation (one-based); a message with its heading and all its content, or only
 * its `text`, as in a copy but safe to preview, or the `branch` of the conversation that begins with it; or the output
 * of a step, given by the ID of the step's message and the step's index there (-1 for a thought, which has no output).
 */
export type DocumentContent =
  | { readonly part: number }
  | { readonly messageId: string; readonly form?: (typeof forms)[number] }
  | { readonly messageId: string; readonly outputOf: number };

const forms = ['text', 'branch'] as const;

/** The address of a document: its session, and what it shows of that session. */
export interface DocumentAddress {
  readonly key: SessionKey;
  readonly shows: DocumentContent;
}

/** The URI components of an address. */
interface DocumentUri {
  readonly authority: string;
  readonly path: string;
  readonly query: string;
}

/**
 * The URI of a document. The path is the name that tabs and breadcrumbs show; the IDs are in the query. URIs that
 * differ only in the path refer to the same document.
 */
export function documentUri({ key, shows }: DocumentAddress, title: string): DocumentUri {
  const part = 'part' in shows && shows.part > 1 ? ` (${shows.part})` : '';
  return {
    authority: key.origin.replace('://', '+'),
    path: `/${fileName(title)}${part}.${'outputOf' in shows ? 'txt' : 'md'}`,
    query: [key.sessionId, ...kindAndId(shows)].map(uriPart).join('/'),
  };
}

function kindAndId(shows: DocumentContent): readonly [kind: string, id: string] {
  if ('part' in shows) return ['part', String(shows.part)];
  if ('outputOf' in shows) return ['output', `${shows.outputOf}-${shows.messageId}`];
  return [shows.form ?? 'message', shows.messageId];
}

/**
 * Parses a URI created by {@link documentUri}, or a URI from a tab that an earlier version opened, whose path begins
 * with the IDs. Returns undefined for any other URI.
 */
export function documentAddress({ authority, path, query }: DocumentUri): DocumentAddress | undefined {
  const segments = query === '' ? segmentsOfPath(path) : query.split('/');
  const [sessionId, kind, id, ...more] = segments.map(decodeSegment);
  if (more.length > 0 || sessionId === undefined || sessionId === '' || id === undefined || id === '') return undefined;
  const key = { origin: authority.replace('+', '://'), sessionId };
  const shows = contentOf(kind, id);
  return shows && { key, shows };
}

/** The segments between the leading slash and the name of the document; empty if the path has another form. */
function segmentsOfPath(path: string): readonly string[] {
  const [empty, ...segments] = path.split('/');
  const name = segments.pop();
  return empty === '' && name !== undefined && decodeSegment(name) !== undefined ? segments : [];
}

function contentOf(kind: string | undefined, id: string): DocumentContent | undefined {
  if (kind === 'message') return { messageId: id };
  if (kind === 'part') return /^[1-9]\d{0,5}$/.test(id) ? { part: Number(id) } : undefined;
  if (kind === 'output') {
    const [, index, messageId] = /^(-1|0|[1-9]\d{0,5})-(.+)$/s.exec(id) ?? [];
    return messageId === undefined ? undefined : { messageId, outputOf: Number(index) };
  }
  const form = forms.find((known) => known === kind);
  return form && { messageId: id, form };
}

/** A map key for an address, independent of the document's name. */
export function addressText({ key, shows }: DocumentAddress): string {
  return JSON.stringify([key.origin, key.sessionId, ...kindAndId(shows)]);
}

function decodeSegment(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Converts a title to a file name without characters that an operating system forbids, because Save As suggests it. */
function fileName(title: string): string {
  const name = plainLine(title, 80)
    .replace(/[\\/:*?"<>|%]+/g, '-')
    .replace(/^[-. ]+|(?<![-. ])[-. ]+$/g, '');
  return name === '' ? 'Conversation' : name;
}
