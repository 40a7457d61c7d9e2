import { join } from 'node:path';
import { describe, it } from 'vitest';
import { copySampleProject } from '../../../tools/editor/sampleProject.ts';
import { runPackaged } from '../journey/packaged.ts';

/** Runs the suite before the tests are declared, so that each result is reported as a separate test. */
async function runSuite(): ReturnType<typeof runPackaged> {
  const project = await copySampleProject();
  try {
    const suite = join(import.meta.dirname, 'scripted', 'sendingCommands.ts');
    return await runPackaged({ suite, folder: project.folder });
  } finally {
    await project.dispose();
  }
}

const results = await runSuite();

describe('commands run by a script', () => {
  it.each(results)('$name', ({ failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});
