import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { parseJson } from '../../shared/json.ts';
import type { KeyRevocations } from './keyRevocations.ts';

/** The content of a secret. All fields have existed since 0.1. */
const storedSchema = z.object({
  version: z.literal(1),
  /** The epoch of the origin in {@link KeyRevocations} when the key was stored. */
  epoch: z.number(),
  /** The API key. */
  key: z.string(),
});
type StoredKey = z.output<typeof storedSchema>;

/** Thrown if a key can't be stored. The message is VS Code's error, or states that the stored key differs when read. */
export class KeyNotStored extends Error {
  override readonly name = 'KeyNotStored';
}

/**
 * API keys, one per origin, in SecretStorage and in no other storage (R8, R9). A key that was stored before the last
 * removal is ignored, even if SecretStorage still returns it (R11). A key that was read stays in memory, at most until
 * a window stores another one, because VS Code decrypts the key in another process for each read.
 *
 * Each secret `lineside.key <origin>` is a JSON object.
 */
export class ApiKeyStore implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #epochs: KeyRevocations;
  readonly #log: Log;
  readonly #changes = new Emitter<void>();
  readonly #disposables = new Disposables();
  readonly #seen: Set<string>;
  /** The keys that were read, by origin, with the revision that the origin's keys had. */
  readonly #known = new Map<string, { readonly stored: StoredKey; readonly revision: string | undefined }>();

  /** Fires when keys may have changed in any window. Read them again to find out. */
  readonly onDidChange = this.#changes.event;

  /** Adds every key that is read or stored to `seen`, so that the log can redact it. */
  constructor(secrets: vscode.SecretStorage, epochs: KeyRevocations, seen: Set<string>, log: Log) {
    this.#seen = seen;
    this.#secrets = secrets;
    this.#epochs = epochs;
    this.#log = log;
    this.#disposables.add(
      secrets.onDidChange(() => {
        this.#known.clear();
        this.#changes.fire();
      }),
    );
    this.#disposables.add(epochs.onDidChange(() => this.#changes.fire()));
  }

  /** Every key read or stored in this window. Logs and reports redact these keys (R37). */
  get seen(): readonly string[] {
    return [...this.#seen];
  }

  /** The key for an origin; undefined if there is none, if it was revoked, or if SecretStorage fails (R10). */
  async read(origin: string): Promise<string | undefined> {
    const { epoch, revision } = await this.#epochs.current(origin);
    const known = this.#known.get(origin);
    if (known && known.revision === revision) return known.stored.epoch >= epoch ? known.stored.key : undefined;
    const stored = await this.#readStored(origin);
    if (!stored) return undefined;
    this.#seen.add(stored.key);
    // Keep the revision from before the secret was read: if another window stored a key meanwhile, the next call reads
    // the secret again.
    this.#known.set(origin, { stored, revision });
    // The key may have been removed while the secret was read.
    const current = await this.#epochs.current(origin);
    return stored.epoch >= current.epoch ? stored.key : undefined;
  }

  /**
   * Stores a key.
   * @throws KeyNotStored if it can't be stored and read back. The system's error if an unreadable file of
   * {@link KeyRevocations} can't be replaced.
   */
  async store(origin: string, key: string): Promise<void> {
    this.#seen.add(key);
    const epoch = await this.#epochs.readableEpoch(origin);
    try {
      await this.#secrets.store(secretName(origin), JSON.stringify({ version: 1, epoch, key }));
    } catch (error) {
      throw new KeyNotStored(reasonOf(error));
    } finally {
      this.#known.delete(origin);
    }
    await this.#epochs.keyStored(origin).catch((error: unknown) => {
      this.#log.warn(`other windows may use the previous key until they are reloaded: ${reasonOf(error)}`);
    });
    if ((await this.read(origin)) !== key) throw new KeyNotStored('the stored key reads back differently');
    this.#changes.fire();
  }

  /**
   * Removes a key in all windows: first revokes it, then deletes the secret. Rejects if one of these fails. If the key
   * can't be revoked, the secret stays.
   */
  async remove(origin: string): Promise<void> {
    await this.#epochs.advance(origin);
    this.#known.delete(origin);
    await this.#secrets.delete(secretName(origin));
    this.#changes.fire();
  }

  /** Removes all keys of this extension. Rejects as soon as one of them can't be removed. */
  async removeAll(): Promise<void> {
    for (const name of await this.#secrets.keys()) {
      if (name.startsWith(secretPrefix)) await this.remove(name.slice(secretPrefix.length));
    }
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#changes.dispose();
  }

  async #readStored(origin: string): Promise<StoredKey | undefined> {
    try {
      const text = await this.#secrets.get(secretName(origin));
      return text === undefined ? undefined : this.#parse(text);
    } catch (error) {
      this.#log.warn(`could not read from secret storage: ${reasonOf(error)}`);
      return undefined;
    }
  }

  #parse(text: string): StoredKey | undefined {
    const stored = z.safeParse(storedSchema, parseJson(text));
    if (stored.success) return stored.data;
    // The parser's error is not logged, because it would quote the text, which may be a key.
    this.#log.warn('ignored an entry in secret storage with an unknown format');
    return undefined;
  }
}

const secretPrefix = 'lineside.key ';

function secretName(origin: string): string {
  return `${secretPrefix}${origin}`;
}
