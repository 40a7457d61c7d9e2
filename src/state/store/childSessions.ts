import type { SessionRecord } from './sessionRecord.ts';

/** The sessions that the service names as children of this one, by the keys of their token usage (spec 2.2). */
export function childSessionIds({ session, deck }: SessionRecord): readonly string[] {
  const usage = session?.sessionSettings?.childInclusiveTokenUsageBySessionId ?? {};
  return Object.keys(usage).filter((sessionId) => sessionId !== '' && sessionId !== deck.key.sessionId);
}
