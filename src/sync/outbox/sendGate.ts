import type { Disposable } from '../../shared/lifecycle.ts';
import type { SessionRecord } from '../../state/store/sessionRecord.ts';
import { backoffMs } from '../polling/backoff.ts';
import type { Clock } from '../storage/clock.ts';
import type { ServiceSendState } from './queueContext.ts';

/**
 * The pause of one session's queue after an attempt that surely did not arrive: growing by itself, and never shorter
 * than what the service asked for, which holds for all its sessions.
 */
export class SendPause implements Disposable {
  readonly #clock: Clock;
  readonly #facts: ServiceSendState;
  readonly #onOver: () => void;
  #timer: Disposable | undefined;
  #failures = 0;

  constructor(clock: Clock, facts: ServiceSendState, onOver: () => void) {
    this.#clock = clock;
    this.#facts = facts;
    this.#onOver = onOver;
  }

  /** Whether the queue has to wait now; it is told when that is over. */
  get isOn(): boolean {
    const askedMs = this.#facts.notBefore - this.#clock.now();
    if (!this.#timer && askedMs > 0) this.#wait(askedMs);
    return this.#timer !== undefined;
  }

  /** An attempt failed before anything was processed; `retryAfterMs` is what the service asked for. */
  begin(retryAfterMs = 0): void {
    this.#failures++;
    this.#facts.notBefore = Math.max(this.#facts.notBefore, this.#clock.now() + retryAfterMs);
    this.#wait(backoffMs(this.#failures, this.#clock.random, retryAfterMs));
  }

  /** Ends the pause, but for what the service asked for. */
  cut(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  /** The service can be reached again: the next pause is a short one. */
  forgetFailures(): void {
    this.#failures = 0;
  }

  dispose(): void {
    this.cut();
  }

  #wait(delayMs: number): void {
    this.cut();
    this.#timer = this.#clock.after(delayMs, () => {
      this.#timer = undefined;
      this.#onOver();
    });
  }
}

/** When a message goes out while the agent is at work: the setting `lineside.composer.whileRunning`. */
export type WhileRunning = 'now' | 'whenIdle';

/**
 * Whether the agent is known not to be at work: this window has read so. What was read before a message was last accepted, `acceptedAt`
 * (Unix ms), says nothing about what the agent made of it.
 */
export function isAgentFree({ session, asOf, isRemembered }: SessionRecord, acceptedAt: number): boolean {
  if (!session || isRemembered || asOf === undefined) return false;
  return session.status !== 'running' && session.status !== 'pending' && asOf > acceptedAt;
}
