import { join } from 'node:path';
import { describe, inject, it } from 'vitest';
import { runInExtensionHost } from '../../editor/drive/extensionHost.ts';
import { copySampleProject } from '../../editor/sampleProject.ts';

// The suite runs before the tests are declared, so that each result is reported as a separate test.
const project = await copySampleProject();
const suite = join(import.meta.dirname, 'scripted', 'sendingCommands.ts');
const where = { version: '1.139', folder: project.folder, vsix: inject('vsix') } as const;
const results = await runInExtensionHost({ suite, ...where }).finally(() => project.dispose());

describe('commands run by a script', () => {
  it.each(results)('$name', ({ failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});
