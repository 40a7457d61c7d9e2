import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { withoutPause } from '../../../../src/shared/slices.ts';
import type * as candidates from '../../../../src/state/work/agentCandidates.ts';
import { AgentFolders } from '../../../../src/state/work/agentFolders.ts';
import { agentPath } from '../../../../src/state/work/agentPaths.ts';
import { inferAgentFolders, pathsToFind } from '../../../../src/state/work/inferredFolders.ts';
import { inferSharedFolders, samplePaths, sharedPathsToFind } from '../../../../src/state/work/sharedFolders.ts';

const counted = vi.hoisted(() => ({ divisions: 0 }));
vi.mock('../../../../src/state/work/agentCandidates.ts', async (original) => {
  const real = await original<typeof candidates>();
  const divisions = (path: string) => {
    counted.divisions += 1;
    return real.divisions(path);
  };
  return { ...real, divisions };
});

/** The files of workspace folders, by the URIs of the folders. */
type Trees = Readonly<Record<string, readonly string[]>>;

const pathsOf = (texts: readonly string[]) => texts.map((text) => ({ path: agentPath(text) ?? '', isNew: false }));
const sampleOf = (texts: readonly string[]) => samplePaths(pathsOf(texts));
const below = (root: string, files: readonly string[]) => files.map((file) => `${root}/${file}`);

/**
 * Infers the folders of a session with the paths of other sessions, as the host does: only the paths that
 * `pathsToFind` and `sharedPathsToFind` return are looked up.
 */
function infer(texts: readonly string[], others: readonly (readonly string[])[], trees: Trees) {
  const paths = pathsOf(texts);
  const samples = others.map(sampleOf);
  const asked = new Set(withoutPause(pathsToFind(paths)));
  const folders = Object.keys(trees).map((uri) => ({ uri }));
  const exists = (folder: string, relative: string) =>
    asked.has(relative) && trees[folder]?.includes(relative) === true;
  const shownByOthers = withoutPause(sharedPathsToFind({ paths, samples }, folders, exists));
  for (const path of shownByOthers) asked.add(path);
  const inferred = withoutPause(inferAgentFolders(paths, folders, exists));
  const shared = withoutPause(inferSharedFolders({ paths, inferred, samples }, folders, exists));
  return { inferred, shared, shownByOthers, folders: new AgentFolders([...inferred, ...shared]) };
}

const shop = ['package.json', 'src/basket.ts', 'src/checkout/pay.ts', 'src/checkout/card.ts', 'test/basket.test.ts'];
const trees = { 'file:///shop': shop };
const root = '/home/agent/shop';
const found = [{ root, folders: ['file:///shop'], isUncertain: false }];

