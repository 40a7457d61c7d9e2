import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ComposerController } from '../../../../src/commands/composer/composer.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
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

const t = (message: string) => message;
const key = keyOf('s1');

let rig: OutboxRig;
let drafts: Drafts;
let composer: ComposerController;
beforeEach(async () => {
  const { ComposerController } = await import('../../../../src/commands/composer/composer.ts');
  const { Attachments } = await import('../../../../src/commands/attachments/attachments.ts');
  rig = await OutboxRig.open();
  const { store, outbox, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  const attachments = new Attachments(blobs, drafts, t);
  composer = new ComposerController({ store, drafts, outbox, blobs, attachments, log: silentLog, t });
});
afterEach(async () => {
  await drafts.flush();
  drafts.dispose();
  await rig.close();
});

it("returns a message to the page if its attachments can't be checked", async () => {
  const told: HostMessage[] = [];
  const page = { post: (message: HostMessage) => void told.push(message) } as unknown as ConversationPage;
  const gone = { blobId: '00000000-0000-4000-8000-000000000000', sizeBytes: 5, sha256: '' };
  const attachment = { attachmentId: 'a', kind: 'selection', name: 'notes.md#L1', mediaType: 'text/plain' } as const;
  const attached = { ...attachment, ...gone, isUnsaved: false, sourceUri: uri.toString() };
  drafts.addAttachments(key, [attached]);

  await composer.send(key, { text: 'look' }, page);
  expect(told).toMatchObject([{ type: 'sendRefused', text: 'look' }]);
  expect(rig.store.record(key)?.outbox).toEqual([]);
  expect(drafts.get(key)).toMatchObject({ text: 'look', attachments: [attached] });
  await expect(composer.send(key, { text: 'look' })).rejects.toThrow();
});

it('keeps text that is typed while a message waits for an earlier one', async () => {
  const first = composer.send(key, { text: 'first' });
  const second = composer.send(key, { text: 'second' });
  drafts.setText(key, { text: 'typed later', selectionStart: 5, selectionEnd: 5 });
  await Promise.all([first, second]);
  expect(rig.store.record(key)?.outbox.map(({ text }) => text)).toEqual(['first', 'second']);
  expect(drafts.get(key)).toMatchObject({ text: 'typed later', selectionStart: 5 });
});

it('clears the draft after its message is sent', async () => {
  await Promise.all([composer.send(key, { text: 'first' }), composer.send(key, { text: 'second' })]);
  expect(drafts.get(key).text).toBe('');
});
