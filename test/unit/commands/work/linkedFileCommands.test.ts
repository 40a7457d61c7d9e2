import { beforeEach, expect, it, vi } from 'vitest';
import { contentHandlers } from '../../../../src/commands/page/contentHandlers.ts';
import type { CommandContext, PageServices } from '../../../../src/commands/context.ts';
import { argumentOf } from '../../../../src/commands/commandArguments.ts';
import { linkedFileCommands } from '../../../../src/commands/work/linkedFileCommands.ts';
import { person, recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { key, recordOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const places = ['/w/api/src/a.ts', '/w/web/src/a.ts'].map((path) => ({ uri: Uri.file(path), selection: undefined }));
let found: readonly object[];

const context: unknown = {
  t,
  store: { current: key, record: () => recordOf({}) },
  agentFiles: { find: () => Promise.resolve(found) },
  sessions: { restoreFromCache: () => Promise.resolve(), hasNewestMessages: () => true },
};
const commands = linkedFileCommands(context as CommandContext);
const handlers = contentHandlers(context as PageServices);
/** A click on a link in the page, and its command in the context menu. */
const ways = [
  ['a click', () => handlers.openPath({ type: 'openPath', ...key, path: 'src/a.ts' })],
  ['a command', () => commands.openLinkedFile({ ...argumentOf(key), path: 'src/a.ts' })],
] as const;

beforeEach(() => {
  recorded.length = 0;
  person.clicks = undefined;
  found = places;
  workspace.workspaceFolders = ['api', 'web'].map((name) => ({ uri: Uri.file(`/w/${name}`), name }));
});

const opened = () => recorded.flatMap(({ what, args }) => (what === 'command' ? [String(args[1])] : []));
const asked = () => recorded.flatMap(({ what, args }) => (what === 'picker' ? [args[1]] : []));

it.each(ways)('%s on a path that several folders contain lets the person select the folder', async (_, run) => {
  person.clicks = 'web';
  await run();
  expect(opened()).toEqual(['file:///w/web/src/a.ts']);
  expect(asked()).toEqual([
    [
      expect.objectContaining({ label: 'api', description: '/w/api/src/a.ts' }),
      expect.objectContaining({ label: 'web', description: '/w/web/src/a.ts' }),
    ],
  ]);
});

it.each(ways)('%s opens nothing if the person cancels', async (_, run) => {
  await run();
  expect(asked()).toHaveLength(1);
  expect(opened()).toEqual([]);
});

it.each(ways)('%s on a path of one file asks nothing', async (_, run) => {
  found = places.slice(0, 1);
  await run();
  expect(opened()).toEqual(['file:///w/api/src/a.ts']);
  expect(asked()).toEqual([]);
});

it.each(ways)('%s on a path whose file was renamed meanwhile says so, and opens nothing', async (_, run) => {
  found = [];
  const failure = await run().catch((error: unknown) => String(error));
  const said = [failure, ...recorded.flatMap(({ what, args }) => (what === 'error' ? [args[0]] : []))].join();
  expect(said).toContain("src/a.ts wasn't found in this workspace.");
  expect(opened()).toEqual([]);
});

it('folders of one name are told apart by their paths', async () => {
  workspace.workspaceFolders = ['api', 'web'].map((name) => ({ uri: Uri.file(`/w/${name}`), name: 'shop' }));
  await ways[0][1]();
  expect(asked()).toEqual([
    [
      expect.objectContaining({ label: 'shop', description: '/w/api/src/a.ts' }),
      expect.objectContaining({ label: 'shop', description: '/w/web/src/a.ts' }),
    ],
  ]);
});
