import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../shared/log.ts';
import type { Clock } from '../storage/clock.ts';
import { originRecordName } from '../storage/recordNames.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { backoffMs, longestPauseMs } from './backoff.ts';

const subfolder = 'pauses';
const schema = z.object({ origin: z.string(), notBefore: z.number(), askedUntil: z.optional(z.number()) });
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/**
 * The number of consecutive failures that count as an outage of the whole service, rather than a failure of one
 * session.
 */
const outageFailures = 3;

interface Pause {
  notBefore: number;
  /** The end of the pause that the service itself requested, Unix ms. */
  askedUntil: number;
  failures: number;
}

/** The file of a service's pause. */
interface PauseFile {
  readonly name: string;
  /** Identifies the content that was last read. */
  contentId?: string;
}

/**
 * Tracks when a service may be contacted again after it requested a pause or did not respond. Shared by all sessions
 * and windows of a machine through a small file. Requests made by the user are not delayed, with two exceptions:
 * messages wait for the end of a pause that the service requested, and a search stops during any pause.
 */
export class ServicePauses {
  readonly #pauses = new Map<string, Pause>();
  readonly #files = new Map<string, PauseFile>();
  readonly #records: RecordStores;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(records: RecordStores, clock: Clock, log: Log) {
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
  }

  /** The time (Unix ms), as far as this window knows, before which no automatic request is sent. */
  notBefore(origin: string): number {
    return this.#pauses.get(origin)?.notBefore ?? 0;
  }

  /**
   * The time (Unix ms) before which not even messages from the user are sent, because the service requested a pause; 0
   * if it didn't.
   */
  askedUntil(origin: string): number {
    return this.#pauses.get(origin)?.askedUntil ?? 0;
  }

  /** Reads the pauses that other windows recorded. Never rejects. */
  async refresh(origin: string): Promise<void> {
    if (!this.#records.isOnDisk(origin)) return;
    try {
      const { disk } = this.#records;
      const file = this.#file(origin);
      // Usually, there is no file or it has not changed, and finding that out takes much less time than reading it.
      const contentId = await disk.contentId(file.name);
      if (contentId === undefined || contentId === file.contentId) return;
      const read = await disk.read(file.name, format);
      if (read.kind === 'unreadable' && read.cause === 'damaged') await disk.remove(read.keptAs);
      file.contentId = contentId;
      if (read.kind !== 'record' || read.record.origin !== origin) return;
      // If the clock was set back, the pause must still not exceed the longest possible one.
      const latest = this.#clock.now() + longestPauseMs;
      const pause = this.#pause(origin);
      pause.notBefore = Math.max(pause.notBefore, Math.min(read.record.notBefore, latest));
      pause.askedUntil = Math.max(pause.askedUntil, Math.min(read.record.askedUntil ?? 0, latest));
    } catch (error) {
      this.#log.debug(`the shared pause could not be read: ${reasonOf(error)}`);
    }
  }

  /**
   * Records a failure that is not specific to a session. Begins or extends a pause if the service requested one
   * (`retryAfterMs`), or after {@link outageFailures} consecutive failures.
   */
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
      this.#records.of(origin).write(this.#file(origin).name, format, { origin, notBefore, askedUntil }),
    );
  }

  /** Records that the service responded, which ends its pause. */
  succeeded(origin: string): void {
    const pause = this.#pauses.get(origin);
    if (!pause || (pause.failures === 0 && pause.notBefore === 0)) return;
    this.#pauses.delete(origin);
    if (pause.notBefore > 0) this.#keep(origin, this.#records.of(origin).remove(this.#file(origin).name, format));
  }

  #file(origin: string): PauseFile {
    const file: PauseFile = this.#files.get(origin) ?? { name: originRecordName(subfolder, origin) };
    this.#files.set(origin, file);
    return file;
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
 * The clock offset of each service, from its latest response that included a time. Shared by all requests to the
 * service and discarded when the window closes.
 */
export class ServiceClocks {
  readonly #offsetsMs = new Map<string, number>();

  /** The service's clock minus ours, in ms; undefined if no response included a time. */
  offsetMs(origin: string): number | undefined {
    return this.#offsetsMs.get(origin);
  }

  /**
   * Records that a response had the service time `serverTimeMs` when our clock showed `at`, both Unix ms; undefined is
   * ignored.
   */
  learn(origin: string, serverTimeMs: number | undefined, at: number): void {
    if (serverTimeMs !== undefined) this.#offsetsMs.set(origin, serverTimeMs - at);
  }
}
