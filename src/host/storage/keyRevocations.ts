import { type FSWatcher, watch } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Disposable, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { parseJson } from '../../shared/json.ts';

/** All fields have existed since 0.1. */
const markerSchema = z.object({
  version: z.literal(1),
  /** Keys that were stored with a lower epoch are revoked. */
  epoch: z.number().check(z.int(), z.nonnegative()),
});

const unreadableEpoch = Number.MAX_SAFE_INTEGER;

/** The state of an origin's keys, which all windows share. */
interface KeyState {
  /** Keys that were stored with a lower epoch are revoked. 0 if no key was ever removed. */
  readonly epoch: number;
  /** Changes whenever a window stores a key. Undefined if no key was ever stored. */
  readonly revision: string | undefined;
}

/**
 * Counts how often the keys of each origin were removed, and identifies the key that was stored last, in files that all
 * windows share. SecretStorage is not enough: in browser-based VS Code, other windows get no change event, and a
 * deleted key can reappear (R11).
 *
 * `<sha256 of the origin, 32 hex digits>.json` is a JSON object without secrets.
 *
 * The file with the same name and the extension `.revision` contains a random UUID. The two are separate, so that a
 * window that stores a key never overwrites a removal by another window.
 */
export class KeyRevocations implements Disposable {
  readonly #folder: string;
  readonly #changes = new Emitter<void>();
  readonly #log: Log;
  #watcher: FSWatcher | undefined;
  #isDisposed = false;

  /** Fires when any window stores or removes a key. */
  readonly onDidChange = this.#changes.event;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Creates the folder and starts watching it. If the system can't watch more folders, changes by other windows are
   * detected at the next request, because each request reads the files. Rejects if the folder can't be created.
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

  /** The state of an origin's keys. An unreadable file revokes all keys. */
  async current(origin: string): Promise<KeyState> {
    const [text, revision] = await Promise.all([
      readText(this.#file(origin, 'json')),
      readText(this.#file(origin, 'revision')),
    ]);
    if (text === undefined) return { epoch: 0, revision };
    const marker = z.safeParse(markerSchema, parseJson(text));
    return { epoch: marker.success ? marker.data.epoch : unreadableEpoch, revision };
  }

  /**
   * The current epoch. Replaces an unreadable file first, so that the next key is valid and can be revoked. Rejects if
   * the file can't be replaced.
   */
  async readableEpoch(origin: string): Promise<number> {
    if ((await this.current(origin)).epoch === unreadableEpoch) await this.advance(origin);
    return (await this.current(origin)).epoch;
  }

  /** Revokes all keys stored so far for an origin, in all windows. Rejects if the file can't be written. */
  async advance(origin: string): Promise<void> {
    const current = (await this.current(origin)).epoch;
    const epoch = current === unreadableEpoch ? Date.now() : current + 1;
    await replaceFile(this.#file(origin, 'json'), JSON.stringify({ version: 1, epoch }));
  }

  /**
   * Records that a window has stored a key for an origin, so that all windows read it. Rejects if the file can't be
   * written.
   */
  async keyStored(origin: string): Promise<void> {
    await replaceFile(this.#file(origin, 'revision'), randomUUID());
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watcher?.close();
    this.#changes.dispose();
  }

  #file(origin: string, extension: 'json' | 'revision'): string {
    const hash = createHash('sha256').update(origin).digest('hex').slice(0, 32);
    return path.join(this.#folder, `${hash}.${extension}`);
  }
}

/** The text of a file: undefined if there is none, and empty if it can't be read. */
function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => (isMissing(error) ? undefined : ''));
}

async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, file);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
