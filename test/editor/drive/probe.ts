import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { obtainPackedFolder } from '../packedFolder.ts';
import type { EditorOptions } from '../run/editor.ts';
import type { QuickInput } from './quickInput.ts';

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

const answerTimeoutMs = 60_000;

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

/**
 * Sends a request to the probe in the window of this quick input. Resolves to the result of a command, or rejects with
 * its error.
 */
export async function askProbe(dataFolder: string, quickInput: QuickInput, request: ProbeRequest): Promise<unknown> {
  const folder = probeFolder(dataFolder);
  const id = randomUUID();
  const file = join(folder, `answer-${id}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'request.json'), JSON.stringify({ id, ...request }));
  await quickInput.openAndPick('>Lineside Probe: Perform Request', 'Lineside Probe: Perform Request');
  const giveUpAtMs = Date.now() + answerTimeoutMs;
  while (!existsSync(file)) {
    if (Date.now() > giveUpAtMs) throw new Error(`The extension host did not answer: ${JSON.stringify(request)}`);
    await wait(50);
  }
  const answer = JSON.parse(await readFile(file, 'utf8')) as ProbeAnswer;
  await rm(file);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result;
}

function probeFolder(dataFolder: string): string {
  return join(dataFolder, 'probe');
}
