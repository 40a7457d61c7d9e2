import { beforeEach, expect, it, vi } from 'vitest';
import { sendingCommands } from '../../../../src/commands/composer/sendingCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { entryOf, key, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let sent: string[];
let commands: ReturnType<typeof sendingCommands>;

beforeEach(() => {
  sent = [];
  const store = new Store(memoryBodies());
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
  commands = sendingCommands({ store, outbox, blobs, navigation, attachments: {}, t } as unknown as CommandContext);
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
