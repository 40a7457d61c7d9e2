import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { obtainPackedFolder } from '../packedFolder.ts';
import type { EditorOptions } from '../run/editor.ts';
import { patienceMs } from '../run/patience.ts';

/** A request that an end-to-end test sends to the extension host of its window. */
export type ProbeRequest =
  | { readonly setting: string; readonly value: unknown }
  | { readonly links: readonly string[] }
  | { readonly command: string; readonly args: readonly unknown[] }
  | { readonly command: string; readonly isDetached: true };

interface ProbeAnswer {
  readonly result?: unknown;
  readonly error?: string;
}

/**
 * The packages to install for these options: the extension, the probe, and the packages in `besides`. Tests inside the
 * extension host don't need the probe.
 */
export async function extensionsToInstall(
  options: Pick<EditorOptions, 'vsix' | 'besides' | 'testsModule'>,
): Promise<string[]> {
  const vsixes = [
    ...(options.testsModule ? [] : [await obtainPackedFolder('probe', join(import.meta.dirname, 'probe'))]),
    ...(options.besides ?? []),
  ];
  return options.vsix ? [options.vsix, ...vsixes] : vsixes;
}

/** The environment variable that passes the request folder to the probe. */
export function probeEnvironment(dataFolder: string): Record<string, string> {
  return { LINESIDE_PROBE: probeFolder(dataFolder) };
}

/** Sends requests to the probe in the extension host of a window. */
export class Probe {
  readonly #page: Page;
  readonly #folder: string;

  constructor(page: Page, dataFolder: string) {
    this.#page = page;
    this.#folder = probeFolder(dataFolder);
  }

  /**
   * Sends a request. Resolves to the result of a command that isn't detached, otherwise to undefined. Rejects with the
   * error of the request, or if the extension host doesn't answer in time.
   */
  async ask(request: ProbeRequest): Promise<unknown> {
    const giveUpAtMs = Date.now() + patienceMs;
    const waiting = async (): Promise<void> => {
      if (Date.now() > giveUpAtMs) throw new Error(`The extension host did not answer: ${JSON.stringify(request)}`);
      await wait(20);
    };
    let host = await this.#newestHost();
    while (host === undefined) {
      await waiting();
      host = await this.#newestHost();
    }
    const id = randomUUID();
    const requestFile = join(host, `request-${id}.json`);
    await writeFile(`${requestFile}.part`, JSON.stringify(request));
    await rename(`${requestFile}.part`, requestFile);
    const answerFile = join(host, `answer-${id}.json`);
    while (!existsSync(answerFile)) await waiting();
    const answer = JSON.parse(await readFile(answerFile, 'utf8')) as ProbeAnswer;
    await rm(answerFile);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.result;
  }

  /**
   * The folder of the newest extension host; undefined if none has started yet. One that is older than the page belongs
   * to an earlier load, and doesn't count.
   */
  async #newestHost(): Promise<string | undefined> {
    const loadedAtMs = await this.#page.evaluate(() => performance.timeOrigin);
    const started = existsSync(this.#folder) ? (await readdir(this.#folder)).map(Number) : [];
    const newestMs = Math.max(...started);
    return newestMs > loadedAtMs ? join(this.#folder, String(newestMs)) : undefined;
  }
}

function probeFolder(dataFolder: string): string {
  return join(dataFolder, 'probe');
}
