import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SectionRow, SessionRow, TreeRow } from '../../../../src/state/sessions/sessionTree.ts';
import { TreeReads } from '../../../../src/views/sessions/treeReads.ts';

const key = { origin: 'https://service.test', sessionId: 's1' };
const section: SectionRow = { kind: 'section', rowId: 'today', section: { sectionId: 'today', kind: 'today' } };
const session: SessionRow = { kind: 'session', rowId: 's', key };
const tree = { visible: true };
let drawn: (readonly TreeRow[] | undefined)[];
let reads: TreeReads;

/** Draws rows as the tree does. */
const draw = (rows: TreeRow[] | undefined) => {
  drawn.push(rows);
  reads.changed(rows);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  tree.visible = true;
  drawn = [];
  reads = new TreeReads(tree, draw);
  for (const row of [undefined, section, session]) reads.read(row);
});
afterEach(() => {
  reads.dispose();
  vi.useRealTimers();
});

it('draws an expanded row again, once, if VS Code does not read the rows below it', async () => {
  draw([session]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(drawn).toEqual([[session], [session]]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(drawn).toHaveLength(2);
  // From here on, the row isn't drawn a second time: VS Code reads the rows below it when it needs them.
  draw([session]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(drawn).toHaveLength(3);
});

it('draws the whole tree again if VS Code does not read its sections', async () => {
  draw(undefined);
  draw([session]);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(drawn).toEqual([undefined, [session], undefined]);
});

it.each<[string, () => void]>([
  ['VS Code reads it', () => reads.read(session)],
  ['VS Code reads the whole tree', () => reads.read(undefined)],
  ['it is collapsed', () => reads.close(session)],
  ['the tree is hidden', () => (tree.visible = false)],
])('does not draw a row again if %s', async (_, act) => {
  draw([session]);
  await vi.advanceTimersByTimeAsync(100);
  act();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(drawn).toEqual([[session]]);
});

it.each<[string, () => void]>([
  ['that was collapsed', () => reads.close(session)],
  ['of a hidden tree', () => (tree.visible = false)],
  ['of which VS Code read the tree, but not the rows below', () => reads.read(undefined)],
])('does not wait for a row %s', async (_, act) => {
  act();
  draw([session]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(drawn).toEqual([[session]]);
});
