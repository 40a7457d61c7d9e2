import { desktopWanted } from '../../../tools/editor/run/openEditor.ts';
import { packageExtension } from '../../../tools/editor/vsix.ts';
import { obtainBrowser } from '../../../tools/editor/run/browser.ts';
import { obtainServer } from '../../../tools/editor/install/vscodeServer.ts';
import { resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packaged extension that every journey installs. */
    vsix: string;
  }
}

/**
 * Prepares the VSIX (from `LINESIDE_VSIX`, or newly packaged), the browser, and, unless desktop VS Code is used, the
 * current version of VS Code's server once for all journeys. The oldest supported version, which few journeys need, is
 * prepared while the first journeys run. Returns a teardown function that waits for the oldest version.
 */
export default async function prepareJourneys(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): void => console.log(line);
  const named = process.env['LINESIDE_VSIX'];
  project.provide('vsix', named ? resolve(named) : (await packageExtension()).file);
  await obtainBrowser(say);
  if (desktopWanted()) return () => Promise.resolve();
  await obtainServer('1.139', say);
  // If this fails, the journeys that need this version try again and report the error.
  const oldest = obtainServer('1.110', say).then(ignore, ignore);
  return () => oldest;
}

function ignore(): void {
  // The outcome isn't needed here: journeys that need this version check for it themselves.
}
