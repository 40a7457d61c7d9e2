import { defined } from '../../shared/defined.ts';
import { uriPart } from '../../shared/text.ts';

/** The target of a Lineside link. Links open sessions and never send anything. */
export interface SessionLink {
  readonly sessionId: string;
  readonly messageId?: string;
  /** The origin of the service that the session belongs to. */
  readonly origin?: string;
  /** The computer to read the session from (spec 4.1). */
  readonly computerId?: string;
}

/** The reason why a link is invalid. */
export type LinkFailure = 'notOurs' | 'noSession' | 'badService';

const longestId = 1_000;

/**
 * Parses the path and query of a link that VS Code received. The link is untrusted. `query` is the query of a
 * `vscode.Uri`, which is percent-decoded once.
 */
export function readSessionLink(path: string, query: string): SessionLink | LinkFailure {
  if (path !== '/open') return 'notOurs';
  const values = new URLSearchParams(query);
  const sessionId = values.get('session') ?? '';
  const messageId = values.get('message') ?? '';
  const computerId = values.get('computer') ?? '';
  if (sessionId === '' || [sessionId, messageId, computerId].some(({ length }) => length > longestId))
    return 'noSession';
  const service = values.get('service') ?? '';
  const origin = service === '' ? undefined : originOf(service);
  if (service !== '' && origin === undefined) return 'badService';
  return { sessionId, ...defined({ messageId: unlessEmpty(messageId), computerId: unlessEmpty(computerId), origin }) };
}

/**
 * A link to a session or to one of its messages. `scheme` is VS Code's own URI scheme, and `extensionId` is the ID of
 * this extension.
 */
export function sessionLink(scheme: string, extensionId: string, link: SessionLink): string {
  const { sessionId, messageId, origin, computerId } = link;
  const optional = defined({ service: origin, computer: computerId, message: messageId });
  const values = Object.entries({ session: sessionId, ...optional });
  const query = values.map(([name, value]) => `${name}=${encodeTwice(value)}`).join('&');
  return `${scheme}://${extensionId}/open?${query}`;
}

/** Percent-encodes a value twice, because `vscode.Uri` decodes the whole query before its parameters are separated. */
function encodeTwice(value: string): string {
  return encodeURIComponent(uriPart(value));
}

/** The origin of an http or https address; undefined for anything else. */
function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return isWeb(url) ? url.origin : undefined;
}

function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** A reference to a session as entered by the user: an ID, or a URL that contains one. */
export interface SessionReference {
  readonly sessionId: string;
  /** The service's origin, if the reference is a URL that names one. A Lineside link may name none. */
  readonly origin?: string;
  /** The computer to read the session from (spec 4.1), if the reference is a URL that names one. */
  readonly computerId?: string;
  /** The message, if the reference is a Lineside link to one. */
  readonly messageId?: string;
}

