import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryFolder } from './install/cache.ts';

/** A copy of the sample project that can be changed freely. */
export interface SampleProject {
  readonly folder: string;
  /** Deletes the copy. */
  dispose(): Promise<void>;
}

/** Copies the sample project to a new folder in `place`. */
export async function copySampleProject(place = tmpdir()): Promise<SampleProject> {
  const parent = await mkdtemp(join(place, 'lineside-workspace-'));
  const folder = join(parent, 'orchard');
  await cp(join(repositoryFolder, 'test', 'fixtures', 'workspace'), folder, { recursive: true });
  return { folder, dispose: () => rm(parent, { recursive: true, force: true, maxRetries: 5 }) };
}
