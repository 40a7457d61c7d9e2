import type { RecordStore } from '../storage/recordStore.ts';

const subfolder = 'source';
/** The longest interval between runs. A claim for a time that is further ahead was made while the clock was wrong. */
const longestIntervalMs = 24 * 3_600_000;

function nameOf(dueAt: number): string {
  return `${subfolder}/${dueAt}`;
}

/** Ensures that only one of several windows runs the command that lists sessions each time it is due. */
export class SourceRuns {
  readonly #disk: RecordStore;

  constructor(disk: RecordStore) {
    this.#disk = disk;
  }

  /**
   * Claims the run that is due at a time (Unix ms). Resolves to whether this window may run the command; only the first
   * window that claims the run may. None may if a later run has been claimed, or if the claim can't be written.
   */
  async claim(dueAt: number): Promise<boolean> {
    try {
      if (!(await this.#disk.create(nameOf(dueAt), ''))) return false;
      const times = (await this.#disk.names(subfolder)).map((name) => Number(name.slice(subfolder.length + 1)));
      const last = times.reduce((max, time) => (time > max && time <= dueAt + longestIntervalMs ? time : max), dueAt);
      // Without the last claim, another window could claim the same run again.
      await Promise.all(times.filter((time) => time !== last).map((time) => this.#disk.remove(nameOf(time))));
      return last === dueAt;
    } catch {
      // The record store has already logged the error.
      return false;
    }
  }
}
