import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { translator } from '../../../../src/shared/translate.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { sentFacts } from '../../../../src/state/store/outboxEntry.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import type { StoredEntry } from '../../../../src/sync/outbox/outboxFiles.ts';
import { SentFiles } from '../../../../src/sync/outbox/sentFiles.ts';
import { temporaryFolder } from './outboxRig.ts';

const key = { origin: 'https://service.test', sessionId: 's1' };
const attachment = {
  attachmentId: 'a',
  kind: 'selection',
  name: 'cart.ts#L1',
  path: 'src/cart.ts',
  mediaType: 'text/plain',
  sizeBytes: 1_234,
  sha256: 'ab'.repeat(32),
  blobId: '0'.repeat(36),
  isUnsaved: false,
  sourceUri: 'file:///home/somebody/src/cart.ts',
} as const;

function entry(messageId: string | undefined, attachments: StoredEntry['attachments']): StoredEntry {
  const entryId = '1'.repeat(36);
  return { entryId, key, order: 1, text: '', attachments, createdAt: 1, state: 'accepted', messageId };
}

describe('the attachments of a sent message', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  const open = async (isTemporary = false) => {
    const records = new RecordStores(await openDisk(folder.path, silentLog));
    if (isTemporary) records.keepInMemory(key.origin);
    return new SentFiles(records, silentLog);
  };

  it('are available in the next window with name, size, and hash', async () => {
    const sent = await open();
    sent.note(entry('m1', [attachment]));
    sent.note(entry('m2', []));
    sent.note(entry(undefined, [attachment]));
    const { name, path, mediaType, sizeBytes, sha256 } = attachment;
    const file = { name, path, mediaType, sizeBytes, sha256 };
    expect(await sent.read(key, 'm1')).toEqual([file]);
    const later = await open();
    expect(await later.read(key, 'm1')).toEqual([file]);
    expect(await later.read(key, 'm2')).toEqual([]);
    expect(await later.read({ ...key, sessionId: 's2' }, 'm1')).toEqual([]);
  });

  it('are stored for the newest messages only, and not on disk for a temporary service', async () => {
    const sent = await open();
    for (let number = 0; number < 205; number++) sent.note(entry(`m${number}`, [attachment]));
    expect(await sent.read(key, 'm4')).toEqual([]);
    expect(await sent.read(key, 'm5')).toHaveLength(1);
    await folder.remove();
    folder = await temporaryFolder();
    const temporary = await open(true);
    temporary.note(entry('m1', [attachment]));
    expect(await temporary.read(key, 'm1')).toHaveLength(1);
    expect(await readdir(join(folder.path, 'sent')).catch(() => [])).toEqual([]);
  });

  it('are shown with their hashes', () => {
    const facts = sentFacts([attachment, { ...attachment, name: 'cart.ts' }], translator('en'));
    expect(facts.map(({ value }) => value)).toEqual([
      expect.stringContaining('cart.ts#L1 (src/cart.ts), text/plain, 1,234'),
      attachment.sha256,
      expect.stringContaining('src/cart.ts, text/plain, 1,234'),
      attachment.sha256,
    ]);
  });
});
