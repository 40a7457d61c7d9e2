import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../shared/log.ts';
import { type Clock, PauseEnd } from '../storage/clock.ts';
import { originRecordName } from '../storage/recordNames.ts';
import type { RecordFormat } from '../storage/recordFormat.ts';
import type { RecordStores } from '../storage/recordStores.ts';
import { backoffMs, longestPauseMs } from './backoff.ts';

const subfolder = 'pauses';
const schema = z.object({
  origin: z.string(),
  notBefore: z.number(),
  askedUntil: z.optional(z.number()),
  /** When the file was written, Unix ms. Some files don't contain it. */
  at: z.optional(z.number()),
});
const format: RecordFormat<z.output<typeof schema>> = { version: 1, schema };

/**
 * The number of consecutive failures that count as an outage of the whole service, rather than a failure of one
 * session.
 */
const outageFailures = 3;

interface Pause {
  readonly notBefore: PauseEnd;
  /** The end of the pause that the service itself requested. */
  readonly askedUntil: PauseEnd;
  failures: number;
}

/** The file of a service's pause. */
interface PauseFile {
  readonly name: string;
  /** Identifies the content that was last read. */
  contentId?: string;
  /** When this window last wrote the file, Unix ms. What this window wrote is ignored when the file is read. */
  writtenAt?: number;
}

/**
 * Tracks when a service may be contacted again after it requested a pause or did not respond. Shared by all sessions
 * and windows on this machine through a small file. Requests made by the user are not delayed, with two exceptions:
 * messages wait for the end of a pause that the service requested, and a search stops during any pause.
 */
export class ServicePauses {
  readonly #pauses = new Map<string, Pause>();
  readonly #files = new Map<string, PauseFile>();
  readonly #requestCounts = new Map<string, number>();
  readonly #records: RecordStores;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(records: RecordStores, clock: Clock, log: Log) {
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
  }

  /** The time (Unix ms), as far as this window knows, before which no automatic request is sent; 0 without a pause. */
  notBefore(origin: string): number {
    return this.#pauses.get(origin)?.notBefore.at(this.#clock.now()) ?? 0;
  }

  /**
   * The time (Unix ms) before which not even messages from the user are sent, because the service requested a pause; 0
   * if it didn't.
   */
  askedUntil(origin: string): number {
    return this.#pauses.get(origin)?.askedUntil.at(this.#clock.now()) ?? 0;
  }

  /** The number of times that the service requested a pause, as far as this window knows. */
  requestCount(origin: string): number {
    return this.#requestCounts.get(origin) ?? 0;
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
      const now = this.#clock.now();
      const { notBefore, askedUntil = 0, at = now } = read.record;
      if (at === file.writtenAt) return;
      // If the clock has been set back since, the pauses must not be longer than they were.
      const setBackMs = Math.max(0, at - now);
      const endOf = (end: number) => Math.min(end - setBackMs, now + longestPauseMs);
      const pause = this.#pause(origin);
      pause.notBefore.extend(endOf(notBefore), now);
      if (pause.askedUntil.extend(endOf(askedUntil), now)) this.#countRequest(origin);
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
    const at = this.#clock.now();
    pause.notBefore.extend(at + pauseMs, at);
    pause.askedUntil.extend(at + Math.min(longestPauseMs, retryAfterMs ?? 0), at);
    if (retryAfterMs !== undefined) this.#countRequest(origin);
    const record = { origin, notBefore: pause.notBefore.at(at), askedUntil: pause.askedUntil.at(at), at };
    const file = this.#file(origin);
    file.writtenAt = at;
    this.#keep(origin, this.#records.of(origin).write(file.name, format, record));
  }

  /**
   * Records that the service responded to a request, which ends its pause, unless the service has requested the pause
   * since the request was sent. `requestCount` is {@link requestCount} when the request was sent.
   */
  succeeded(origin: string, requestCount: number): void {
    const pause = this.#pauses.get(origin);
    if (pause && requestCount !== this.requestCount(origin)) {
      pause.failures = 0;
      return;
    }
    const isPaused = this.notBefore(origin) > 0;
    if (!pause || (pause.failures === 0 && !isPaused)) return;
    this.#pauses.delete(origin);
    if (isPaused) this.#keep(origin, this.#records.of(origin).remove(this.#file(origin).name, format));
  }

  #countRequest(origin: string): void {
    this.#requestCounts.set(origin, this.requestCount(origin) + 1);
  }

  #file(origin: string): PauseFile {
    const file: PauseFile = this.#files.get(origin) ?? { name: originRecordName(subfolder, origin) };
    this.#files.set(origin, file);
    return file;
  }

  #pause(origin: string): Pause {
    const pause = this.#pauses.get(origin) ?? { notBefore: new PauseEnd(), askedUntil: new PauseEnd(), failures: 0 };
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
