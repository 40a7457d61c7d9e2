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
 * How often keys were removed, per origin, in small files that every window sees. SecretStorage alone cannot tell: in
 * browser-based VS Code other windows hear of no change, and a deleted key can come back (R11). No secret is in here.
 */
export class KeyRevocations implements Disposable {
  readonly #folder: string;
  readonly #changes = new Emitter<void>();
  readonly #log: Log;
  #watcher: FSWatcher | undefined;
  #isDisposed = false;

  /** Fires when any window removed a key. */
  readonly onDidChange = this.#changes.event;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Begins to watch; creates the folder where it is missing. A system that watches no more folders keeps nothing from
   * working: keys are read with each request, and what was removed elsewhere is noticed then.
   */
  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    this.#watcher?.close();
    try {
      const watcher = watch(this.#folder, { persistent: false }, () => this.#changes.fire());
      watcher.on('error', (error) => {
        this.#log.warn(`removed keys are not watched for any more: ${reasonOf(error)}`);
        watcher.close();
      });
      if (this.#isDisposed) watcher.close();
      else this.#watcher = watcher;
    } catch (error) {
      this.#log.warn(`removed keys cannot be watched for: ${reasonOf(error)}`);
    }
  }

  /** The epoch of an origin: 0 where no key was ever removed. An unreadable marker counts as removed just now. */
  async current(origin: string): Promise<number> {
    const text = await readFile(this.#file(origin), 'utf8').catch((error: unknown) =>
      isMissing(error) ? undefined : '',
    );
    if (text === undefined) return 0;
    const marker = z.safeParse(markerSchema, parseJson(text));
    return marker.success ? marker.data.epoch : unreadableEpoch;
  }

  /** Like {@link current}, after replacing a marker that cannot be read: what is stored next must be removable. */
  async readable(origin: string): Promise<number> {
    if ((await this.current(origin)) === unreadableEpoch) await this.advance(origin);
    return this.current(origin);
  }

  /** Declares every key stored so far for an origin void, in every window. */
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
