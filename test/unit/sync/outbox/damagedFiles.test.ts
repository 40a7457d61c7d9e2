import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { type Damage, damageFile, damages, replaceFile } from '../../../fakes/damage.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import { OutboxRig } from './outboxRig.ts';

describe('a damaged outbox file (R44)', () => {
  let rig: OutboxRig;
  beforeEach(async () => {
    rig = await OutboxRig.open();
    rig.isOnline = false;
  });
  afterEach(() => rig.close());

  const folder = () => join(rig.folder, 'outbox');
  const fileOf = (entryId: string) => join(folder(), `${entryId}.json`);
  const texts = (window = rig) => window.entries().map(({ text }) => text);
  const isIntact = async (entryId: string) => {
    const file = await readRecordFile(fileOf(entryId)).catch(() => undefined);
    return file?.record['entryId'] === entryId;
  };
  const quarantined = async () => (await readdir(folder())).filter((name) => name.includes('.unreadable-'));
  /** Waits until the folder has been read again. */
  const reread = async () => {
    rig.clock.advance(10_000);
    await rig.idle();
  };
  const sendAll = async () => {
    rig.service.onPost = (post) => post.answer();
    rig.isOnline = true;
    rig.outbox.wake();
    await until(() => rig.states().every((state) => state === 'accepted'), 'all messages to be sent');
  };

  it.each(damages)('does not change the messages of a running window, and is written again (%s)', async (damage) => {
    const { entryId } = await rig.enqueue('first, with "quotes"\nand lines');
    await rig.enqueue('second');
    await damageFile(fileOf(entryId), damage);
    await reread();
    expect(texts()).toEqual(['first, with "quotes"\nand lines', 'second']);
    await until(() => isIntact(entryId), 'the file to be written again');
    expect(await quarantined()).toHaveLength(damage === 'removed' ? 0 : 1);
    await sendAll();
    expect(rig.service.arrivals).toEqual(['first, with "quotes"\nand lines', 'second']);
  });

  it('is written again even if the session was removed from the list', async () => {
    const { entryId } = await rig.enqueue('hello');
    const key = rig.entries()[0]!.key;
    rig.store.removeSession(key);
    await rm(fileOf(entryId));
    await reread();
    await until(() => isIntact(entryId), 'the file to be written again');
  });

  it('of a message that another window wrote last becomes "unknown", because it may have been sent', async () => {
    const { entryId } = await rig.enqueue('hello');
    const other = await rig.secondWindow();
    other.isOnline = false;
    rig.outbox.dispose();
    await rm(fileOf(entryId));
    other.clock.advance(10_000);
    await until(() => isIntact(entryId), 'the file to be written again');
    expect(other.entries()).toMatchObject([{ text: 'hello', state: 'unknown', failure: { kind: 'disk' } }]);
    await other.close();
  });

  it('is not written again if another window discarded the message', async () => {
    const { entryId } = await rig.enqueue('hello');
    const other = await rig.secondWindow();
    other.isOnline = false;
    expect(await other.outbox.discard(entryId)).toBe(true);
    await reread();
    await until(() => texts().length === 0);
    await reread();
    expect(await readdir(folder())).toEqual([]);
    await other.close();
  });

  it('is not written again if the message was discarded although its file was already lost', async () => {
    const other = await rig.secondWindow();
    other.isOnline = false;
    const { entryId } = await rig.enqueue('hello');
    await until(() => texts(other).length === 1);
    // Without the pause, the other window could handle the loss before the message is discarded.
    let readOn: () => void = () => undefined;
    const held = { entryId, until: new Promise<void>((resolve) => (readOn = resolve)), isRead: false };
    other.disk.held = held;
    await rm(fileOf(entryId));
    await until(() => held.isRead, 'the other window to notice the loss');
    expect(await rig.outbox.discard(entryId)).toBe(true);
    readOn();
    await reread();
    await until(() => texts(other).length === 0);
    expect(await readdir(folder())).toEqual([]);
    await other.close();
  });

  it('of an accepted message is written again even if another window rescued part of it', async () => {
    rig.isOnline = true;
    rig.service.onPost = (post) => post.answer();
    const { entryId } = await rig.enqueue('hello');
    await until(() => rig.states()[0] === 'accepted');
    await rig.idle();
    const { version, record } = await readRecordFile(fileOf(entryId));
    const rescued = { ...record, state: 'unknown', messageId: undefined, isRescued: true };
    await replaceFile(fileOf(entryId), withChecksum({ version, record: rescued }));
    await reread();
    const saved = async () => (await readRecordFile(fileOf(entryId))).record;
    await until(async () => (await saved())['state'] === 'accepted', 'the entry to be written again');
  });

  it('of a newer version is left untouched, and its message is not sent by this version', async () => {
    const { entryId } = await rig.enqueue('first');
    await rig.enqueue('second');
    const newer = withChecksum({ version: 3, record: { entryId, text: 'newer' } });
    await replaceFile(fileOf(entryId), newer);
    await reread();
    rig.service.onPost = (post) => post.answer();
    rig.isOnline = true;
    rig.outbox.wake();
    await until(() => rig.states()[0] === 'notSent');
    expect(rig.entries()[0]?.failure).toMatchObject({ kind: 'disk', code: 'ENEWER' });
    expect(rig.service.arrivals).toEqual([]);
    await expect(rig.outbox.discard(entryId)).rejects.toThrow('newer version');
    expect(texts()).toEqual(['first', 'second']);
    expect(await readFile(fileOf(entryId), 'utf8')).toBe(newer);
  });

  describe('at start', () => {
    const restartWith = async (damage: Damage) => {
      const { entryId } = await rig.enqueue('first, "quoted" \\ and a long enough text to be cut off somewhere in it');
      await rig.enqueue('second');
      rig.outbox.dispose();
      await rig.idle();
      await damageFile(fileOf(entryId), damage);
      if (damage === 'truncated') {
        const content = await readFile(fileOf(entryId), 'utf8');
        await writeFile(fileOf(entryId), content.slice(0, content.indexOf('somewhere')));
      }
      await rig.restart();
      return entryId;
    };

    it.each([
      ['truncated', 'first, "quoted" \\ and a long enough text to be cut off '],
      ['flipped', '~first, "quoted" \\ and a long enough text to be cut off somewhere in it'],
    ] as const)('is shown with its text, and holds later messages back (%s)', async (damage, text) => {
      const entryId = await restartWith(damage);
      expect(texts()).toEqual([text, 'second']);
      expect(rig.entries()[0]).toMatchObject({ state: 'unknown', failure: { kind: 'disk', code: 'EDAMAGED' } });
      expect(await quarantined()).toHaveLength(1);
      await until(() => isIntact(entryId), 'the rescued text to be saved');
      rig.service.onPost = (post) => post.answer();
      rig.isOnline = true;
      rig.outbox.wake();
      await reread();
      expect(rig.service.arrivals).toEqual([]);
      expect(await rig.outbox.sendAgain(entryId)).toBe(true);
      await sendAll();
      expect(rig.service.arrivals).toEqual([text, 'second']);
    });

    it('is reported if its text is lost', async () => {
      const { entryId } = await rig.enqueue('first');
      // The window would write the file again if it noticed the damage.
      rig.outbox.dispose();
      await rig.idle();
      await damageFile(fileOf(entryId), 'emptied');
      const other = await rig.secondWindow();
      await until(async () => (await quarantined()).length === 1);
      expect(texts(other)).toEqual([]);
      await other.close();
    });

    it('is replaced by the complete message of a window that kept running', async () => {
      const { entryId } = await rig.enqueue('a text that is whole in the first window');
      const content = await readFile(fileOf(entryId), 'utf8');
      rig.isSuspended = true;
      await writeFile(fileOf(entryId), content.slice(0, content.indexOf('whole')));
      const other = await rig.secondWindow();
      other.isOnline = false;
      rig.resume();
      await reread();
      for (const window of [rig, other]) {
        await until(() => texts(window).join() === 'a text that is whole in the first window', 'the whole text');
        expect(window.entries()[0]?.state).toBe('queued');
      }
      await other.close();
    });
  });
});
