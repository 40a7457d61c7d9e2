import { expect, it, vi } from 'vitest';
import { accountCommands } from '../../../../src/commands/account/accountCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { UserFacingError } from '../../../../src/commands/commandErrors.ts';
import { ready, service, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it.each([
  ['removes the key of the service', false],
  ['removes no key while the demo runs', true],
])('%s', async (_, isTemporary) => {
  recorded.length = 0;
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  const removed: string[] = [];
  const keys = { remove: (origin: string) => Promise.resolve(removed.push(origin)) };
  const commands = accountCommands({ store, keys, connections: { isTemporary }, t } as unknown as CommandContext);
  const removing = Promise.resolve(commands.removeApiKey({}));
  if (isTemporary) await expect(removing).rejects.toThrow('No API key to remove.');
  else await removing;
  expect(removed).toEqual(isTemporary ? [] : [service.origin]);
  expect(recorded.map(({ what }) => what)).toEqual(isTemporary ? [] : ['information']);
});

it.each([
  ['opens the first session of the demo', undefined, ['s1']],
  ['opens nothing if the user has opened another session of the demo meanwhile', 's2', []],
])('%s', async (_, opened, expected) => {
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  const { origin } = service;
  const shown: string[] = [];
  const add = (key: SessionKey) => {
    store.addSession({ key, addedAt: 1 });
    if (key.sessionId === opened) store.setCurrent(key);
    return Promise.resolve();
  };
  const commands = accountCommands({
    store,
    t,
    connections: { useTemporary: () => Promise.resolve() },
    sessionList: { add },
    demo: { get: () => Promise.resolve({ baseUrl: origin, token: 'key', sessionIds: ['s1', 's2', 's3'] }) },
    navigation: { openConversation: ({ sessionId }: SessionKey) => Promise.resolve(shown.push(sessionId)) },
  } as unknown as CommandContext);
  await commands.tryDemo();
  expect(shown).toEqual(expected);
  store.setCurrent({ origin, sessionId: 's3' });
  await commands.tryDemo();
  expect(shown).toEqual([...expected, ...(opened === undefined ? ['s1'] : [])]);
});

it('reloads the window even if not all data could be deleted, because nothing would be saved from then on', async () => {
  recorded.length = 0;
  person.clicks = 'Clear and Reload';
  const commands = accountCommands({
    t,
    keys: { removeAll: () => Promise.resolve() },
    lifecycle: { deleteData: () => Promise.reject(new UserFacingError('The disk is read-only.')) },
  } as unknown as CommandContext);
  await commands.clearAllData();
  person.clicks = undefined;
  expect(recorded.map(({ what, args: [first] }) => [what, first]).slice(1)).toEqual([
    ['warning', 'The disk is read-only.'],
    ['command', 'workbench.action.reloadWindow'],
  ]);
});

it('shows that the cache could not be cleared', async () => {
  recorded.length = 0;
  person.clicks = 'Clear Cache';
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  const commands = accountCommands({
    store,
    t,
    log: silentLog,
    keys: { remove: () => Promise.resolve(), seen: [] },
    connections: { isTemporary: false },
    cache: { clear: () => Promise.reject(new UserFacingError('The disk is read-only.')) },
  } as unknown as CommandContext);
  await commands.removeApiKey({});
  await vi.waitUntil(() => recorded.length === 2);
  person.clicks = undefined;
  expect(recorded[1]).toMatchObject({ what: 'error', args: ['The disk is read-only.', 'Retry', 'Copy Details'] });
});
