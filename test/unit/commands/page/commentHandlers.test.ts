import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { PageServices } from '../../../../src/commands/context.ts';
import { composerHandlers } from '../../../../src/commands/page/composerHandlers.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { Disposable } from '../../../../src/shared/lifecycle.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { comment, entryOf, t } from '../../state/samples.ts';
import { keyOf, OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const key = keyOf('s1');
const { commentId } = comment;
const added = { type: 'addComment', ...key, commentId, key: 'm1', quote: 'a', offset: 3, revision: 1 } as const;

let rig: OutboxRig;
let drafts: Drafts;
let handlers: ReturnType<typeof composerHandlers>;
let revisions: number[];
let changes: Disposable;
let sources: unknown[];
let page: ConversationPage;

beforeEach(async () => {
  rig = await OutboxRig.open();
  const { store, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  const composer = { controller: { failures: { forget: () => false, forgetUnlessRejected: () => false } } };
  handlers = composerHandlers({ store, drafts, composer, t } as unknown as PageServices);
  revisions = [];
  sources = [];
  page = { key, acknowledgeComments: (revision: number) => revisions.push(revision) } as unknown as ConversationPage;
  changes = store.onDidChange((change) => change.type === 'draft' && sources.push(change.source));
});
afterEach(async () => {
  changes.dispose();
  await drafts.flush();
  drafts.dispose();
  await rig.close();
});

it('a comment is added, changed, and removed, each with its revision and the page as the source', () => {
  handlers.addComment(added, page);
  expect(drafts.get(key).comments).toEqual([{ commentId, messageId: 'm1', quote: 'a', offset: 3, text: '' }]);
  handlers.changeComment({ type: 'changeComment', ...key, commentId, text: 'Why?', revision: 2 }, page);
  expect(drafts.get(key).comments).toMatchObject([{ text: 'Why?' }]);
  handlers.removeComment({ type: 'removeComment', ...key, commentId, revision: 3 }, page);
  expect(drafts.get(key).comments).toEqual([]);
  expect(revisions).toEqual([1, 2, 3]);
  expect(sources).toEqual([page, page, page]);
});

it('a comment belongs to the session that the page showed, and to the message of the row', () => {
  const other = keyOf('s2');
  rig.store.addSession({ key: other, addedAt: 2 });
  rig.store.setOutbox(other, [entryOf({ key: other, entryId: 'e1', state: 'accepted', messageId: 'm7' })]);
  handlers.addComment({ ...added, ...other, key: 'e1' }, page);
  expect(drafts.get(key).comments).toEqual([]);
  expect(drafts.get(other).comments).toMatchObject([{ messageId: 'm7' }]);
});

it('a comment beyond the limit is refused in one sentence, and the page learns its revision', () => {
  for (let count = 0; count < 500; count++) drafts.addComment(key, { ...comment, commentId: String(count) });
  expect(() => {
    handlers.addComment({ ...added, revision: 9 }, page);
  }).toThrow('A draft can have up to 500 comments.');
  expect(drafts.get(key).comments).toHaveLength(500);
  expect(revisions).toEqual([9]);
});
