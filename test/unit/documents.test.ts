import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/l10n/sourceFiles.ts';

const top = readdirSync(root).filter((name) => name.endsWith('.md'));
const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  const headings = Array.from(read(page).matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe.each([...top, ...inDocs, 'tools/README.md'])('%s', (page) => {
  /** The text without code blocks and tables of links, whose addresses are examples. */
  const text = read(page)
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/<!-- (links|no-links) -->[^]*?<!-- \/\1 -->/g, '');

  it('has only links that lead somewhere', () => {
    const links = Array.from(text.matchAll(/\]\((?!\w+:)([^)\s]+)\)/g), ([, target = '']) => target);
    const broken = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : posix.join(dirname(page), path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('names only files that exist', () => {
    // Documents write the path of a file or folder in the repository with its top-level folder.
    const paths = Array.from(text.matchAll(/`((?:src|test|tools|docs)\/[\w./-]+)`/g), ([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('names only scripts and settings that exist', () => {
    const {
      publisher,
      name: ownName,
      scripts,
      contributes,
    } = JSON.parse(read('package.json')) as {
      readonly publisher: string;
      readonly name: string;
      readonly scripts: Readonly<Record<string, string>>;
      readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
    };
    const run = Array.from(text.matchAll(/npm run (?:-s )?([\w:-]+)/g), ([, name = '']) => name);
    expect(run.filter((name) => scripts[name] === undefined)).toEqual([]);
    const known = [contributes.configuration].flat().flatMap(({ properties }) => Object.keys(properties));
    const commands = Array.from(read('package.json').matchAll(/"(lineside\.[\w.]+)"/g), ([, name = '']) => name);
    const named = Array.from(text.matchAll(/`(lineside\.[\w.]+)`/g), ([, name = '']) => name);
    expect(named.filter((name) => ![...known, ...commands, `${publisher}.${ownName}`].includes(name))).toEqual([]);
  });
});
