import type { SessionRecord } from '../state/sessionRecord.ts';

/** When a message goes out while the agent is at work: the setting `sessionDeck.composer.whileRunning`. */
export type WhileRunning = 'now' | 'whenIdle';

/**
 * Whether the agent is not at work, as far as is known. What was read before a message was last accepted, `acceptedAt`
 * (Unix ms), says nothing about what the agent made of it.
 */
export function isAgentFree({ session, asOf }: SessionRecord, acceptedAt: number): boolean {
  if (session?.status === 'running' || session?.status === 'pending') return false;
  return acceptedAt === 0 || (asOf !== undefined && asOf > acceptedAt);
}
