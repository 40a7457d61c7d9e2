import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { AgentFolders, type LocalFile } from '../../../../src/state/work/agentFolders.ts';
import { inferAgentFolders, pathsToFind } from '../../../../src/state/work/inferredFolders.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { agentPath, type AgentPath, AgentPathReader } from '../../../../src/state/work/agentPaths.ts';
import { headerOf } from '../samples.ts';
import { toolHeader } from './toolHeaders.ts';

/** The files of workspace folders, by the URIs of the folders. */
type Trees = Readonly<Record<string, readonly string[]>>;

/** Infers folders as the host does: only the paths that `pathsToFind` returns are looked up. */
function infer(texts: readonly string[], trees: Trees, created: readonly string[] = []) {
  return inferFrom(
    texts.map((text) => ({ path: agentPath(text) ?? '', isNew: created.includes(text) })),
    trees,
  );
}

function inferFrom(paths: readonly AgentPath[], trees: Trees) {
  const asked = new Set(withoutPause(pathsToFind(paths)));
  const folders = Object.keys(trees).map((uri) => ({ uri }));
  const exists = (folder: string, relative: string) =>
    asked.has(relative) && trees[folder]?.includes(relative) === true;
  return withoutPause(inferAgentFolders(paths, folders, exists));
}

/** Infers folders from the messages of a session. */
function inferFromHeaders(headers: readonly MessageHeader[], trees: Trees) {
  return inferFrom(withoutPause(new AgentPathReader().read(headers)), trees);
}

const shop = ['package.json', 'src/basket.ts', 'src/checkout/pay.ts', 'src/checkout/card.ts', 'test/basket.test.ts'];
const below = (root: string, files: readonly string[]) => files.map((file) => `${root}/${file}`);
const certain = (root: string, folder: string) => [{ root, folders: [folder], isUncertain: false }];

