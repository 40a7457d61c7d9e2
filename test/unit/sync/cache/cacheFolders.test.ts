import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { measureFolders } from '../../../../src/sync/cache/cacheFolders.ts';
import { temporaryFolder } from '../outbox/outboxRig.ts';

describe('the measured folders', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('have the total size of their files', async () => {
    await mkdir(join(folder.path, 'a'));
    await mkdir(join(folder.path, 'b'));
    await writeFile(join(folder.path, 'a', 'x'), 'four');
    await writeFile(join(folder.path, 'a', 'y'), 'two');
    const sizes = (await measureFolders(folder.path)).map(({ name, sizeBytes }) => [name, sizeBytes]);
    expect(sizes.sort()).toEqual([
      ['a', 7],
      ['b', 0],
    ]);
  });

  it('are none if there is no folder', async () => {
    await writeFile(join(folder.path, 'file'), 'x');
    expect(await measureFolders(join(folder.path, 'missing'))).toEqual([]);
    expect(await measureFolders(join(folder.path, 'file'))).toEqual([]);
  });

  it('are not measured if the system rejects the folder for another reason', async () => {
    await expect(measureFolders('a\0b')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });
});
