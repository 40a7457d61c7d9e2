import type { Log } from '../shared/log.ts';
import type { ServiceHabits } from './http/endpoints.ts';
import type { SeedName } from './seed/seed.ts';

/** How an embedded service is started; every option has a default. */
export interface SandboxOptions extends ServiceHabits {
  /** 0 for any free port. */
  readonly port: number;
  /** The key clients must send; 32 random bytes in hex unless given. */
  readonly token: string;
  /** How many messages the session with the long history begins with. */
  readonly messages: number;
  /** How long every answer is held back. */
  readonly latencyMs: number;
  /** Time between two steps of the agent; an answer takes about twenty of them. */
  readonly agentDelayMs: number;
  /** About one answer in so many fails by itself, never a session's first; 0 for none. */
  readonly failOneIn: number;
  /** Bodies above this are refused with 413. */
  readonly maxBodySizeBytes: number;
  /** The same seed gives the same sessions and the same answers. */
  readonly seed: number;
  /** The clock, in Unix milliseconds, of all timestamps and of the Date header. */
  readonly now: () => number;
  readonly log: Log;
}

/** A service that is listening. */
export interface Sandbox {
  /** Where it listens, without a slash at the end. */
  readonly baseUrl: string;
  readonly token: string;
  /** The sessions it begins with, the most telling first. */
  readonly sessionIds: readonly string[];
  /** The same sessions by what they are there to show. */
  readonly sessionIdByName: Readonly<Record<SeedName, string>>;
  /** Stops agent and server; resolves when no timer and no connection is left. */
  dispose(): Promise<void>;
}

/** The default of every option but the token and the log. */
export const defaultOptions: Omit<SandboxOptions, 'token' | 'log'> = {
  port: 0,
  messages: 240,
  order: 'desc',
  patch: 'merge',
  lastCursor: 'null',
  listRoles: true,
  latencyMs: 0,
  agentDelayMs: 250,
  failOneIn: 12,
  maxBodySizeBytes: 64 * 1024 * 1024,
  seed: 1,
  now: Date.now,
};
