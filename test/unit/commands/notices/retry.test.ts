import { expect, it, vi } from 'vitest';
import type { PageServices } from '../../../../src/commands/context.ts';
import { retry } from '../../../../src/commands/notices/supportCommands.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { ready, rejected, service } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const keyOf = (index: number): SessionKey => ({ origin: service.origin, sessionId: `s${index}` });

function open(onRefresh: (store: Store) => void) {
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  for (let index = 0; index < 50; index++) store.addSession({ key: keyOf(index), addedAt: 100 - index });
  store.setCurrent(keyOf(30));
  const refreshed: string[] = [];
  const seen = { running: 0, peak: 0 };
  const refresh = async ({ sessionId }: SessionKey) => {
    refreshed.push(sessionId);
    seen.peak = Math.max(seen.peak, ++seen.running);
    await new Promise((resolve) => setImmediate(resolve));
    seen.running--;
    onRefresh(store);
  };
  const connections = { refresh: () => Promise.resolve() };
  const services = { store, connections, sessions: { refresh } } as unknown as PageServices;
  return { services, refreshed, seen };
}

it('refreshes every session once, the current one first, a few at a time', async () => {
  const { services, refreshed, seen } = open(() => undefined);
  await retry(services);
  expect(refreshed[0]).toBe('s30');
  expect(new Set(refreshed).size).toBe(50);
  expect(refreshed).toHaveLength(50);
  expect(seen.peak).toBe(8);
});

it('stops when the service rejects the key', async () => {
  const { services, refreshed } = open((store) => store.setConnection(rejected));
  await retry(services);
  expect(refreshed).toHaveLength(8);
});
