import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from '../../editor/install/cache.ts';
import { formatMarkdown } from '../../formatMarkdown.ts';

/** A page of docs with a place for a table, split at the markers of the place. */
interface Place {
  readonly file: string;
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in the page of docs that has these markers. */
export async function writeBetweenMarkers(name: string, text: string): Promise<void> {
  const { file, before, after } = await placeOf(name);
  await writeFile(file, await formatMarkdown(`${before}\n\n${text}\n\n${after}`));
}

/** The text between the markers with this name. */
export async function readBetweenMarkers(name: string): Promise<string> {
  return (await placeOf(name)).between;
}

/** Finds a place in the docs folder. @throws Error unless exactly one page has it. */
export async function placeOf(name: string): Promise<Place> {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const folder = join(repositoryFolder, 'docs');
  const pages = (await readdir(folder)).filter((page) => page.endsWith('.md'));
  const texts = await Promise.all(pages.map((page) => readFile(join(folder, page), 'utf8')));
  const places = pages.flatMap((page, index): readonly Place[] => {
    const text = texts[index] ?? '';
    const from = text.indexOf(begin) + begin.length;
    const to = text.indexOf(end);
    if (from < begin.length || to < from) return [];
    return [
      { file: join(folder, page), before: text.slice(0, from), between: text.slice(from, to), after: text.slice(to) },
    ];
  });
  const [place, ...others] = places;
  if (!place || others.length > 0) throw new Error(`${places.length} pages of docs have a place named ${name}.`);
  return place;
}