describe('a folder of an agent that several sessions show (R53)', () => {
  const basket = `${root}/src/basket.ts`;
  const others = [`${root}/src/checkout/pay.ts`, `${root}/test/basket.test.ts`];

  it('needs three distinctive paths of all sessions, and one of its own', () => {
    const own = [basket, `${root}/package.json`];
    expect(infer(own, [], trees).shared).toEqual([]);
    expect(infer(own, [others.slice(0, 1)], trees).shared).toEqual([]);
    expect(infer(own, [others.slice(0, 1), others.slice(0, 1), [basket]], trees).shared).toEqual([]);
    expect(infer(own, [others], trees).shared).toEqual(found);
    const { folders } = infer(own, [others.slice(0, 1), others.slice(1)], trees);
    expect(folders.fileAt(`${root}/package.json`)).toEqual({ folder: 'file:///shop', relative: 'package.json' });
    for (const without of [[], [`${root}/package.json`], [`${root}/src/gone.ts`]]) {
      expect(infer(without, [below(root, shop)], trees).shared).toEqual([]);
    }
  });

  it('is gone when its files are', () => {
    expect(
      infer([basket], [others], { 'file:///shop': shop.filter((file) => file !== 'src/basket.ts') }).shared,
    ).toEqual([]);
    expect(infer([basket], [others], { 'file:///shop': ['src/basket.ts'] }).shared).toEqual([]);
  });

  it('is none if two workspace folders have a file of the session', () => {
    const copy = { ...trees, 'file:///copy': ['src/basket.ts'] };
    expect(infer([basket], [below(root, shop)], copy).shared).toEqual([]);
    expect(infer([`${root}/src/checkout/pay.ts`], [below(root, shop)], copy).shared).toEqual(found);
  });

  it('is none if the session itself names mostly other files', () => {
    const blog = Array.from({ length: 3 }, (_, index) => `${root}/posts/part${index}/entry${index}.md`);
    expect(infer([basket, ...blog], [below(root, shop)], trees).shared).toEqual([]);
    expect(infer([basket, ...blog.slice(0, 2)], [below(root, shop)], trees).shared).toEqual(found);
  });

  it('is none if the folder was something else in another session', () => {
    const blog = Array.from({ length: 4 }, (_, index) => `${root}/posts/part${index}/entry${index}.md`);
    expect(infer([basket], [below(root, shop), blog], trees).shared).toEqual([]);
    expect(infer([basket], [below(root, shop), blog.slice(0, 2)], trees).shared).toEqual(found);
  });

  it('leaves a question that the session raises by itself', () => {
    const own = below('/r/copy', shop);
    const twice = { 'file:///shop': [...shop, ...below('copy', shop)] };
    const { inferred, shared } = infer(own, [below('/r', shop)], twice);
    expect(inferred.map(({ isUncertain }) => isUncertain)).toEqual([true, true]);
    expect(shared).toEqual([]);
  });

  it('has work trees of its own in and next to it', () => {
    const tree = `${root}/.worktrees/x`;
    const { folders } = infer([...below(root, shop), `${tree}/src/basket.ts`], [below(tree, shop)], trees);
    expect(folders.fileAt(`${tree}/package.json`)).toEqual({ folder: 'file:///shop', relative: 'package.json' });
  });

  it.each(['', '/home', '/home/agent'])('is not "%s" because another session claims it', (claimed) => {
    const claims = below(claimed, shop);
    expect(infer([basket], [claims, claims], trees).shared).toEqual([]);
    expect(infer([basket], [claims, others], trees).shared).toEqual(found);
  });

  it('is asked for with few paths although other sessions name 100,000 roots', () => {
    const roots = Array.from({ length: 100_000 }, (_, index) => `/r${index}/src${index}/name${index}.ts`);
    const paths = pathsOf([basket]);
    const isInShop = (_: string, relative: string) => shop.includes(relative);
    const asked = sharedPathsToFind({ paths, samples: [roots] }, [{ uri: 'file:///shop' }], isInShop);
    expect(withoutPause(asked)).toEqual([]);
    expect(infer([basket], [roots, others], trees).shared).toEqual(found);
  });

  it('is found in steps that are as short for many sessions and candidates', () => {
    const files = Array.from({ length: 12 }, (_, index) => `part${index}/entry${index}.ts`);
    const paths = pathsOf([`${root}/${files[0]}`, `/srv/shop/${files[0]}`]);
    const samples = Array.from({ length: 100 }, (_, index) => below(index % 2 === 0 ? root : '/srv/shop', files));
    const exists = (_: string, relative: string) => files.includes(relative);
    const work = inferSharedFolders({ paths, inferred: [], samples }, [{ uri: 'file:///shop' }], exists);
    let most = 0;
    for (;;) {
      counted.divisions = 0;
      const step = work.next();
      most = Math.max(most, counted.divisions);
      if (step.done !== true) continue;
      expect(step.value).toHaveLength(2);
      break;
    }
    expect(most).toBe(1);
  });

  it('is asked for only with paths below a root at which a path of the session agrees', () => {
    const elsewhere = ['/home/agent/blog/posts/entry.md', '/home/other/src/wallet.ts', '/srv/data/table.csv'];
    const { shownByOthers } = infer([basket], [others, elsewhere], trees);
    expect(new Set(shownByOthers)).toEqual(new Set(['src/checkout/pay.ts', 'test/basket.test.ts']));
    expect(infer([basket], [others], { 'file:///shop': shop.slice(2) }).shownByOthers).toEqual([]);
  });
});

