import type { PageMessage } from '../../shared/protocol/pageMessages.ts';

/** Identifies a session of a service. `origin` is the scheme, host, and port of the base URL. */
export interface SessionKey {
  readonly origin: string;
  readonly sessionId: string;
}

/** The key as a string, for maps. Unique, because an origin contains no line break. */
export function keyText(key: SessionKey): string {
  return `${key.origin}\n${key.sessionId}`;
}

/** Whether both keys identify the same session. Two undefined keys also count as the same. */
export function sameSession(a: SessionKey | undefined, b: SessionKey | undefined): boolean {
  return a?.origin === b?.origin && a?.sessionId === b?.sessionId;
}

/**
 * The session that a message of a page is about: the session that the page showed when it sent the message. The page
 * may have switched to another session since. Undefined if the message names none.
 */
export function namedSession(message: SessionKey): SessionKey;
export function namedSession(message: PageMessage): SessionKey | undefined;
export function namedSession(message: SessionKey | PageMessage): SessionKey | undefined {
  if (!('sessionId' in message)) return undefined;
  const { origin, sessionId } = message;
  return origin === undefined || sessionId === undefined ? undefined : { origin, sessionId };
}
