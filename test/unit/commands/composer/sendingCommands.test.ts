import { beforeEach, describe, expect, it, vi } from 'vitest';
import { attachingCommands } from '../../../../src/commands/attachments/attachCommands.ts';
import { sendingCommands } from '../../../../src/commands/composer/sendingCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { entryOf, key, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const fromSelection = vi.fn(() => Promise.resolve([]));
let store: Store;
let sent: string[];
let context: CommandContext;
let commands: ReturnType<typeof sendingCommands>;

beforeEach(() => {
  sent = [];
  fromSelection.mockClear();
  store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
  const outbox = {
    enqueue: (_: unknown, { text }: { readonly text: string }) => {
      sent.push(text);
      return Promise.resolve(entryOf({ text }));
    },
    settled: () => Promise.resolve({ state: 'accepted' }),
  };
  const blobs = { hold: () => undefined, release: () => Promise.resolve() };
  const navigation = { openConversation: () => Promise.resolve() };
  const attachments = { fromSelection };
  const activeConversation = { key: () => undefined };
  const services = { store, outbox, blobs, navigation, attachments, activeConversation, t };
  context = services as unknown as CommandContext;
  commands = sendingCommands(context);
});

it('sends a given text', async () => {
  await commands.sendMessage({ sessionId: key.sessionId, text: 'Go on' }, 'script');
  expect(sent).toEqual(['Go on']);
});

it.each(['', ' \n'])('sends no message that is blank: %j', async (text) => {
  const sending = commands.sendMessage({ sessionId: key.sessionId, text }, 'script');
  await expect(sending).rejects.toThrow('Enter a message.');
  expect(sent).toEqual([]);
});

describe('without a session', () => {
  const unknown = { sessionId: 'unknown', service: key.origin, text: 'Look' };
  const send = (argument: object) => commands.sendSelection(argument, 'user');
  const attach = (argument: object) => attachingCommands(context).attachSelection(argument);

  it.each([
    ['send', send],
    ['attach', attach],
  ])('the command to %s a selection neither asks about content nor copies it', async (_, run) => {
    await expect(run(unknown)).rejects.toThrow('Session "unknown" isn\'t in your list. Add it first.');
    store.removeSession(key);
    await expect(run({})).rejects.toThrow('No sessions. Add a session first.');
    expect(fromSelection).not.toHaveBeenCalled();
  });
});
