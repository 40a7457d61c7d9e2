import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import { originRecordName } from '../storage/recordNames.ts';
import type { RecordFormat } from '../storage/recordStore.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { backoffMs, longestPauseMs } from './backoff.ts';

const subfolder = 'pauses';
const schema = z.object({ origin: z.string(), notBefore: z.number(), askedUntil: z.optional(z.number()) });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/** One failure may be one session's bad luck; from this many in a row on, the service as a whole is left in peace. */
const outageFailures = 3;

interface Pause {
  notBefore: number;
  /** Until then the service itself asked to be left alone, Unix ms. */
  askedUntil: number;
  failures: number;
}

/**
 * When a service may be asked again after it asked for a pause or did not answer: one time for all sessions and all
 * windows of a machine, kept in a small file. What a person asks for themselves does not wait for it.
 */
export class ServicePauses {
  readonly #pauses = new Map<string, Pause>();
  readonly #records: RecordStores;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(records: RecordStores, clock: Clock, log: Log) {
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
  }

  /** Unix ms before which nothing is asked by itself, as far as this window knows. */
  notBefore(origin: string): number {
    return this.#pauses.get(origin)?.notBefore ?? 0;
  }

  /** Unix ms before which the service asked that nothing comes, a person's message neither (R31). */
  askedUntil(origin: string): number {
    return this.#pauses.get(origin)?.askedUntil ?? 0;
  }

  /** Looks at what other windows found out. Never rejects. */
  async look(origin: string): Promise<void> {
    try {
      const read = await this.#records.of(origin).read(originRecordName(subfolder, origin), format);
      if (read.kind === 'unreadable') await this.#records.of(origin).remove(read.keptAs);
      if (read.kind !== 'record' || read.record.origin !== origin) return;
      // A clock that was set back must not silence a service for longer than any pause lasts.
      const latest = this.#clock.now() + longestPauseMs;
      const pause = this.#pause(origin);
      pause.notBefore = Math.max(pause.notBefore, Math.min(read.record.notBefore, latest));
      pause.askedUntil = Math.max(pause.askedUntil, Math.min(read.record.askedUntil ?? 0, latest));
    } catch (error) {
      this.#log.debug(`the shared pause could not be read: ${reasonOf(error)}`);
    }
  }

  /** A request failed in a way that says nothing of its session. `retryAfterMs` is what the service asked for. */
  failed(origin: string, retryAfterMs: number | undefined): void {
    const pause = this.#pause(origin);
    pause.failures++;
    const outage = pause.failures - outageFailures + 1;
    const ownMs = outage > 0 ? backoffMs(outage, this.#clock.random) : 0;
    const pauseMs = Math.min(longestPauseMs, Math.max(retryAfterMs ?? 0, ownMs));
    if (pauseMs === 0) return;
    pause.notBefore = Math.max(pause.notBefore, this.#clock.now() + pauseMs);
    const askedMs = Math.min(longestPauseMs, retryAfterMs ?? 0);
    if (askedMs > 0) pause.askedUntil = Math.max(pause.askedUntil, this.#clock.now() + askedMs);
    const { notBefore, askedUntil } = pause;
    this.#keep(
      origin,
      this.#records.of(origin).write(originRecordName(subfolder, origin), format, { origin, notBefore, askedUntil }),
    );
  }

  /** The service answered. */
  succeeded(origin: string): void {
    const pause = this.#pauses.get(origin);
    if (!pause || (pause.failures === 0 && pause.notBefore === 0)) return;
    this.#pauses.delete(origin);
    if (pause.notBefore > 0) this.#keep(origin, this.#records.of(origin).remove(originRecordName(subfolder, origin)));
  }

  #pause(origin: string): Pause {
    const pause = this.#pauses.get(origin) ?? { notBefore: 0, askedUntil: 0, failures: 0 };
    this.#pauses.set(origin, pause);
    return pause;
  }

  #keep(origin: string, writing: Promise<void>): void {
    writing.catch((error: unknown) => {
      this.#log.debug(`the pause of ${origin} is known to this window only: ${reasonOf(error)}`);
    });
  }
}

/**
 * How far the clock of each service is from ours, by its last answer that told the time; shared by all that read from and
 * send to services, gone with the window.
 */
export class ServiceClocks {
  readonly #offsetsMs = new Map<string, number>();

  /** The clock of a service minus ours, in ms; undefined while it told no time. */
  offsetMs(origin: string): number | undefined {
    return this.#offsetsMs.get(origin);
  }

  /** An answer told `serverTimeMs` (undefined: nothing) when our clock stood at `at`; both Unix ms. */
  learn(origin: string, serverTimeMs: number | undefined, at: number): void {
    if (serverTimeMs !== undefined) this.#offsetsMs.set(origin, serverTimeMs - at);
  }
}
