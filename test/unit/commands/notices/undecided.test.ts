import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { notifyOfUndecidedMessages } from '../../../../src/commands/notices/undecided.ts';
import type { Disposable } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { NotificationClaims } from '../../../../src/sync/sessionList/notificationClaims.ts';
import { openDisk, type RecordStore } from '../../../../src/sync/storage/recordStore.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { recorded, window } from '../../../fakes/recordedEditor.ts';
import { entryOf, key, t } from '../../state/samples.ts';
import { temporaryFolder } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const notSent = entryOf({ entryId: 'e1', state: 'notSent' });
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let disk: RecordStore;
let windows: Disposable[];

beforeEach(async () => {
  recorded.length = 0;
  window.state.focused = false;
  folder = await temporaryFolder();
  disk = await openDisk(folder.path, silentLog);
  windows = [];
});
afterEach(async () => {
  for (const each of windows) each.dispose();
  window.state.focused = true;
  await disk.flush();
  await folder.remove();
});

/** The store of a new window. */
function open(): Store {
  const store = new Store(memoryBodies());
  const notifications = new NotificationClaims(disk);
  windows.push(notifyOfUndecidedMessages({ store, notifications, t } as unknown as CommandContext));
  store.addSession({ key, addedAt: 1 });
  return store;
}

/** Shows the entries in these windows. Resolves when the notifications have been shown. */
async function setOutbox(stores: readonly Store[], ...entries: readonly (typeof notSent)[]): Promise<void> {
  for (const store of stores) store.setOutbox(key, entries);
  await disk.flush();
  await new Promise((resolve) => setImmediate(resolve));
}

const warnings = () => recorded.filter(({ what }) => what === 'warning').map(({ args }) => args[0]);
const claimed = () => readdir(join(folder.path, 'notices')).catch(() => []);

describe('the notification that a message was not sent', () => {
  it('is shown by one window, once for each message, and not again after a restart', async () => {
    await setOutbox([open(), open()], notSent);
    expect(warnings()).toEqual([expect.stringContaining("wasn't sent.")]);
    await setOutbox([open()], notSent);
    expect(warnings()).toHaveLength(1);
    await setOutbox([open(), open()], notSent, entryOf({ entryId: 'e2', text: 'Another one', state: 'unknown' }));
    expect(warnings()).toHaveLength(2);
    expect(warnings()[1]).toContain('Another one');
  });

  it('is not shown by another window after the window with the focus has seen the message', async () => {
    window.state.focused = true;
    await setOutbox([open()], notSent);
    window.state.focused = false;
    await setOutbox([open()], notSent);
    expect(warnings()).toEqual([]);
  });

  it('is shown by every window if none can claim it', async () => {
    disk.create = () => Promise.reject(new Error('full'));
    await setOutbox([open(), open()], notSent);
    expect(warnings()).toHaveLength(2);
  });

  it('leaves no file when the message is gone', async () => {
    const stores = [open(), open()];
    await setOutbox(stores, notSent);
    expect(await claimed()).toHaveLength(1);
    await setOutbox(stores, { ...notSent, state: 'queued' });
    expect(await claimed()).toHaveLength(1);
    await setOutbox(stores);
    expect(await claimed()).toEqual([]);
  });
});
