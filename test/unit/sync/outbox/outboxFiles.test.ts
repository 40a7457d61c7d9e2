import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import type { Failure } from '../../../../src/state/store/failure.ts';
import { OutboxFiles, type StoredEntry } from '../../../../src/sync/outbox/outboxFiles.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { newWindowIdentity } from '../../../../src/sync/storage/windowIdentity.ts';
import { OutboxRig, keyOf } from './outboxRig.ts';

const entryId = '00000000-0000-4000-8000-000000000001';

const failureKinds: readonly Failure['kind'][] = [
  'unreachable',
  'proxy',
  'certificate',
  'deadline',
  'cancelled',
  'redirect',
  'status',
  'notJson',
  'wrongShape',
  'tooLarge',
  'invalidRequest',
  'disk',
  'unexpected',
];

describe('the file of a sent message', () => {
  let rig: OutboxRig;
  let files: OutboxFiles;
  const window = newWindowIdentity();
  const sent: StoredEntry = {
    entryId,
    key: keyOf('elsewhere'),
    order: 1,
    text: 'hello',
    attachments: [],
    createdAt: 1,
    state: 'accepted',
    messageId: 'm1',
    window,
  };
  beforeEach(async () => {
    rig = await OutboxRig.open();
    const records = new RecordStores(rig.disk);
    files = new OutboxFiles({ drafts: undefined, records, blobs: rig.blobs, clock: rig.clock, log: silentLog, window });
  });
  afterEach(() => rig.close());
  const names = () => readdir(join(rig.folder, 'outbox'));

  it('is removed at once if the message was typed in this window', async () => {
    await files.save(sent);
    expect([await names(), files.isFinished(entryId)]).toEqual([[`${entryId}.json`], false]);
    await files.finish(sent);
    expect([await names(), files.isFinished(entryId)]).toEqual([[], true]);
  });

  it('is kept for 15 s for another window in which the message was typed', async () => {
    const foreign = { ...sent, window: newWindowIdentity() };
    await files.save(foreign);
    await files.finish(foreign);
    rig.clock.advance(14_999);
    await files.removeLeftover(entryId, foreign);
    expect(await names()).toEqual([`${entryId}.json`]);
    rig.clock.advance(1);
    await files.removeLeftover(entryId, foreign);
    expect(await names()).toEqual([]);
  });

  it('gets its final state again if a window has overwritten it', async () => {
    const foreign = { ...sent, window: newWindowIdentity() };
    await files.finish(foreign);
    const older: StoredEntry = { ...foreign, state: 'sending', messageId: undefined };
    await files.save(older);
    await files.removeLeftover(entryId, older);
    expect(await files.read(entryId)).toMatchObject({ kind: 'entry', stored: { state: 'accepted', messageId: 'm1' } });
  });

  describe('that took something from its draft', () => {
    const taken: StoredEntry = {
      ...sent,
      draft: { draftId: 'd', editedAt: 7, comments: [{ commentId: 'c1', text: 'Why?' }] },
    };
    const dropSent = vi.fn();
    const saved = vi.fn(() => Promise.resolve());
    beforeEach(() => {
      dropSent.mockReset();
      saved.mockReset();
      const records = new RecordStores(rig.disk);
      const drafts = { dropSent, saved };
      files = new OutboxFiles({ drafts, records, blobs: rig.blobs, clock: rig.clock, log: silentLog, window });
    });

    it('stays until the draft is saved without that', async () => {
      await files.save(taken);
      saved.mockRejectedValueOnce(new Error('no space left'));
      await files.finish(taken);
      expect(await names()).toEqual([`${entryId}.json`]);
      expect(dropSent.mock.calls).toEqual([[taken.key, taken.draft, []]]);
      await files.removeLeftover(entryId, taken);
      expect(await names()).toEqual([]);
    });

    it('takes it when it is read, unless its window may still do that', () => {
      files.dropFromDraft({ ...taken, window: newWindowIdentity() });
      files.dropFromDraft(sent);
      expect(dropSent).not.toHaveBeenCalled();
      files.dropFromDraft({ ...taken, window: { ...newWindowIdentity(), processStartedAt: 1 } });
      expect(dropSent.mock.calls).toEqual([[taken.key, taken.draft, []]]);
    });
  });

  it('is left alone if the message is not finished, or if the file is gone', async () => {
    await files.save(sent);
    await files.removeLeftover(entryId, sent);
    expect(await names()).toEqual([`${entryId}.json`]);
    await files.finish(sent);
    await files.removeLeftover(entryId, undefined);
    expect(await files.read(entryId)).toEqual({ kind: 'removed' });
  });

  it.each(failureKinds)('is read with every kind of failure: %s', async (kind) => {
    const stored: StoredEntry = { ...sent, state: 'notSent', messageId: undefined, problem: { kind, at: 7 } };
    await files.save(stored);
    expect(await files.read(entryId)).toMatchObject({ kind: 'entry', stored: { problem: { kind, at: 7 } } });
  });

  it.each(['queued', 'sending', 'accepted', 'unknown', 'notSent'] as const)(
    'is read in every state: %s',
    async (state) => {
      await files.save({ ...sent, state });
      expect(await files.read(entryId)).toMatchObject({ kind: 'entry', stored: { state } });
    },
  );
});
