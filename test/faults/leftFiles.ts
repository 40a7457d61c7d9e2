import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The names of the unfinished files in a folder of records, and the texts of the files of the entries that the windows
 * still have to deliver. The file of a delivered message stays until the next start if its window was closed at the
 * moment of delivery, or for a while if a process with the ID of its window exists, for example because the system
 * reused the ID.
 */
export async function undeliveredIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  const entries = names.filter((name) => name.startsWith(join('outbox', '/')) && name.endsWith('.json'));
  const texts = await Promise.all(entries.map((name) => readFile(join(folder, name), 'utf8')));
  return [
    ...names.filter((name) => name.endsWith('.tmp')),
    ...texts.filter((text) => !text.includes('"state":"accepted"')),
  ];
}