describe('a sample of the paths of a session', () => {
  it('has at most twelve distinctive paths that the agent did not create, in the same order for the same paths', () => {
    const paths = pathsOf(Array.from({ length: 50 }, (_, index) => `/r/src/file${index}x.ts`));
    const sample = samplePaths(paths);
    expect(sample).toHaveLength(12);
    expect(samplePaths([...paths, ...paths].toReversed())).toEqual(sample);
    expect(samplePaths(paths.map((file) => ({ ...file, isNew: true })))).toEqual([]);
    const two = sampleOf(
      ['/a', '/b'].flatMap((folder) =>
        below(
          folder,
          paths.map(({ path }) => path),
        ),
      ),
    );
    expect(new Set(two.map((path) => path.slice(0, 2)))).toEqual(new Set(['/a', '/b']));
    expect(sampleOf(['/package.json', `/r/src/${'x'.repeat(400)}.ts`])).toEqual([]);
  });
});

const names = ['alpha', 'beta', 'gamma', 'delta', 'src', 'lib', 'util'];
const fileNames = ['one.ts', 'two.ts', 'three.ts', 'four.ts', 'index.ts', 'five.ts', 'six.ts'];
const file = fc
  .tuple(fc.array(fc.constantFrom(...names), { minLength: 0, maxLength: 3 }), fc.constantFrom(...fileNames))
  .map(([folders, name]) => [...folders, name].join('/'));
const tree = fc.uniqueArray(file, { minLength: 4, maxLength: 40 });
const named = fc.array(fc.nat(40), { minLength: 1, maxLength: 3 });

/**
 * A repository, the part of it that is in the workspace, another folder, and the files that the sessions of a computer
 * name.
 */
const computer = fc.record({
  files: tree,
  other: tree,
  root: fc.constantFrom('/home/agent/work/shop', '/r', '/alpha/src', 'C:/work/beta', '/tmp/wt'),
  missing: fc.array(fc.nat(40), { maxLength: 4 }),
  own: named,
  others: fc.array(named, { minLength: 1, maxLength: 5 }),
  added: fc.array(file, { maxLength: 1 }),
});

describe('shared inference for generated trees and sessions', () => {
  const namedFiles = (files: readonly string[], indexes: readonly number[]) => [
    ...new Set(indexes.flatMap((index) => files[index] ?? [])),
  ];

  it('never leads to a wrong file', () => {
    let resolved = 0;
    fc.assert(
      fc.property(computer, ({ files, other, root: shown, missing, own, others, added }) => {
        const here = files.filter((_, index) => !missing.includes(index));
        const session = [...namedFiles(files, own), ...added];
        const { shared } = infer(
          below(shown, session),
          others.map((one) => below(shown, namedFiles(files, one))),
          { 'file:///here': here, 'file:///other': other },
        );
        const folders = new AgentFolders(shared);
        for (const relative of files) {
          const target = folders.fileAt(agentPath(`${shown}/${relative}`) ?? '');
          const isFile = target && (target.folder === 'file:///here' ? here : other).includes(target.relative);
          if (!isFile) continue;
          resolved += 1;
          expect({ target, session, here, other }).toMatchObject({ target: { folder: 'file:///here', relative } });
        }
      }),
      { numRuns: 6_000, seed: 7 },
    );
    // Otherwise the property would hold for an inference that finds nothing.
    expect(resolved).toBeGreaterThan(1_000);
  });

  it('asks if two folders have the same files', () => {
    fc.assert(
      fc.property(computer, ({ files, root: shown, own, others }) => {
        const sessions = others.map((one) => below(shown, namedFiles(files, one)));
        const both = { 'file:///a': files, 'file:///b': files };
        expect(infer(below(shown, namedFiles(files, own)), sessions, both).shared).toEqual([]);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it('finds the same in any order of the sessions', () => {
    fc.assert(
      fc.property(
        computer,
        fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
        ({ files, other, root: shown, own, others }, ranks) => {
          const sessions = others.map((one) => below(shown, namedFiles(files, one)));
          const order = sessions.map((session, index) => ({ session, rank: ranks[index] ?? 0 }));
          const mixed = order.sort((a, b) => a.rank - b.rank).map(({ session }) => session);
          const texts = below(shown, namedFiles(files, own));
          const workspace = { 'file:///here': files, 'file:///other': other };
          expect(infer(texts, mixed, workspace).shared).toEqual(infer(texts, sessions, workspace).shared);
        },
      ),
      { numRuns: 1_000, seed: 7 },
    );
  });
});