describe('the folder of an agent (R53)', () => {
  it.each([
    ['/home/agent/work/shop', '/home/agent/work/shop'],
    ['/workspaces/shop', '/workspaces/shop'],
    ['/mnt/c/work/shop', '/mnt/c/work/shop'],
    ['/tmp/worktree-abc', '/tmp/worktree-abc'],
    ['C:\\work\\shop', 'c:/work/shop'],
    ['c:/Work/shop', 'c:/Work/shop'],
    ['\\\\server\\share\\shop', '//server/share/shop'],
    ['/app', '/app'],
  ])('is found for %s', (written, root) => {
    const separator = written.includes('\\') ? '\\' : '/';
    const texts = below(written, shop).map((path) => path.replaceAll('/', separator));
    expect(infer(texts, { 'file:///shop': shop })).toEqual(certain(root, 'file:///shop'));
  });

  it('is found although files are missing here, and for a subfolder that is opened', () => {
    const web = ['src/button.tsx', 'src/pages/cart.tsx', 'src/pages/order.tsx'];
    const texts = [
      ...below('/r/packages/web', [...web, 'src/new.tsx']),
      '/r/packages/api/src/server.ts',
      '/r/README.md',
    ];
    expect(infer(texts, { 'file:///web': web })).toEqual(certain('/r/packages/web', 'file:///web'));
  });

  it('is the outer one in a repository of several packages', () => {
    const files = [...below('packages/a', shop), ...shop, 'docs/guide.md', 'tools/release/sign.ts', 'tools/pack.ts'];
    const texts = below('/r', files);
    expect(infer(texts, { 'file:///r': files })).toEqual(certain('/r', 'file:///r'));
  });

  it('has work trees in it and next to it', () => {
    const texts = [...below('/r', shop), ...below('/r/.worktrees/x', shop), ...below('/tmp/wt-1', shop)];
    const folders = new AgentFolders(infer(texts, { 'file:///shop': shop }));
    for (const root of ['/r', '/r/.worktrees/x', '/tmp/wt-1']) {
      expect(folders.fileAt(`${root}/src/basket.ts`)).toEqual({ folder: 'file:///shop', relative: 'src/basket.ts' });
    }
  });

  it('needs three distinctive paths', () => {
    const common = ['package.json', 'README.md', 'src/index.ts', 'src/utils.ts', 'src/main.ts', 'test/index.test.ts'];
    expect(infer(below('/r', common), { 'file:///a': common })).toEqual([]);
    expect(infer(below('/r', shop.slice(0, 3)), { 'file:///a': shop })).toEqual([]);
    expect(infer(below('/r', shop.slice(0, 4)), { 'file:///a': shop })).toEqual(certain('/r', 'file:///a'));
  });

  it.each([
    [
      'two folders have uncommon names',
      ['cmd/acme/shop/main.go', 'cmd/acme/shop/setup.go', 'cmd/acme/shop/app.go'],
      true,
    ],
    ['one folder has', ['cmd/acme/main.go', 'cmd/acme/setup.go', 'cmd/acme/app.go'], false],
    [
      'their folder is that of a tool',
      ['lint.yml', 'deploy.yml', 'release.yml'].map((name) => `.github/workflows/${name}`),
      false,
    ],
  ])('counts files with common names if %s', (_, files, isFound) => {
    expect(infer(below('/r', files), { 'file:///a': files })).toEqual(isFound ? certain('/r', 'file:///a') : []);
  });

  it('is not that of another project with a few equal names', () => {
    const other = Array.from({ length: 20 }, (_, index) => `src/part${index}/thing${index}.ts`);
    expect(infer(below('/blog', [...shop, ...other]), { 'file:///shop': shop })).toEqual([]);
    // Files that the agent created aren't expected in the workspace.
    const created = below('/shop', other);
    expect(infer([...below('/shop', shop), ...created], { 'file:///shop': shop }, created)).toEqual(
      certain('/shop', 'file:///shop'),
    );
  });

  it('is a question if two workspace folders fit', () => {
    const [found] = infer(below('/r', shop), { 'file:///a': shop, 'file:///b': shop });
    expect(found).toEqual({ root: '/r', folders: ['file:///a', 'file:///b'], isUncertain: true });
    expect(new AgentFolders(found ? [found] : []).fileAt('/r/src/basket.ts')).toBeUndefined();
  });

  it('is a question if two folders of the agent fit the same paths', () => {
    const files = [...shop, ...below('copy', shop)];
    const found = infer(below('/r/copy', shop), { 'file:///a': files });
    expect(new Set(found.map(({ isUncertain }) => isUncertain))).toEqual(new Set([true]));
    expect(new AgentFolders(found).fileAt('/r/copy/src/basket.ts')).toBeUndefined();
  });

  it('is one of nested workspace folders that lead to the same file', () => {
    const files = below('packages/a', shop);
    const found = infer(below('/r', files), { 'file:///r': files, 'file:///r/packages/a': shop });
    const file = new AgentFolders(found).fileAt('/r/packages/a/src/basket.ts');
    expect(`${file?.folder}/${file?.relative}`).toBe('file:///r/packages/a/src/basket.ts');
  });

  it('is none of very many that fit', () => {
    const roots = (count: number) => Array.from({ length: count }, (_, index) => `/tmp/wt-${index}`);
    const foundIn = (count: number) =>
      infer(
        roots(count).flatMap((root) => below(root, shop)),
        { 'file:///shop': shop },
      );
    expect(foundIn(50).map(({ root }) => root)).toEqual(roots(50));
    expect(foundIn(51)).toEqual([]);
  });

  it('is inferred with a pause for each path, each candidate, and each two that contradict each other', () => {
    const paths = Array.from({ length: 40 }, (_, index) => `/tmp/wt-${index}`)
      .flatMap((root) => below(root, shop))
      .map((path) => ({ path, isNew: false }));
    const pausesOf = (work: Iterator<unknown>) => {
      let pauses = 0;
      while (work.next().done !== true) pauses += 1;
      return pauses;
    };
    const folders = [{ uri: 'file:///shop' }];
    expect(pausesOf(pathsToFind(paths))).toBe(paths.length);
    expect(pausesOf(inferAgentFolders(paths, folders, (_, relative) => shop.includes(relative)))).toBe(
      paths.length + 40,
    );
    // Below each of the eight folders, all paths exist.
    const nested = shop.map((path) => ({ path: `/1/2/3/4/5/6/7/${path}`, isNew: false }));
    const pauses = pausesOf(inferAgentFolders(nested, folders, () => true));
    expect(pauses).toBeGreaterThan(nested.length + 7 + 7 * 6);
  });

  it('is compared without case on Windows only', () => {
    const upper = below('C:\\Work\\Shop', shop).map((path) => path.replaceAll('/', '\\'));
    const folders = new AgentFolders(infer(upper, { 'file:///c%3A/shop': shop }));
    expect(folders.fileAt(agentPath('c:/WORK/shop/src/basket.ts') ?? '')?.relative).toBe('src/basket.ts');
    const posix = new AgentFolders(infer(below('/Work', shop), { 'file:///a': shop }));
    expect(posix.fileAt('/work/src/basket.ts')).toBeUndefined();
  });
});

