import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  const page = { key, post: (message: HostMessage) => void told.push(message) } as unknown as ConversationPage;
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

describe('a full disk', () => {
  const refused = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const bytes = async function* () {
    yield await Promise.resolve(new TextEncoder().encode('bytes'));
  };
  const attachOne = async () => {
    const blob = await rig.blobs.put(bytes(), 100);
    const attachment = { attachmentId: 'a', kind: 'image', name: 'a.png', mediaType: 'image/png' } as const;
    drafts.addAttachments(key, [{ ...attachment, isUnsaved: false, ...blob }]);
  };
  const pageOf = (told: HostMessage[], shown = key) =>
    ({ key: shown, post: (message: HostMessage) => void told.push(message) }) as unknown as ConversationPage;

  it('returns the message to its page with the reason', async () => {
    const told: HostMessage[] = [];
    rig.disk.writeError = refused;
    await composer.send(key, { text: 'hello' }, pageOf(told));
    const reason =
      "The disk is full. Free up some space and try again. The message wasn't sent. It's still in your draft.";
    expect(told).toEqual([{ type: 'sendRefused', sessionId: 's1', text: 'hello', reason }]);
    await drafts.flush();
    expect(rig.store.record(key)?.draftFailure).toMatchObject({ kind: 'disk', code: 'ENOSPC' });
    rig.disk.writeError = undefined;
  });

  it('puts the message back into the draft if the page shows another session by then', async () => {
    const told: HostMessage[] = [];
    rig.disk.writeError = refused;
    const sending = composer.send(key, { text: 'hello' }, pageOf(told, keyOf('s2')));
    drafts.setText(key, { text: 'typed since', selectionStart: 0, selectionEnd: 0 });
    await sending;
    expect(told).toEqual([]);
    expect(drafts.get(key).text).toBe('hello\ntyped since');
    expect(composer.problem(key)).toContain('The disk is full.');
    rig.disk.writeError = undefined;
  });

  it('does not prevent attachments from being sent alone once there is space', async () => {
    await attachOne();
    rig.disk.writeError = refused;
    await composer.send(key, { text: '' }, pageOf([]));
    rig.disk.writeError = undefined;
    expect(drafts.get(key)).toMatchObject({ text: '', attachments: [{ name: 'a.png' }] });
    await composer.send(key, { text: '' }, pageOf([]));
    expect(rig.entries()).toMatchObject([{ text: '', attachments: [{ name: 'a.png' }] }]);
  });

  it('does not let a second press of Enter send the attachments of a message without its text', async () => {
    await attachOne();
    rig.disk.writeError = refused;
    const page = pageOf([]);
    const sends = [composer.send(key, { text: 'look' }, page), composer.send(key, { text: '' }, page)];
    await Promise.all(sends);
    rig.disk.writeError = undefined;
    // This press reached the host only after the message was returned.
    await composer.send(key, { text: '' }, page);
    expect(rig.entries()).toEqual([]);
    expect(drafts.get(key)).toMatchObject({ text: 'look', attachments: [{ name: 'a.png' }] });
    // The person empties the field and sends the attachment alone.
    drafts.setText(key, { text: '', selectionStart: 0, selectionEnd: 0 });
    await composer.send(key, { text: '' }, page);
    expect(rig.entries()).toMatchObject([{ text: '', attachments: [{ name: 'a.png' }] }]);
  });
});
