import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { HostTestResult } from '../../../tools/editor/drive/hostTests.ts';
import { copySampleProject } from '../../../tools/editor/sampleProject.ts';
import type { EditorVersion } from '../../../tools/editor/install/vscodeServer.ts';
import { runPackaged } from '../journey/packaged.ts';

async function run(version: EditorVersion): Promise<HostTestResult[]> {
  const project = await copySampleProject();
  try {
    return await runPackaged({
      suite: join(import.meta.dirname, 'host', 'inOneWindow.ts'),
      version,
      folder: project.folder,
      // In a browser, VS Code saves files automatically after a second.
      settings: { 'files.autoSave': 'off' },
      say: console.log,
    });
  } finally {
    await project.dispose();
  }
}

// The suites run before the tests are declared, so that each result is reported as a separate test.
for (const version of ['1.139', '1.110'] as const) {
  const results = await run(version);
  describe(`the extension host of VS Code ${version}`, () => {
    it.each(results)('$name', ({ failure }) => {
      if (failure !== undefined) throw new Error(failure);
    });
  });
}
