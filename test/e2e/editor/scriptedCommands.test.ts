import { join } from 'node:path';
import { describe, it } from 'vitest';
import { copySampleProject } from '../../editor/sampleProject.ts';
import { runPackaged } from '../journey/packaged.ts';

// The suite runs before the tests are declared, so that each result is reported as a separate test.
const project = await copySampleProject();
const suite = join(import.meta.dirname, 'scripted', 'sendingCommands.ts');
const results = await runPackaged({ suite, folder: project.folder }).finally(() => project.dispose());

describe('commands run by a script', () => {
  it.each(results)('$name', ({ failure }) => {
    if (failure !== undefined) throw new Error(failure);
  });
});
