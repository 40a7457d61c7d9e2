import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

interface DoorFile {
  readonly processId: number;
  readonly port: number;
}

const patienceMs = 90_000;

/** A connection to the extension host of the most recently opened window; see floor/floor.js. */
export class Door {
  readonly processId: number;
  readonly #port: number;

  constructor(file: DoorFile) {
    this.processId = file.processId;
    this.#port = file.port;
  }

  /**
   * Connects to the most recently opened window or, with `before`, to one that was opened after the window of `before`.
   * Rejects if the window doesn't report its port in time.
   */
  static async open(folder: string, before?: Door): Promise<Door> {
    const file = join(folder, 'door.json');
    const giveUpAtMs = Date.now() + patienceMs;
    while (Date.now() < giveUpAtMs) {
      const door = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as DoorFile) : undefined;
      if (door && door.processId !== before?.processId) return new Door(door);
      await wait(50);
    }
    throw new Error('The extension host did not open its door.');
  }

  /** Runs a command and waits until it ends. Resolves to the time at which it was called, in Unix ms. */
  async run(command: string, ...args: readonly unknown[]): Promise<number> {
    const { atMs } = await this.#ask<{ atMs: number }>({ type: 'run', command, args });
    return atMs;
  }

  /** Activates an inactive extension. Resolves to the duration in ms. */
  async activate(extensionId: string): Promise<number> {
    return (await this.#ask<{ tookMs: number }>({ type: 'activate', extensionId })).tookMs;
  }

  async openFloor(): Promise<number> {
    return (await this.#ask<{ atMs: number }>({ type: 'openFloor' })).atMs;
  }

  async tellFloor(text: string): Promise<number> {
    return (await this.#ask<{ atMs: number }>({ type: 'tellFloor', text })).atMs;
  }

  /**
   * The longest time for which the extension host was busy with one task since the last call, in ms. The first call
   * begins the measurement and resolves to 0.
   */
  async takeStallMs(): Promise<number> {
    return (await this.#ask<{ stallMs: number }>({ type: 'takeStall' })).stallMs;
  }

  /** Memory use of the extension host in MB, after a garbage collection. */
  memory(): Promise<{ readonly usedMB: number; readonly rssMB: number }> {
    return this.#ask({ type: 'memory' });
  }

  /** Processor time in ms that the extension host has used, and bytes that it has written (null except on Linux). */
  usage(): Promise<{ readonly cpuMs: number; readonly writtenBytes: number }> {
    return this.#ask({ type: 'usage' });
  }

  async #ask<T>(request: object): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.#port}`, { method: 'POST', body: JSON.stringify(request) });
    const answer = (await response.json()) as T & { error?: string };
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer;
  }
}
