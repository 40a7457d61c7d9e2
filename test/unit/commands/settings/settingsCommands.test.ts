import { beforeEach, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { settingsCommands } from '../../../../src/commands/settings/settingsCommands.ts';
import { Store } from '../../../../src/state/store/store.ts';
import type { SettingsChange } from '../../../../src/sync/settingsWriter.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { person } from '../../../fakes/recordedEditor.ts';
import { key, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let changes: unknown[];
beforeEach(() => {
  changes = [];
  person.types = undefined;
  person.toggles = [];
});

/** Edits the enabled tools of a session that has none. */
async function editTools(): Promise<void> {
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
  const write = (_api: unknown, _key: unknown, makeChange: SettingsChange) => {
    changes.push(makeChange({}));
    return Promise.resolve({ kind: 'unchanged' });
  };
  const context = {
    ...{ store, t },
    connections: { apiFor: () => ({}) },
    settingsWriter: { read: () => Promise.resolve({}), write },
    sessions: { refresh: () => Promise.resolve() },
  } as unknown as CommandContext;
  const argument = { sessionId: key.sessionId, setting: 'enabledToolIds' } as const;
  await settingsCommands(context).editSettings(argument);
}

it('sends no list of tools if the user changed none', async () => {
  await editTools();
  expect(changes).toEqual([{}]);
});

it('sends a tool that was entered', async () => {
  person.types = 'my_tool';
  await editTools();
  expect(changes).toEqual([{ enabledToolIds: ['my_tool'] }]);
});
