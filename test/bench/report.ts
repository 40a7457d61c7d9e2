import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format } from 'prettier';
import { repositoryFolder } from '../editor/install/cache.ts';

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a document in the docs folder. */
export async function writeBetweenMarkers(name: string, text: string, document = 'performance.md'): Promise<void> {
  const file = join(repositoryFolder, 'docs', document);
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const before = await readFile(file, 'utf8');
  const from = before.indexOf(begin);
  const to = before.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${document} has no place named ${name}.`);
  const next = `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`;
  await writeFile(file, await format(next, { parser: 'markdown', printWidth: 120 }));
}
