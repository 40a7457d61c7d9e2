import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/l10n/sourceFiles.ts';
import { topics } from '../../tools/structure/measure.ts';
import { lintTexts } from './lintTexts.ts';

const text = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const roomPages = readdirSync(join(root, 'docs/rooms')).map((name) => `docs/rooms/${name}`);
const pages = ['docs/architecture.md', ...roomPages];
const exists = (path: string) => ['', 'src'].some((folder) => existsSync(join(root, folder, path)));

describe.each(pages)('%s', (page) => {
  const content = readFileSync(join(root, page), 'utf8');

  it('names only files and folders that exist', () => {
    // Inline code that looks like a path with a folder, or like the name of a source file.
    const named = [...content.matchAll(/`((?:[\w.-]+\/)+[\w.-]+|[\w-]+\.(?:ts|mjs))`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(page === 'docs/architecture.md' ? 60 : 0);
    const missing = named.filter((path) => !exists(path));
    expect(missing.filter((path) => !/^node:|\.js$/.test(path) && !isFileOfNamedFolder(path))).toEqual([]);
  });

  it('is short', () => {
    const lines = content.split('\n').length - 1;
    expect(lines).toBeLessThan(page === 'docs/architecture.md' ? 250 : 91);
  });
});

it('docs/architecture.md links to the page of each room', () => {
  const linked = [...text.matchAll(/\((rooms\/[\w-]+\.md)\)/g)].map(([, path = '']) => `docs/${path}`);
  expect(linked.toSorted()).toEqual(roomPages.toSorted());
  const rooms = roomPages.map((path) => /(\w+)[\w-]*\.md$/.exec(path)?.[1] ?? '');
  expect(rooms.filter((room) => !existsSync(join(root, 'src', room)))).toEqual([]);
});

it('docs/architecture.md lists the folders of each room in their order', () => {
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ((?:`\w+`(?:, )?)+) +\|$/gm)];
  const listed = rows.map(([, room = '', folders = '']) => [
    room,
    Array.from(folders.matchAll(/\w+/g), ([name]) => name),
  ]);
  expect(Object.fromEntries(listed)).toEqual(topics);
});

describe('the room table of docs/architecture.md', () => {
  const places: readonly string[] = [...Object.keys(topics), 'app', 'protocol', 'extension'];
  const table = Array.from(
    text.matchAll(/^\| `(\w+)` +\| (.+?) +\| .* \| (yes|no) +\| (?:yes|no) +\|$/gm),
    ([, room = '', may = '', editor = '']) => ({ room, editor: editor === 'yes', may: permissionsOf(may) }),
  );

  /** The rooms that a cell lists: those from which values may be imported, and those from which only types may be. */
  function permissionsOf(cell: string) {
    const [values = '', types = ''] = cell.split(/;? ?types of /);
    const all = cell.startsWith('everything except webview');
    const rooms = places.filter((place) => !['app', 'webview', 'extension', 'protocol'].includes(place));
    return { values: all ? rooms : placesIn(values), types: placesIn(types) };
  }

  function placesIn(names: string): readonly string[] {
    return places.filter((place) => new RegExp(`\\b${place}\\b`).test(names));
  }

  it('is what the rule of the rooms allows', async () => {
    const pathOf = (place: string) => {
      if (place === 'protocol') return '../shared/protocol/x.ts';
      return place === 'extension' ? '../extension.ts' : `../${place}/x.ts`;
    };
    const tried = table.flatMap(({ room, may, editor }) => {
      const others = places.filter((place) => place !== room && !(room === 'shared' && place === 'protocol'));
      return [
        { room, from: 'vscode', isType: false, allowed: editor },
        ...others.flatMap((place) => [
          { room, from: pathOf(place), isType: false, allowed: may.values.includes(place) },
          { room, from: pathOf(place), isType: true, allowed: [...may.values, ...may.types].includes(place) },
        ]),
      ];
    });
    const code = ({ from, isType }: { readonly from: string; readonly isType: boolean }) =>
      isType ? `import type { X } from '${from}'; export type Y = X;` : `export { x } from '${from}';`;
    const broken = await lintTexts(tried.map((one) => ({ path: `src/${one.room}/a.ts`, code: code(one) })));
    const allowed = broken.map((rules) => !rules.includes('house(rooms)'));
    expect(tried.length).toBeGreaterThan(200);
    expect(tried.filter((one, index) => one.allowed !== allowed[index])).toEqual([]);
  });

  it('is drawn by the diagram, which leaves out only what follows from other arrows', () => {
    const arrows = new Map<string, string[]>();
    for (const [, from = '', to = ''] of text.matchAll(/^ {2}([\w &]+) (?:-->|-\. types \.->) ([\w &[\]/]+)$/gm))
      for (const one of from.split(' & '))
        arrows.set(one, [...(arrows.get(one) ?? []), ...to.replace(/\[.*\]/, '').split(' & ')]);
    const reached = (from: string): readonly string[] => (arrows.get(from) ?? []).flatMap((to) => [to, ...reached(to)]);
    const missing = table.flatMap(({ room, may }) =>
      [...may.values, ...may.types].filter((to) => !reached(room).includes(to)).map((to) => `${room} -> ${to}`),
    );
    expect(missing).toEqual([]);
    const wrong = table.flatMap(({ room, may }) =>
      (arrows.get(room) ?? []).filter((to) => ![...may.values, ...may.types, 'protocol'].includes(to)),
    );
    expect(wrong).toEqual([]);
  });
});

it('docs/security.md names only files that exist', () => {
  const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const tests = [...page.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, path = '']) => path);
  expect(tests.length).toBeGreaterThan(20);
  expect(tests.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)))).toEqual([]);
  const sources = [...page.matchAll(/`((?:\w+\/)+\w+\.ts)`/g)].map(([, path = '']) => path);
  expect(sources.filter((path) => !exists(path))).toEqual([]);
});

/**
 * Whether a bare file name such as `readResponse.ts` is in one of the folders whose files the document names without a
 * path.
 */
function isFileOfNamedFolder(path: string): boolean {
  return ['src/api/http', 'src/host/files'].some((folder) => existsSync(join(root, folder, path)));
}
