import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, Disposables, Emitter } from '../../shared/lifecycle.ts';
import { type Log, reasonOf } from '../../shared/log.ts';
import { parseJson } from '../../shared/json.ts';
import type { KeyRevocations } from './keyRevocations.ts';

const storedSchema = z.object({ version: z.literal(1), epoch: z.number(), key: z.string() });

/** Why a key could not be kept: what VS Code said, or that reading it back gave something else. */
export class KeyNotStored extends Error {
  override readonly name = 'KeyNotStored';
}

/**
 * API keys, one per origin, in SecretStorage and nowhere else (R8, R9). A key stored before the last removal is treated
 * as absent, whatever SecretStorage still holds (R11).
 */
export class ApiKeyStore implements Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #epochs: KeyRevocations;
  readonly #log: Log;
  readonly #changes = new Emitter<void>();
  readonly #disposables = new Disposables();
  readonly #seen: Set<string>;

  /** A hint that keys may have changed, in this or another window: read again and compare. */
  readonly onDidChange = this.#changes.event;

  /** `seen` is given every key read or stored in this window: what the log has to leave out. */
  constructor(secrets: vscode.SecretStorage, epochs: KeyRevocations, seen: Set<string>, log: Log) {
    this.#seen = seen;
    this.#secrets = secrets;
    this.#epochs = epochs;
    this.#log = log;
    this.#disposables.add(secrets.onDidChange(() => this.#changes.fire()));
    this.#disposables.add(epochs.onDidChange(() => this.#changes.fire()));
  }

  /** Every key read or stored in this window: logs and reports leave these out (R37). */
  get seen(): readonly string[] {
    return [...this.#seen];
  }

  /** The key for an origin, or undefined where there is none or the secret storage fails (R10). */
  async read(origin: string): Promise<string | undefined> {
    const stored = await this.#readStored(origin);
    if (!stored) return undefined;
    this.#seen.add(stored.key);
    return stored.epoch >= (await this.#epochs.current(origin)) ? stored.key : undefined;
  }

  /** Keeps a key. Rejects with {@link KeyNotStored} where it cannot be read back: it is then not used as if stored. */
  async store(origin: string, key: string): Promise<void> {
    this.#seen.add(key);
    const epoch = await this.#epochs.readable(origin);
    try {
      await this.#secrets.store(secretName(origin), JSON.stringify({ version: 1, epoch, key }));
    } catch (error) {
      throw new KeyNotStored(reasonOf(error));
    }
    if ((await this.read(origin)) !== key) throw new KeyNotStored('it reads back differently');
    this.#changes.fire();
  }

  /** Removes a key everywhere: first the marker that every window watches, then the secret itself. */
  async remove(origin: string): Promise<void> {
    await this.#epochs.advance(origin);
    await this.#secrets.delete(secretName(origin));
    this.#changes.fire();
  }

  /** Removes all keys this extension ever stored. */
  async removeAll(): Promise<void> {
    for (const name of await this.#secrets.keys()) {
      if (name.startsWith(secretPrefix)) await this.remove(name.slice(secretPrefix.length));
    }
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#changes.dispose();
  }

  async #readStored(origin: string): Promise<z.output<typeof storedSchema> | undefined> {
    try {
      const text = await this.#secrets.get(secretName(origin));
      return text === undefined ? undefined : this.#parse(text);
    } catch (error) {
      this.#log.warn(`the secret storage cannot be read: ${reasonOf(error)}`);
      return undefined;
    }
  }

  #parse(text: string): z.output<typeof storedSchema> | undefined {
    const stored = z.safeParse(storedSchema, parseJson(text));
    if (stored.success) return stored.data;
    // The reason would quote the text, which may be a key.
    this.#log.warn('the secret storage holds something that is not a key of ours');
    return undefined;
  }
}

const secretPrefix = 'lineside.key ';

function secretName(origin: string): string {
  return `${secretPrefix}${origin}`;
}
