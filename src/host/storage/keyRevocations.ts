import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { parseJson } from '../../shared/json.ts';

const markerSchema = z.object({ version: z.literal(1), epoch: z.number().check(z.int(), z.nonnegative()) });

const unreadableEpoch = Number.MAX_SAFE_INTEGER;

/**
 * Counts how often the keys of each origin were removed, in files that all windows share. SecretStorage is not enough: in
 * browser-based VS Code, other windows get no change event, and a deleted key can reappear (R11).
 *
 * `<sha256 of the origin, 32 hex digits>.json` is a JSON object without secrets:
 *
 * | field     | type    | meaning                                              | since |
 * | --------- | ------- | ---------------------------------------------------- | ----- |
 * | `version` | `1`     | format                                               | 0.1   |
 * | `epoch`   | integer | keys that were stored with a lower epoch are revoked | 0.1   |
 */
export class KeyRevocations implements Disposable {
  readonly #folder: string;
  readonly #changes = new Emitter<void>();
  readonly #log: Log;
  #watcher: FSWatcher | undefined;
  #isDisposed = false;

  /** Fires when any window removes a key. */
  readonly onDidChange = this.#changes.event;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Creates the folder and starts watching it. If the system can't watch more folders, removals by other windows are
   * detected at the next request, because each request reads the key again.
   */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#watcher?.close();
    try {
      const watcher = watch(this.#folder, { persistent: false }, () => this.#changes.fire());
      watcher.on('error', (error) => {
        this.#log.warn(`stopped watching for removed keys: ${reasonOf(error)}`);
        watcher.close();
      });
      if (this.#isDisposed) watcher.close();
      else this.#watcher = watcher;
    } catch (error) {
      this.#log.warn(`could not watch for removed keys: ${reasonOf(error)}`);
    }
  }

  /** The epoch of an origin; 0 if no key was ever removed. An unreadable file revokes all keys. */
  async current(origin: string): Promise<number> {
    const text = await readFile(this.#file(origin), 'utf8').catch((error: unknown) =>
      isMissing(error) ? undefined : '',
    );
    if (text === undefined) return 0;
    const marker = z.safeParse(markerSchema, parseJson(text));
    return marker.success ? marker.data.epoch : unreadableEpoch;
  }

  /** Like {@link current}, but first replaces an unreadable file, so that the next key is valid and can be revoked. */
  async readable(origin: string): Promise<number> {
    if ((await this.current(origin)) === unreadableEpoch) await this.advance(origin);
    return this.current(origin);
  }

  /** Revokes all keys stored so far for an origin, in all windows. */
  async advance(origin: string): Promise<void> {
    const current = await this.current(origin);
    const epoch = current === unreadableEpoch ? Date.now() : current + 1;
    const file = this.#file(origin);
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, JSON.stringify({ version: 1, epoch }), { mode: 0o600, flush: true });
    await rename(temporary, file);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    this.#changes.dispose();
  }

  #file(origin: string): string {
    return path.join(this.#folder, `${createHash('sha256').update(origin).digest('hex').slice(0, 32)}.json`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
