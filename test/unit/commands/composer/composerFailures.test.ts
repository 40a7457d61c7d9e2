import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
import type { PageMessage } from '../../../../src/shared/protocol/pageMessages.ts';
import type { ComposerController } from '../../../../src/commands/composer/composerController.ts';
import type { PageServices } from '../../../../src/commands/context.ts';
import { PageRequests } from '../../../../src/commands/page/pageRequests.ts';
import type { SessionReader } from '../../../../src/sync/sessionReader.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { OutboxRig, keyOf } from '../../sync/outbox/outboxRig.ts';
import { noTerminals } from '../../../fakes/terminals.ts';
import { t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const key = keyOf('s1');
const notSent = "The message wasn't sent. It's still in your draft.";

let rig: OutboxRig;
let drafts: Drafts;
let controller: ComposerController;
let requests: PageRequests;
let told: HostMessage[];
const page = {
  key,
  post: (message: HostMessage) => void told.push(message),
  refreshComposer: vi.fn(),
  acknowledgeDraft: vi.fn(),
} as unknown as ConversationPage;

beforeEach(async () => {
  const { ComposerController } = await import('../../../../src/commands/composer/composerController.ts');
  const { Attachments } = await import('../../../../src/commands/attachments/attachments.ts');
  rig = await OutboxRig.open();
  told = [];
  const { store, outbox, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  const attachments = new Attachments(blobs, drafts, noTerminals, t);
  const sessions = {} as unknown as SessionReader;
  controller = new ComposerController({ store, sessions, drafts, outbox, blobs, attachments, log: silentLog, t });
  const services = { store, drafts, t, log: silentLog, composer: { controller } };
  requests = new PageRequests(services as unknown as PageServices);
});
afterEach(async () => {
  await drafts.flush();
  drafts.dispose();
  await rig.close();
});

const handle = (message: PageMessage) => requests.handle(message, page);
/** Pastes a file that the host rejects immediately, by default because it is too large. */
const paste = (name: string, sizeBytes = 10_000_001) =>
  handle({
    type: 'attachBytes',
    ...key,
    attachmentId: `id of ${name}`,
    name,
    bytes: new ArrayBuffer(sizeBytes),
  });
const send = (text: string, seenRejectionId?: number) =>
  handle({ type: 'send', ...key, text, revision: 1, addedId: undefined, seenRejectionId });
const sentTexts = () => rig.entries().map(({ text }) => text);

it('does not send a message if the page has not shown yet that an attachment was rejected', async () => {
  await paste('big.png');
  const { text = '' } = controller.failures.of(key) ?? {};
  expect(text).toContain('big.png');
  await send('look');
  expect(told).toEqual([{ type: 'sendRejected', ...key, text: 'look', reason: `${text} ${notSent}` }]);
  expect(sentTexts()).toEqual([]);
  expect(drafts.get(key).text).toBe('look');
  // The page has shown the reason.
  await send('look');
  expect(sentTexts()).toEqual(['look']);
});

it('does not send a message that follows while an attachment is being rejected', async () => {
  await Promise.all([paste('big.png'), send('look')]);
  expect(told).toMatchObject([{ type: 'sendRejected', text: 'look' }]);
  await send('look');
  expect(sentTexts()).toEqual(['look']);
});

it('sends a message whose page has shown that the attachment was rejected', async () => {
  await paste('big.png');
  await send('look', controller.failures.of(key)?.rejectionId);
  expect(sentTexts()).toEqual(['look']);
  expect(controller.failures.of(key)).toBeUndefined();
});

it('counts dropped files that can no longer be attached', async () => {
  await handle({ type: 'attachUris', ...key, uris: ['command:x'] });
  await send('look');
  expect(told).toMatchObject([{ type: 'sendRejected', text: 'look' }]);
});

it('shows why each of several attachments was rejected, until the user goes on typing', async () => {
  await paste('one.png');
  await paste('two.png');
  await paste('two.png');
  await paste('small.png', 1);
  const { text = '', rejectionId = 0 } = controller.failures.of(key) ?? {};
  expect(text.match(/(one|two)\.png/g)).toEqual(['one.png', 'two.png']);
  await handle({ type: 'draft', ...key, text: 'loo', selectionStart: 3, selectionEnd: 3, revision: 1 });
  expect(controller.failures.of(key)).toBeUndefined();
  // The page had shown only the first one.
  await send('look', rejectionId - 2);
  expect(told).toMatchObject([{ type: 'sendRejected', reason: expect.stringMatching(/^[^.]*two\.png/) as string }]);
  expect(sentTexts()).toEqual([]);
});
