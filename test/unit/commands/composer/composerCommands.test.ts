import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { window } from 'vscode';
import { composerCommands } from '../../../../src/commands/composer/composerCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
vi.mock('../../../../src/commands/composer/suggestions.ts', () => ({
  pickSnippet: () => Promise.resolve('Review this.'),
}));

const other = { ...key, sessionId: 'other' };
let inserted: string[];
let commands: ReturnType<typeof composerCommands>;

beforeEach(() => {
  inserted = [];
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  for (const each of [key, other]) store.addSession({ key: each, addedAt: 1 });
  store.setCurrent(key);
  const document = {};
  const replace = (_: unknown, text: string) => inserted.push(`editor: ${text}`);
  const edit = (change: (edit: object) => void) => {
    change({ replace });
    return Promise.resolve(true);
  };
  Object.assign(window, { activeTextEditor: { document, edit } });
  const composer = {
    controller: { insert: ({ sessionId }: SessionKey, text: string) => inserted.push(`${sessionId}: ${text}`) },
    composeEditors: { keyOf: (given: unknown) => (given === document ? key : undefined) },
  };
  const navigation = { openConversation: () => Promise.resolve() };
  commands = composerCommands({ store, composer, navigation, t } as unknown as CommandContext);
});

afterEach(() => {
  Object.assign(window, { activeTextEditor: undefined });
});

it.each([
  ['in the active compose editor', undefined, 'editor: Review this.'],
  ['in the compose editor of the given session, if it is active', key.sessionId, 'editor: Review this.'],
  [
    'in the draft of the given session, if the compose editor is of another one',
    other.sessionId,
    'other: Review this.',
  ],
])('inserts a snippet %s', async (_, sessionId, expected) => {
  await commands.insertSnippet({ sessionId });
  expect(inserted).toEqual([expected]);
});
