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
let failure: Error | undefined;
let kept: [string, ...unknown[]][];
let commands: ReturnType<typeof sendingCommands>;

beforeEach(() => {
  sent = [];
  failure = undefined;
  kept = [];
  fromSelection.mockClear();
  store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
  const outbox = {
    enqueue: (_: unknown, { text }: { readonly text: string }) => {
      if (failure) return Promise.reject(failure);
      sent.push(text);
      return Promise.resolve(entryOf({ text }));
    },
    settled: () => Promise.resolve({ state: 'accepted' }),
  };
  const blobs = { hold: () => undefined, release: () => Promise.resolve() };
  const navigation = { openConversation: () => Promise.resolve() };
  const attachments = { fromSelection };
  const activeConversation = { key: () => undefined };
  const drafts = {
    addText: (...added: unknown[]) => kept.push(['text', ...added]),
    addAttachments: (...added: unknown[]) => kept.push(['attachments', ...added]),
  };
  const services = { store, outbox, drafts, blobs, navigation, attachments, activeConversation, t };
  context = services as unknown as CommandContext;
  commands = sendingCommands(context);
});

it('sends a given text', async () => {
  await commands.sendMessage({ sessionId: key.sessionId, text: 'Go on' }, 'script');
  expect(sent).toEqual(['Go on']);
});

it('adds a message that could not be queued to the draft, so that text which a page saves does not replace it', async () => {
  failure = new Error('The disk is full.');
  const sending = commands.sendMessage({ sessionId: key.sessionId, text: 'Go on' }, 'script');
  await expect(sending).rejects.toThrow('It was added to your draft.');
  expect(kept).toEqual([
    ['text', key, 'Go on'],
    ['attachments', key, []],
  ]);
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
