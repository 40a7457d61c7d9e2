/** How long a list may lag behind its session, in ms. After that, the service is assumed to count differently. */
const longestLagMs = 10 * 60_000;
/** The delays between readings of a list that lags, in ms; the last one repeats. */
const delaysMs = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];
/** The number of readings that only read the newest page. Later ones also look for holes. */
const shallowReadings = 2;
/** The delays before the newest message of an idle session is read again if it may be from an older copy, in ms. */
const staleDelaysMs = [1_000, 4_000, 15_000];

/** The part of the lag that the cache saves. */
interface SavedLag {
  readonly missingCount?: number | undefined;
  readonly unlistedCount?: number | undefined;
  readonly uncountedCount?: number | undefined;
  readonly mayBeStale?: boolean | undefined;
}

/** What is known after the newest message of an idle session was read. Times are Unix ms of the same clock. */
interface NewestRead {
  /** The time of the last change of the message; undefined if there is none. */
  readonly newestAtMs: number | undefined;
  /** Whether the role of a message isn't known yet. */
  readonly lacksRoles: boolean;
  /** The time of the last change of the session. */
  readonly changedAtMs: number;
  readonly nowMs: number;
  /**
   * Whether the message may have changed since the previous reading. An idle session can also change for other reasons
   * again and again, for example while its child sessions are running.
   */
  readonly mayHaveGrown: boolean;
}

/**
 * Tracks how far the messages of one session lag behind the session (R39). The list is read again, with increasing
 * delays, until it has as many messages as `messageCount` says. The newest message of an idle session is read again up
 * to three times if the session changed after it, or if a role is missing: an older copy may have only the beginning of
 * the answer, or may lack the message.
 */
export class ListLag {
  #missingCount = 0;
  #unlistedCount = 0;
  #uncountedCount = 0;
  #sinceMs: number | undefined;
  #readings = 0;
  /** How often the newest message was read again because it may be stale; undefined if it isn't read again anymore. */
  #staleReadings: number | undefined;

  /** The number of messages that the session counts and the list lacks. */
  get missingCount(): number {
    return this.#missingCount;
  }

  /** The number of messages that the session counts although the service never lists them. */
  get unlistedCount(): number {
    return this.#unlistedCount;
  }

  /**
   * The number of messages that the list had and the session didn't count yet: the list is read after the session, and
   * may be newer.
   */
  get uncountedCount(): number {
    return this.#uncountedCount;
  }

  /** The delay before messages should be read again, in ms; undefined if nothing is missing or may be stale. */
  get retryMs(): number | undefined {
    // A reading of the list also reads the newest message again.
    if (this.#missingCount > 0) return delaysMs[Math.min(this.#readings, delaysMs.length - 1)];
    return this.#staleReadings === undefined ? undefined : staleDelaysMs[this.#staleReadings];
  }

  /** Whether the newest message may be from an older copy of the session, so that it should be read again. */
  get mayBeStale(): boolean {
    return this.#staleReadings !== undefined;
  }

  /** Whether messages may be missing between known ones, because rereading the newest page didn't return them. */
  get mayHaveHoles(): boolean {
    return this.#readings >= shallowReadings;
  }

  /**
   * Call this after the list was read. `lackingCount` is the number of messages that the session counts and that aren't
   * loaded, including those that are never listed; negative if the list has more than the session counts. `nowMs` and
   * `changedAtMs`, the time of the session's last change, are Unix ms of the same clock.
   */
  settle(lackingCount: number, nowMs: number, changedAtMs: number): void {
    this.#unlistedCount = Math.max(0, Math.min(this.#unlistedCount, lackingCount));
    this.#uncountedCount = Math.max(0, -lackingCount);
    const missingCount = lackingCount - this.#unlistedCount;
    if (missingCount <= 0) {
      this.#reset(0);
      return;
    }
    if (missingCount !== this.#missingCount) this.#reset(missingCount);
    else this.#readings += 1;
    this.#sinceMs ??= nowMs;
    const isLagging = nowMs - this.#sinceMs < longestLagMs && nowMs - changedAtMs < longestLagMs;
    if (isLagging) return;
    this.#unlistedCount += missingCount;
    this.#reset(0);
  }

  /** Call this after the newest message of an idle session was read. */
  noteNewest({ newestAtMs, lacksRoles, changedAtMs, nowMs, mayHaveGrown }: NewestRead): void {
    const isOlder = newestAtMs !== undefined && newestAtMs < changedAtMs && nowMs - changedAtMs < longestLagMs;
    const readings = mayHaveGrown ? 0 : (this.#staleReadings ?? staleDelaysMs.length) + 1;
    const isStale = (isOlder || lacksRoles) && readings < staleDelaysMs.length;
    this.#staleReadings = isStale ? readings : undefined;
  }

  /** Call this when the agent isn't idle: the newest message is read at each poll anyway. */
  noteRunning(): void {
    this.#staleReadings = undefined;
  }

  get saved(): SavedLag {
    return {
      ...(this.#missingCount > 0 && { missingCount: this.#missingCount }),
      ...(this.#unlistedCount > 0 && { unlistedCount: this.#unlistedCount }),
      ...(this.#uncountedCount > 0 && { uncountedCount: this.#uncountedCount }),
      ...(this.mayBeStale && { mayBeStale: true }),
    };
  }

  /** Continues with the lag that an earlier window saved. */
  resume({ missingCount = 0, unlistedCount = 0, uncountedCount = 0, mayBeStale = false }: SavedLag): void {
    this.#staleReadings = mayBeStale ? 0 : undefined;
    this.#unlistedCount = unlistedCount;
    this.#uncountedCount = uncountedCount;
    this.#reset(missingCount);
  }

  #reset(missingCount: number): void {
    this.#missingCount = missingCount;
    this.#sinceMs = undefined;
    this.#readings = 0;
  }
}
