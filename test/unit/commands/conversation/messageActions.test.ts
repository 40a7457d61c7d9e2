import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { MessageActions } from '../../../../src/commands/conversation/messageActions.ts';
import type { PageServices } from '../../../../src/commands/context.ts';
import { unfiltered } from '../../../../src/state/conversation/filter.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { entryOf, key, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let store: Store;
let actions: MessageActions;
/** Settles when older messages are loaded, or loading them is stopped. */
let loading: Promise<void>;
let stop: () => void;

beforeEach(() => {
  recorded.length = 0;
  store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  // The prompt of the first turn was sent from this window, so its row has the key of the outbox entry.
  store.setOutbox(key, [entryOf({ entryId: 'e1', state: 'accepted', messageId: 'p1' })]);
  const message = (id: string, role: Message['role'], at: number): Message => {
    return { id, role, createdAt: at, updatedAt: at, content: [{ type: 'text', text: `text of ${id}` }] };
  };
  store.takeMessages(key, [
    message('p1', 'user', 1),
    message('a1', 'assistant', 2),
    message('p2', 'user', 3),
    message('a2', 'assistant', 4),
    message('p3', 'user', 5),
  ]);
  store.setOutbox(key, []);
  store.setHistory(key, { ...store.record(key)!.history, completeness: 'complete' });
  actions = new MessageActions({
    store,
    sessions: {
      restoreFromCache: () => Promise.resolve(),
      watch: () => ({ dispose: () => undefined }),
      loadRest: () => loading,
      stopLoading: () => stop(),
    },
    filters: { get: () => unfiltered },
    t,
  } as unknown as PageServices);
});

it.each([
  ['e1', 'text of a1'],
  ['a1', 'text of a1'],
  ['p2', 'text of a2'],
  [undefined, 'text of a2'],
])('copies the answer of the turn of the row %s', async (rowKey, answer) => {
  await actions.run(key, 'copyAnswer', rowKey);
  expect(recorded.map(({ args }) => args)).toEqual([[expect.stringContaining(answer)]]);
});

it.each(['p3', 'not listed yet'])('copies no answer of another turn for the row %s', async (rowKey) => {
  await expect(actions.run(key, 'copyAnswer', rowKey)).rejects.toThrow('No answer yet.');
  expect(recorded).toEqual([]);
});

it('copies the answer of a conversation whose messages are only in the cache', async () => {
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const restoreFromCache = () => {
    const content = [{ type: 'text', text: 'cached' }] as const;
    store.takeMessages(key, [{ id: 'a', role: 'assistant', createdAt: 1, updatedAt: 1, content }]);
    store.setHistory(key, { ...store.record(key)!.history, completeness: 'complete' });
    return Promise.resolve();
  };
  const services = { store, sessions: { restoreFromCache }, t };
  await new MessageActions(services as unknown as PageServices).run(key, 'copyAnswer', undefined);
  expect(JSON.stringify(recorded)).toContain('cached');
});

describe('copying a conversation whose older messages must be loaded', () => {
  const copied = () => recorded.filter(({ what }) => what === 'copy').map(({ args }) => args[0]);
  beforeEach(() => {
    loading = new Promise((resolve) => (stop = resolve));
    store.setHistory(key, { ...store.record(key)!.history, completeness: 'partial' });
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    person.clicks = undefined;
  });

  it('copies what could be loaded, and says so', async () => {
    stop();
    await actions.run(key, 'copyConversation', undefined);
    expect(copied()).toEqual([expect.stringContaining('text of a2')]);
    expect(JSON.stringify(recorded)).toContain('Copied 5 of 5 messages.');
  });

  it('does nothing if the user cancels', async () => {
    person.clicks = 'Cancel';
    const copying = actions.run(key, 'copyConversation', undefined);
    await vi.advanceTimersByTimeAsync(500);
    await copying;
    expect(recorded.map(({ what }) => what)).toEqual(['progress']);
  });
});
