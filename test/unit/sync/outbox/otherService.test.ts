import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitedForService } from '../../../../src/state/store/outboxEntry.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { replaceFile } from '../../../fakes/damage.ts';
import { parseRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import { OutboxRig, origin } from './outboxRig.ts';

const ready = (at: string) => ({ kind: 'ready', service: { origin: at, baseUrl: at } }) as const;

describe('a message that waited for a service that is not the current one (R55)', () => {
  let rig: OutboxRig;
  beforeEach(async () => {
    rig = await OutboxRig.open();
    rig.isOnline = false;
    rig.service.onPost = (post) => post.answer();
  });
  afterEach(() => rig.close());

  /**
   * Saves a message as an earlier version of Lineside did, and starts a window. That version sent only messages of the
   * current service.
   */
  async function saveAsEarlierVersion(text: string): Promise<string> {
    const { entryId } = await rig.enqueue(text);
    await rig.idle();
    const file = join(rig.folder, 'outbox', `${entryId}.json`);
    const { version, record } = parseRecordFile(await readFile(file, 'utf8'));
    expect(record).toMatchObject({ text, whileConnected: true });
    const { whileConnected: _, ...earlier } = record;
    rig.outbox.dispose();
    await replaceFile(file, withChecksum({ version, record: earlier }));
    await rig.restart();
    return entryId;
  }

  /** Makes another service the current one. The service of the message stays connected. */
  async function useOtherService(): Promise<void> {
    rig.store.setConnections(ready('https://other.test'), [ready(origin)]);
    await comeOnline();
  }

  async function comeOnline(): Promise<void> {
    rig.isOnline = true;
    rig.outbox.wake();
    await rig.idle();
  }

  it('is sent if this version saved it', async () => {
    await rig.enqueue('hello');
    await useOtherService();
    await until(() => rig.service.arrivals.length === 1);
  });

  it('is asked about if an earlier version saved it, and then sent at the request of the user', async () => {
    const entryId = await saveAsEarlierVersion('hello');
    await rig.enqueue('behind it');
    await useOtherService();
    await until(() => rig.states()[0] === 'notSent');
    expect(rig.entries().map(waitedForService)).toEqual([true, false]);
    await rig.restart();
    rig.store.setConnections(ready('https://other.test'), [ready(origin)]);
    await rig.idle();
    expect(rig.states()).toEqual(['notSent', 'queued']);
    expect(rig.service.arrivals).toEqual([]);
    expect(await rig.outbox.sendAgain(entryId)).toBe(true);
    await until(() => rig.service.arrivals.length === 2);
    expect(rig.service.arrivals).toEqual(['hello', 'behind it']);
  });

  it('is sent without a question while its service is the current one', async () => {
    await saveAsEarlierVersion('hello');
    await comeOnline();
    await until(() => rig.service.arrivals.length === 1);
  });
});
