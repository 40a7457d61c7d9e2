import { afterEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import type { HostMessage } from '../../../../src/shared/protocol/pageMessages.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { OutboxRig, keyOf } from '../../sync/outbox/outboxRig.ts';

const uri = { scheme: 'file', toString: () => 'file:///notes.md' };
vi.mock('vscode', () => ({
  DiagnosticSeverity: {},
  Uri: { parse: () => uri },
  workspace: {
    textDocuments: [{ uri, getText: () => 'lines' }],
    fs: { isWritableFileSystem: () => true },
    getConfiguration: () => ({ get: () => undefined }),
  },
}));

let rig: OutboxRig;
afterEach(() => rig.close());

it('a message comes back to its page where what is attached cannot be looked at', async () => {
  const { ComposerController } = await import('../../../../src/commands/composer/composer.ts');
  const { Attachments } = await import('../../../../src/commands/attachments/attachments.ts');
  rig = await OutboxRig.open();
  const { store, outbox, blobs, disk, clock } = rig;
  const key = keyOf('s1');
  const t = (message: string) => message;
  const drafts = new Drafts({ store, blobs, records: new RecordStores(disk), clock, log: silentLog });
  const attachments = new Attachments(blobs, drafts, t);
  const composing = new ComposerController({ store, drafts, outbox, blobs, attachments, log: silentLog, t });
  const told: HostMessage[] = [];
  const page = { tell: (message: HostMessage) => void told.push(message) } as unknown as ConversationPage;
  const gone = { blobId: '00000000-0000-4000-8000-000000000000', sizeBytes: 5, sha256: '' };
  const attachment = { attachmentId: 'a', kind: 'selection', name: 'notes.md#L1', mediaType: 'text/plain' } as const;
  const attached = { ...attachment, ...gone, isUnsaved: false, sourceUri: uri.toString() };
  drafts.addAttachments(key, [attached]);

  await composing.send(key, { text: 'look' }, page);
  expect(told).toMatchObject([{ type: 'sendRefused', text: 'look' }]);
  expect(store.record(key)?.outbox).toEqual([]);
  expect(drafts.get(key)).toMatchObject({ text: 'look', attachments: [attached] });
  await expect(composing.send(key, { text: 'look' })).rejects.toThrow();
  await drafts.flush();
  drafts.dispose();
});