describe('a path of an agent', () => {
  it.each([
    ['/a/./b//c/../d.ts', '/a/b/d.ts'],
    ['C:\\a\\b.ts', 'c:/a/b.ts'],
    ['\\\\server\\share\\a.ts', '//server/share/a.ts'],
    ['/a\\b', '/a\\b'],
    ['/a/../../b', undefined],
    ['src/a.ts', undefined],
    ['\\\\?\\C:\\a', undefined],
    ['\\\\.\\pipe\\a', undefined],
    ['C:a', undefined],
    ['/', undefined],
    ['/a\0b', undefined],
    [`/${'a/'.repeat(600)}`, undefined],
  ])('%j is %j', (text, path) => expect(agentPath(text)).toBe(path));
});

describe('the folder of an agent that writes relative paths', () => {
  const folders = (headers: readonly MessageHeader[]) => inferFromHeaders(headers, { 'file:///shop': shop });
  const environment = headerOf('e', { workingFolder: '/home/agent/shop' });
  const found = certain('/home/agent/shop', 'file:///shop');

  it('is found by the folders of its commands', () => {
    const command = (cmd: string, workdir: string) => toolHeader('c', ['exec_command', { cmd, workdir }]);
    expect(folders([command(`cat ${shop.join(' ')}`, '/home/agent/shop')])).toEqual(found);
    expect(folders([command(`cd shop && cat ${shop.join(' ')}`, '/home/agent')])).toEqual(found);
  });

  it('is found by the folder that its tooling names', () => {
    const reads = shop.map((path) => toolHeader(path, ['read_file', { path }]));
    expect(folders([environment, ...reads])).toEqual(found);
    expect(folders(reads)).toEqual([]);
    expect(folders([environment])).toEqual([]);
  });

  it('is a question if two workspace folders fit', () => {
    const reads = shop.map((path) => toolHeader(path, ['read_file', { path }]));
    const both = inferFromHeaders([environment, ...reads], { 'file:///a': shop, 'file:///b': shop });
    expect(both).toEqual([{ root: '/home/agent/shop', folders: ['file:///a', 'file:///b'], isUncertain: true }]);
  });
});

const names = ['alpha', 'beta', 'gamma', 'delta', 'src', 'lib', 'util'];
const fileNames = ['one.ts', 'two.ts', 'three.ts', 'four.ts', 'index.ts', 'five.ts', 'six.ts'];
const file = fc
  .tuple(fc.array(fc.constantFrom(...names), { minLength: 0, maxLength: 3 }), fc.constantFrom(...fileNames))
  .map(([folders, name]) => [...folders, name].join('/'));
const tree = fc.uniqueArray(file, { minLength: 4, maxLength: 40 });

/** A repository, the part of it that is in the workspace, and the files that a session names below the agent's root. */
const work = fc.record({
  files: tree,
  other: tree,
  root: fc.constantFrom('/home/agent/work/shop', '/r', '/alpha/src', 'C:/work/beta', '/tmp/wt'),
  missing: fc.array(fc.nat(40), { maxLength: 4 }),
  named: fc.array(fc.nat(40), { minLength: 1, maxLength: 30 }),
  added: fc.array(file, { maxLength: 2 }),
});

