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
/** What a refresh adds. */
let refresh: () => void;
/** Whether the conversation is watched and its newest messages are loaded. */
let isWatched: boolean;

const watch = () => ({ dispose: () => undefined });
const message = (id: string, role: Message['role'], at: number): Message => {
  return { id, role, createdAt: at, updatedAt: at, content: [{ type: 'text', text: `text of ${id}` }] };
};

beforeEach(() => {
  recorded.length = 0;
  refresh = () => undefined;
  isWatched = true;
  store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  // The prompt of the first turn was sent from this window, so its row has the key of the outbox entry.
  store.setOutbox(key, [entryOf({ entryId: 'e1', state: 'accepted', messageId: 'p1' })]);
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
      watch,
      refresh: () => Promise.resolve().then(refresh),
      hasNewestMessages: () => isWatched,
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

describe('a conversation that no view shows', () => {
  const failure = { kind: 'unreachable', at: 1 } as const;
  let outside: MessageActions;
  let refreshes: number;
  beforeEach(() => {
    isWatched = false;
    refreshes = 0;
    store = new Store(memoryBodies());
    store.addSession({ key, addedAt: 1 });
    store.setConnection({ kind: 'ready', service: { origin: key.origin, baseUrl: key.origin } });
    const restoreFromCache = () => {
      store.takeMessages(key, [message('cached', 'assistant', 1)]);
      store.setHistory(key, { ...store.record(key)!.history, completeness: 'complete' });
      return Promise.resolve();
    };
    const sessions = {
      restoreFromCache,
      watch,
      refresh: () => Promise.resolve(void refreshes++).then(refresh),
      hasNewestMessages: () => isWatched,
    };
    outside = new MessageActions({ store, sessions, filters: { get: () => unfiltered }, t } as unknown as PageServices);
  });
  const copied = () => recorded.filter(({ what }) => what === 'copy').map(({ args }) => args[0]);

  it.each(['copyAnswer', 'copyConversation'] as const)('is read again before %s', async (action) => {
    refresh = () => store.takeMessages(key, [message('newer', 'assistant', 2)]);
    await outside.run(key, action, undefined);
    expect(copied()).toEqual([expect.stringContaining('text of newer')]);
    expect(recorded.map(({ what }) => what)).toEqual(['copy']);
  });

  it.each(['copyAnswer', 'copyConversation'] as const)('is copied from the cache by %s if offline', async (action) => {
    refresh = () => store.takeFailure(key, failure);
    await outside.run(key, action, undefined);
    expect(copied()).toEqual([expect.stringContaining('text of cached')]);
  });

  it('may lack newer messages if it could not be read again, and says so', async () => {
    refresh = () => store.takeFailure(key, failure);
    await outside.run(key, 'copyConversation', undefined);
    expect(JSON.stringify(recorded)).toContain('newer messages may be missing');
  });

  it.each(['copyAnswer', 'copyConversation'] as const)(
    'needs no request of %s once a view shows it',
    async (action) => {
      isWatched = true;
      await outside.run(key, action, undefined);
      expect(copied()).toEqual([expect.stringContaining('text of cached')]);
      expect(refreshes).toBe(0);
    },
  );
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
