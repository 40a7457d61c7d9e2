import { beforeEach, describe, expect, it, vi } from 'vitest';
import { documentCommands } from '../../../../src/commands/conversation/documentCommands.ts';
import { MessageFiles } from '../../../../src/commands/conversation/messageFiles.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const part = { messageId: 'm', path: '0' };
const isNotCached = "This message isn't cached on this machine. It will load when the service is available.";
const fetchMessage = vi.fn<() => Promise<boolean | undefined>>();
let store: Store;
let context: CommandContext;
beforeEach(() => {
  store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  store.setHistory(key, { ...store.record(key)!.history, completeness: 'complete' });
  context = {
    store,
    sessions: { restoreFromCache: () => Promise.resolve(), fetchMessage },
    documents: { parts: () => Promise.resolve([{ number: 1, firstHeading: '' }]), open: () => Promise.resolve(false) },
    activeConversation: { key: () => undefined },
    lifecycle: { ensureStarted: () => Promise.resolve() },
    t,
  } as unknown as CommandContext;
});

describe('a message that is not on this machine', () => {
  it.each([
    ['was removed', 'if the service does not have it', false, 'The message with this file was removed.'],
    ['is not available', 'if its service is not connected', undefined, isNotCached],
    // The header is in the store, but not the content.
    ['is not available', 'if its content can not be loaded', true, isNotCached],
  ])('%s when one of its files is opened or saved, %s', async (_, _why, isThere, text) => {
    fetchMessage.mockResolvedValue(isThere);
    const files = new MessageFiles(context);
    await expect(files.show(key, part)).rejects.toThrow(text);
    await expect(files.save(key, part)).rejects.toThrow(text);
  });

  it.each([
    ['was removed', false, 'This message was removed from the service. The conversation is open.'],
    ['is not available', undefined, isNotCached],
  ])('%s when the conversation is opened as a document at it', async (_, isThere, text) => {
    fetchMessage.mockResolvedValue(isThere);
    const argument = { sessionId: key.sessionId, service: key.origin, messageId: 'm' };
    const open = documentCommands(context).openConversationAsDocument(argument, 'script');
    await expect(open).rejects.toThrow(text);
  });
});