describe('inference for generated trees and sessions', () => {
  it('never leads to a wrong file', () => {
    let resolved = 0;
    fc.assert(
      fc.property(work, ({ files, other, root, missing, named, added }) => {
        const here = files.filter((_, index) => !missing.includes(index));
        const session = [...new Set([...named.flatMap((index) => files[index] ?? []), ...added])];
        const texts = below(root, session);
        const folders = new AgentFolders(infer(texts, { 'file:///here': here, 'file:///other': other }));
        for (const relative of session) {
          const found = folders.fileAt(agentPath(`${root}/${relative}`) ?? '');
          if (!found) continue;
          resolved += 1;
          expect({ found, session, here, other }).toMatchObject({ found: { folder: 'file:///here', relative } });
        }
      }),
      { numRuns: 12_000, seed: 7 },
    );
    // Otherwise the property would hold for an inference that finds nothing.
    expect(resolved).toBeGreaterThan(3_000);
  });

  it('asks if two folders have the same files', () => {
    fc.assert(
      fc.property(work, ({ files, root, named }) => {
        const texts = below(root, [...new Set(named.flatMap((index) => files[index] ?? []))]);
        const found = infer(texts, { 'file:///a': files, 'file:///b': files });
        expect(found.filter(({ isUncertain }) => !isUncertain)).toEqual([]);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it('finds the whole of a session in its own repository', () => {
    const distinct = fc.uniqueArray(fc.stringMatching(/^[a-z]{4,8}$/), { minLength: 6, maxLength: 30 });
    fc.assert(
      fc.property(distinct, (stems) => {
        const files = stems.map((stem, index) => `src/${index % 2 === 0 ? 'a' : 'b'}/${stem}x.ts`);
        const folders = new AgentFolders(infer(below('/home/agent/shop', files), { 'file:///shop': files }));
        const results: (LocalFile | undefined)[] = files.map((one) => folders.fileAt(`/home/agent/shop/${one}`));
        expect(results).toEqual(files.map((relative) => ({ folder: 'file:///shop', relative })));
      }),
      { numRuns: 100, seed: 7 },
    );
  });

  /** How a call names the file with the index `file`, from a folder of the repository that contains it. */
  const step = fc.record({
    file: fc.nat(40),
    depth: fc.nat(3),
    form: fc.constantFrom('absolute', 'workdir', 'cd', 'environment'),
  });
  const steps = fc.array(step, { minLength: 1, maxLength: 30 });

  /** The messages with which an agent in `root` reads the files. */
  function sessionOf(
    root: string,
    files: readonly string[],
    given: typeof steps extends fc.Arbitrary<infer T> ? T : never,
  ) {
    return given.flatMap(({ file: index, depth, form }) => {
      const path = files[index];
      if (path === undefined) return [];
      const parts = path.split('/');
      const entered = parts.slice(0, Math.min(depth, parts.length - 1)).join('/');
      const folder = entered === '' ? root : `${root}/${entered}`;
      const rest = parts.slice(entered === '' ? 0 : entered.split('/').length).join('/');
      const name = `${index} ${form} ${depth}`;
      switch (form) {
        case 'absolute':
          return [toolHeader(name, ['Read', { file_path: `${root}/${path}` }])];
        case 'workdir':
          return [toolHeader(name, ['exec_command', { cmd: `cat ${rest}`, workdir: folder }])];
        case 'cd':
          return [toolHeader(name, ['exec_command', { cmd: `cd ${entered || '.'} && cat ${rest}`, workdir: root }])];
        case 'environment':
          return [headerOf(`e ${name}`, { workingFolder: folder }), toolHeader(name, ['Read', { file_path: rest }])];
      }
    });
  }

  it('never leads to a wrong file by relative paths', () => {
    let resolved = 0;
    fc.assert(
      fc.property(
        work,
        steps,
        fc.constantFrom('', 'alpha', 'src'),
        ({ files, other, root, missing }, given, opened) => {
          const start = opened === '' ? '' : `${opened}/`;
          const here = files.flatMap((path, index) =>
            path.startsWith(start) && !missing.includes(index) ? [path.slice(start.length)] : [],
          );
          const headers = sessionOf(root, files, given);
          const folders = new AgentFolders(inferFromHeaders(headers, { 'file:///here': here, 'file:///other': other }));
          for (const path of files) {
            const found = folders.fileAt(agentPath(`${root}/${path}`) ?? '');
            // A path that leads to no file doesn't lead to a wrong file.
            const tree = found?.folder === 'file:///here' ? here : other;
            if (!found || !tree.includes(found.relative)) continue;
            resolved += 1;
            const expected = { folder: 'file:///here', relative: path.slice(start.length) };
            expect({ found, given, here, other, isInside: path.startsWith(start) }).toMatchObject({
              found: expected,
              isInside: true,
            });
          }
        },
      ),
      { numRuns: 6_000, seed: 7 },
    );
    expect(resolved).toBeGreaterThan(1_500);
  });

  it('asks if two folders have the same files, by relative paths', () => {
    fc.assert(
      fc.property(work, steps, ({ files, root }, given) => {
        const found = inferFromHeaders(sessionOf(root, files, given), { 'file:///a': files, 'file:///b': files });
        expect(found.filter(({ isUncertain }) => !isUncertain)).toEqual([]);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
