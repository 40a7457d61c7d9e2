import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from '../../editor/install/cache.ts';
import { formatMarkdown } from '../../formatMarkdown.ts';

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a document in the docs folder. */
export async function writeBetweenMarkers(name: string, text: string, document = 'performance.md'): Promise<void> {
  const { before, after } = await splitAtMarkers(name, document);
  const next = `${before}\n\n${text}\n\n${after}`;
  await writeFile(fileOf(document), await formatMarkdown(next));
}

/** The text between these markers. */
export async function readBetweenMarkers(name: string, document = 'performance.md'): Promise<string> {
  return (await splitAtMarkers(name, document)).between;
}

/** Splits a document after the first marker and before the second one. */
async function splitAtMarkers(name: string, document: string) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = await readFile(fileOf(document), 'utf8');
  const from = text.indexOf(begin) + begin.length;
  const to = text.indexOf(end);
  if (from < begin.length || to < from) throw new Error(`${document} has no place named ${name}.`);
  return { before: text.slice(0, from), between: text.slice(from, to), after: text.slice(to) };
}

function fileOf(document: string): string {
  return join(repositoryFolder, 'docs', document);
}
