import { desktopWanted } from '../../editor/run/openEditor.ts';
import { packageExtension } from '../../editor/vsix.ts';
import { obtainBrowser } from '../../editor/run/browser.ts';
import { obtainServer } from '../../editor/install/vscodeServer.ts';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packaged extension that every journey installs. */
    vsix: string;
  }
}

/**
 * Once for all journeys: the VSIX (`LINESIDE_VSIX`, or packaged now), the browser and the editor of today. The oldest
 * editor, which few need, is got ready while the first journeys run.
 */
export default async function prepareJourneys(project: TestProject): Promise<() => Promise<void>> {
  const say = (line: string): void => console.log(line);
  project.provide('vsix', process.env['LINESIDE_VSIX'] ?? (await packageExtension()).file);
  await obtainBrowser(say);
  if (desktopWanted()) return () => Promise.resolve();
  await obtainServer('1.139', say);
  // Where this fails, the journeys that need it try again and say why.
  const oldest = obtainServer('1.110', say).then(ignore, ignore);
  return () => oldest;
}

function ignore(): void {
  // What came of it is in the folder, or not.
}
