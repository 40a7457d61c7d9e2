import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BundledPackage, Bundles } from './bundledPackages.ts';

/** Third-party code or icons with the text that their license requires to be shipped. */
export interface Notice {
  /** Name and version, such as `zod 4.6.7`. */
  readonly title: string;
  readonly license: string;
  readonly source: string | undefined;
  readonly texts: readonly string[];
  /** How the shipped copy differs from the original, if the license asks for that statement. */
  readonly changes?: string;
}

/** Changes that a license requires us to state (CC-BY-4.0, section 3.a.1.B). */
const changes: Readonly<Record<string, string>> = {
  '@vscode/codicons': 'The SVG text of the icons is shortened, and coordinates are rounded to two decimals.',
};

/** Paths of license texts, by package, for packages that name their license but don't include its text. */
const missingTexts: Readonly<Record<string, string>> = {
  '@ansi-tools/parser': join(import.meta.dirname, 'licenses', 'ansi-tools-parser.txt'),
};

/** The beginning of the text of CC-BY-4.0. */
const attribution = 'Attribution 4.0 International';

/** Replaces the text of CC-BY-4.0, which is 18 KB long. The license allows its address instead (section 3.a.1.C). */
const attributionNotice = `Licensed under Creative Commons ${attribution}, which disclaims all warranties:
https://creativecommons.org/licenses/by/4.0/legalcode`;

/**
 * Code without a package of its own: llhttp is compiled into undici's HTTP parser, and esbuild adds helper functions to
 * each script.
 */
const embedded = [
  {
    title: 'llhttp (in undici)',
    inside: 'undici',
    license: 'MIT',
    source: 'https://github.com/nodejs/llhttp',
    file: join(import.meta.dirname, 'licenses', 'llhttp.txt'),
  },
  {
    title: 'esbuild (helper functions)',
    inside: undefined,
    license: 'MIT',
    source: 'https://github.com/evanw/esbuild',
    file: join('node_modules', 'esbuild', 'LICENSE.md'),
  },
] as const;

/**
 * The notices for everything in the bundles, sorted by title.
 * @throws if a package names no license or has no license text, because shipping it would breach the license.
 */
export async function readNotices(folder: string, { packages }: Bundles): Promise<Notice[]> {
  const notices = await Promise.all(packages.map((bundled) => noticeOf(folder, bundled)));
  const silent = notices.filter(({ license, texts }) => texts.length === 0 || license === '');
  if (silent.length > 0) {
    throw new Error(`Bundled without a license text: ${silent.map(({ title }) => title).join(', ')}`);
  }
  for (const { inside, file, ...about } of embedded) {
    if (inside !== undefined && !packages.some(({ name }) => name === inside)) continue;
    notices.push({ ...about, texts: [await readText(file.startsWith('node_modules') ? join(folder, file) : file)] });
  }
  return notices.sort((a, b) => (a.title < b.title ? -1 : 1));
}

async function noticeOf(root: string, bundled: BundledPackage): Promise<Notice> {
  const { name, version, license, source } = bundled;
  const folder = join(root, bundled.folder);
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  const missing = missingTexts[name];
  const paths = files.length > 0 || missing === undefined ? files.map((file) => join(folder, file)) : [missing];
  const texts = await Promise.all(paths.map(readText));
  const changed = changes[name];
  return {
    title: `${name} ${version}`,
    license,
    source,
    texts: texts.filter((text) => text !== '').map((text) => (text.startsWith(attribution) ? attributionNotice : text)),
    ...(changed === undefined ? {} : { changes: changed }),
  };
}

async function readText(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).replace(/\r\n?/g, '\n').trim();
}

/** The text of ThirdPartyNotices.txt. */
export function noticesText(notices: readonly Notice[]): string {
  const rule = '-'.repeat(80);
  const sections = notices.map(({ title, license, source, texts, changes: changed }) =>
    [
      rule,
      `${title} (${license})`,
      ...(source === undefined ? [] : [source]),
      ...(changed === undefined ? [] : [`Changes: ${changed}`]),
      rule,
      texts.join(`\n\n${rule}\n\n`),
    ].join('\n'),
  );
  return `Lineside contains the following third-party code and icons. Their licenses are reproduced below.

${notices.map(({ title, license }) => `  ${title} (${license})`).join('\n')}

${sections.join('\n\n')}
`;
}
