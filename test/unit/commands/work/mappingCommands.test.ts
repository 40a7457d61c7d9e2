import { beforeEach, expect, it, vi } from 'vitest';
import { argumentOf } from '../../../../src/commands/commandArguments.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { mappingCommands } from '../../../../src/commands/work/mappingCommands.ts';
import type { AgentFolder } from '../../../../src/state/work/agentFolders.ts';
import { person, recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { key, recordOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const root = '/home/agent/work/shop';
const rootLabel = `\u2068${root}\u2069`;
const folderUris = ['/w/api/shop', '/w/web/shop'].map((path) => Uri.file(path));
const uncertain = { root, folders: folderUris.map(String), isUncertain: true };

let known: readonly AgentFolder[];
let mapped: unknown[];
/** The labels of the rows that the person clicks, one after the other. */
let clicks: readonly string[];

const context: unknown = {
  t,
  store: { current: key, record: () => recordOf({ history: { completeness: 'all' } as never }) },
  agentFiles: {
    folders: () => Promise.resolve(known),
    map: (_: unknown, chosen: unknown) => Promise.resolve(mapped.push(chosen)),
  },
  sessions: { restoreFromCache: () => Promise.resolve(), hasNewestMessages: () => true },
};
const { mapAgentFolder } = mappingCommands(context as CommandContext);
const asked = () => recorded.flatMap(({ what, args }) => (what === 'picker' ? [args[1]] : []));

beforeEach(() => {
  recorded.length = 0;
  mapped = [];
  known = [uncertain];
  clicks = [rootLabel, 'web'];
  Object.defineProperty(person, 'clicks', { configurable: true, get: () => clicks[asked().length - 1] });
  workspace.workspaceFolders = folderUris.map((uri) => ({ uri, name: uri.path.split('/')[2] ?? '' }));
});

it('a folder of the agent that fits two workspace folders is a question, whose answer applies to both', async () => {
  await mapAgentFolder(argumentOf(key));
  expect(asked()).toEqual([
    [expect.objectContaining({ label: rootLabel, description: 'Uncertain: api, web' })],
    [
      expect.objectContaining({ label: 'api', description: '', detail: '/w/api/shop' }),
      expect.objectContaining({ label: 'web', description: '', detail: '/w/web/shop' }),
      expect.objectContaining({ label: "Don't Map" }),
    ],
  ]);
  expect(mapped).toEqual([
    [
      { root, folder: 'file:///w/api/shop', isMapped: false },
      { root, folder: 'file:///w/web/shop', isMapped: true },
    ],
  ]);
});

it('workspace folders of one name are told apart by their paths', async () => {
  workspace.workspaceFolders = folderUris.map((uri) => ({ uri, name: 'shop' }));
  clicks = [rootLabel];
  await mapAgentFolder(argumentOf(key));
  expect(asked()).toEqual([
    [expect.objectContaining({ description: 'Uncertain: /w/api/shop, /w/web/shop' })],
    [
      expect.objectContaining({ label: 'shop', detail: '/w/api/shop' }),
      expect.objectContaining({ label: 'shop', detail: '/w/web/shop' }),
      expect.objectContaining({ label: "Don't Map" }),
    ],
  ]);
  expect(mapped).toEqual([]);
});

it('the workspace folder to which a folder of the agent leads is marked as current', async () => {
  known = [{ root, folders: ['file:///w/web/shop'], isUncertain: false }];
  await mapAgentFolder(argumentOf(key));
  expect(asked()).toEqual([
    [expect.objectContaining({ description: 'web, inferred' })],
    [
      expect.objectContaining({ label: 'api', description: '' }),
      expect.objectContaining({ label: 'web', description: 'current' }),
      expect.objectContaining({ label: "Don't Map" }),
    ],
  ]);
});

it('a session that shows no folder asks for its path', async () => {
  known = [];
  await mapAgentFolder(argumentOf(key));
  const [args] = recorded.flatMap(({ what, args: shown }) => (what === 'picker' ? [shown] : []));
  expect(args).toEqual(['Map Agent Folder', [], [], "Enter the path of a folder on the agent's computer"]);
});
