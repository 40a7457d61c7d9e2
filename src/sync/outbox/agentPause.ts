import type { SessionRecord } from '../../state/store/sessionRecord.ts';

/** When a message goes out while the agent is at work: the setting `sessionDeck.composer.whileRunning`. */
export type WhileRunning = 'now' | 'whenIdle';

/**
 * Whether the agent is known not to be at work: this window has read so. What was read before a message was last accepted, `acceptedAt`
 * (Unix ms), says nothing about what the agent made of it.
 */
export function isAgentFree({ session, asOf, isRemembered }: SessionRecord, acceptedAt: number): boolean {
  if (!session || isRemembered || asOf === undefined) return false;
  return session.status !== 'running' && session.status !== 'pending' && asOf > acceptedAt;
}
