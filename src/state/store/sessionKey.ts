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
