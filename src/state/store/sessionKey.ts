/** What every record is kept by: a session of one service. `origin` is scheme, host and port of the base URL. */
export interface SessionKey {
  readonly origin: string;
  readonly sessionId: string;
}

/** The key as one string, for maps: equal exactly where the keys are. An origin has no line break. */
export function keyText(key: SessionKey): string {
  return `${key.origin}\n${key.sessionId}`;
}

/** Whether both stand for the same session; two absent keys are the same too. */
export function sameSession(a: SessionKey | undefined, b: SessionKey | undefined): boolean {
  return a?.origin === b?.origin && a?.sessionId === b?.sessionId;
}