const schemePattern = /^[a-z][a-z0-9+.-]*:\/\//i;
const idPattern = /^[^\s,;]+$/;
const urlWithQuery = /^["'`(<]*[a-z][a-z0-9+.-]*:\/\/[^?#,;]*[?#]/i;
/** The commas and semicolons that separate URLs. Others can be part of a query or fragment. */
const betweenUrls = /[,;](?=["'`(<]|[a-z][a-z0-9+.-]*:\/\/|$)|(?<=["'`)>])[,;]/i;

/**
 * Parses session references: IDs or URLs, separated by white space, commas, or semicolons, and optionally in quotes or
 * brackets. The ID in a URL is the `session` parameter or, if that is missing, the segment after `/sessions/` or, if
 * that is missing too, the last segment of the path. A URL's `computerId` parameter names the computer. Lineside links
 * are parsed by {@link readSessionLink}. Skips invalid references and removes duplicates.
 */
export function readSessionReferences(text: string): SessionReference[] {
  return distinct(partsOf(text));
}

/** The sessions that session URLs and UUIDs name, each once. Skips anything else, such as other pages of a service. */
export function readDroppedReferences(parts: readonly string[]): SessionReference[] {
  return distinct(parts.filter(namesSession));
}

function distinct(parts: readonly string[]): SessionReference[] {
  const found = new Map<string, SessionReference>();
  for (const part of parts) {
    const reference = readSessionReference(part);
    if (reference) found.set(`${reference.origin ?? ''} ${reference.sessionId}`, reference);
  }
  return [...found.values()];
}

/**
 * The parts of a list, without quotes and brackets if it was copied from JSON or code. A part that doesn't begin with
 * one stays as it is, because an ID or a URL can end with such a character.
 */
function partsOf(text: string): string[] {
  const [, inner = text] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  return inner
    .split(/\s+/)
    .flatMap((word) => word.split(urlWithQuery.test(word) ? betweenUrls : /[,;]/))
    .filter((part) => part !== '')
    .map((part) => (/^["'`(<]/.test(part) ? part.slice(1).replace(/(?<!["'`)>])["'`)>]+$/, '') : part));
}

/** Parses one session reference without quotes; undefined if the text is neither an ID nor a URL that contains one. */
export function readSessionReference(part: string): SessionReference | undefined {
  if (part === '') return undefined;
  if (!schemePattern.test(part)) return idPattern.test(part) ? { sessionId: part } : undefined;
  if (!URL.canParse(part)) return undefined;
  const url = new URL(part);
  const link = isWeb(url) ? undefined : readSessionLink(url.pathname, decode(url.search.slice(1)) ?? '');
  if (typeof link === 'object') return link;
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const marker = segments.lastIndexOf('sessions');
  const raw = marker === -1 ? segments.at(-1) : segments[marker + 1];
  const named = url.searchParams.get('session') ?? '';
  const sessionId = named === '' ? decode(raw) : named;
  if (sessionId === undefined || sessionId === '') return undefined;
  const origin = originOf(url.searchParams.get('service') ?? '') ?? originOf(part);
  const computerId = unlessEmpty(url.searchParams.get('computerId'));
  return { sessionId, ...defined({ origin, computerId }) };
}

/**
 * The text of a reference for an input box: the ID or, if a computer or a service other than `currentOrigin` is named,
 * a URL that {@link readSessionReferences} reads.
 */
export function referenceText({ sessionId, computerId, origin }: SessionReference, currentOrigin: string): string {
  if (computerId === undefined && (origin ?? currentOrigin) === currentOrigin) return sessionId;
  const url = `${origin ?? currentOrigin}/sessions/${uriPart(sessionId)}`;
  return computerId === undefined ? url : `${url}?computerId=${uriPart(computerId)}`;
}

function unlessEmpty(text: string | null): string | undefined {
  return text === '' ? undefined : (text ?? undefined);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const offeredLength = 2_000;

/**
 * The session references in the clipboard text, if it contains nothing but session URLs and UUIDs. Any other text may
 * be a secret, which must not appear in an input box.
 */
export function offeredReferences(text: string): SessionReference[] {
  return offeredParts(text).length === 0 ? [] : readSessionReferences(text);
}

/**
 * The URLs and UUIDs in a text that contains nothing but those of sessions; empty for any other text, and for one of
 * more than 2,000 characters.
 */
export function offeredParts(text: string): readonly string[] {
  if (text.length > offeredLength) return [];
  const parts = partsOf(text.trim());
  return parts.every(namesSession) ? parts : [];
}

function namesSession(part: string): boolean {
  return uuidPattern.test(part) || isSessionUrl(part);
}

/** Whether a text is a URL whose path or query names a session. URLs with user names or passwords don't count. */
export function isSessionUrl(part: string): boolean {
  // The output of a terminal can contain thousands of words, and parsing a URL is slow.
  if (!schemePattern.test(part) || !URL.canParse(part)) return false;
  const url = new URL(part);
  if (url.username !== '' || url.password !== '') return false;
  return /\/sessions\/[^/]+/.test(url.pathname) || (url.searchParams.get('session') ?? '') !== '';
}

function decode(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
