import { createHash } from 'node:crypto';
import { readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { type DraftComment, emptyDraft } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { DraftFiles } from '../../../../src/sync/drafts/draftFiles.ts';
import type { DraftVersion } from '../../../../src/sync/drafts/draftSlot.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { sessionRecordName } from '../../../../src/sync/storage/recordNames.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { removeAllRecords } from '../../../../src/sync/storage/removalMarks.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { damageFile, damages } from '../../../fakes/damage.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { until } from '../../../fakes/until.ts';
import { comment as sample } from '../../state/samples.ts';
import { CountingDisk, keyOf, temporaryFolder } from '../outbox/outboxRig.ts';

const key = keyOf('one');
const commentOf = (commentId: string, text = `text of ${commentId}`): DraftComment => ({ ...sample, commentId, text });

interface Window {
  readonly drafts: Drafts;
  readonly disk: CountingDisk;
  readonly store: Store;
}

describe('the comments of a draft', () => {
  const clock = new FakeClock();
  const windows: Window[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  async function open(): Promise<Window> {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog, clock));
    const blobs = new Blobs(folder.path, silentLog, clock);
    const store = new Store(memoryBodies());
    const drafts = new Drafts({ records: new RecordStores(disk), blobs, store, clock, log: silentLog });
    store.addSession({ key, addedAt: 1 });
    await drafts.load();
    const window = { drafts, disk, store };
    windows.push(window);
    return window;
  }
  const close = async () => {
    for (const { drafts } of windows) drafts.dispose();
    await Promise.all(windows.map(({ disk }) => disk.idle()));
    windows.length = 0;
  };
  const texts = ({ drafts, store }: Window) => {
    const { comments } = drafts.get(key);
    expect(store.record(key)?.draft.comments).toEqual(comments);
    return comments.map(({ text }) => text);
  };
  const have = (window: Window, ...expected: string[]) =>
    until(() => texts(window).join() === expected.join(), `the comments ${expected.join()}`);
  const names = async () => (await readdir(join(folder.path, 'comments')).catch(() => [])).toSorted();

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await close();
    await folder.remove();
  });

  it('that two windows add at the same time are all kept, in both and on disk', async () => {
    const [one, two] = [await open(), await open()];
    one.drafts.addComment(key, commentOf('c1'));
    two.drafts.addComment(key, commentOf('c2'));
    one.drafts.setText(key, { text: 'hello', selectionStart: 5, selectionEnd: 5 });
    await Promise.all([one.drafts.flush(), two.drafts.flush()]);
    for (const window of [one, two]) await have(window, 'text of c1', 'text of c2');
    await close();
    expect(texts(await open())).toEqual(['text of c1', 'text of c2']);
  });

  it('that one window removes stay removed while the other edits the draft', async () => {
    const [one, two] = [await open(), await open()];
    one.drafts.addComment(key, commentOf('c1'));
    one.drafts.addComment(key, commentOf('c2'));
    await have(two, 'text of c1', 'text of c2');
    two.drafts.setText(key, { text: 'hello', selectionStart: 5, selectionEnd: 5 });
    two.drafts.changeComment(key, 'c2', 'changed');
    one.drafts.changeComment(key, 'c1', undefined);
    await Promise.all([one.drafts.flush(), two.drafts.flush()]);
    for (const window of [one, two]) await have(window, 'changed');
    expect(await names()).toHaveLength(1);
  });

  it('that another window changes stay if they are removed before this window has read that', async () => {
    const [one, two] = [await open(), await open()];
    one.drafts.addComment(key, commentOf('c1'));
    await have(two, 'text of c1');
    // The other window can read the file before the first window has finished writing it.
    await one.drafts.flush();
    await Promise.all([one.disk.idle(), two.disk.idle()]);
    let release: () => void = () => undefined;
    const [name = ''] = await names();
    one.disk.held = { entryId: name, until: new Promise((resolve) => (release = resolve)), isRead: false };
    two.drafts.changeComment(key, 'c1', 'changed');
    await two.drafts.flush();
    await until(() => one.disk.held?.isRead === true, 'a read');
    one.disk.held = undefined;
    one.drafts.changeComment(key, 'c1', undefined);
    expect(texts(one)).toEqual([]);
    await one.drafts.flush();
    release();
    for (const window of [one, two]) await have(window, 'changed');
  });

  it('that another window changed stay if the window that removes them ends before it has read that', async () => {
    const one = await open();
    one.drafts.addComment(key, commentOf('c1'));
    await one.drafts.flush();
    one.drafts.changeComment(key, 'c1', 'changed');
    await one.drafts.flush();
    const [name = ''] = await names();
    await close();
    const hash = createHash('sha256').update('text of c1').digest('hex').slice(0, 32);
    await rename(join(folder.path, 'comments', name), join(folder.path, 'comments', `${name}.retiring-${hash}`));
    expect(texts(await open())).toEqual(['changed']);
    expect(await names()).toEqual([name]);
  });

  it('do not change the draft in memory when they are read again', async () => {
    const one = await open();
    for (const commentId of ['c1', 'c2']) one.drafts.addComment(key, commentOf(commentId));
    await one.drafts.flush();
    const { comments } = one.drafts.get(key);
    const changes: unknown[] = [];
    one.store.onDidChange((change) => changes.push(change));
    clock.advance(60_000);
    await one.disk.idle();
    expect(one.drafts.get(key).comments).toBe(comments);
    expect(changes).toEqual([]);
  });

  it('are announced once when several are read', async () => {
    const one = await open();
    for (const commentId of ['c1', 'c2', 'c3']) one.drafts.addComment(key, commentOf(commentId));
    await one.drafts.flush();
    await close();
    const setDraft = vi.spyOn(Store.prototype, 'setDraft');
    await open();
    const counts = setDraft.mock.calls.map(([, { comments }]) => comments.length);
    setDraft.mockRestore();
    expect(new Set(counts)).toEqual(new Set([3]));
  });

  it('are saved although the disk was full, and the failure is shown until then', async () => {
    const one = await open();
    one.disk.writeError = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    one.drafts.addComment(key, commentOf('c1'));
    await one.drafts.flush();
    expect(one.store.record(key)?.draftFailure).toMatchObject({ kind: 'disk', code: 'ENOSPC' });
    await expect(one.drafts.saved(key)).rejects.toThrow('no space left');
    one.disk.writeError = undefined;
    clock.advance(5_000);
    await until(() => one.store.record(key)?.draftFailure === undefined, 'the comment to be saved');
    expect(await names()).toHaveLength(1);
  });

  it.each(damages)('are written again by a window that has them (%s)', async (damage) => {
    const one = await open();
    one.drafts.addComment(key, commentOf('c1'));
    await one.drafts.flush();
    const [name = ''] = await names();
    const path = join(folder.path, 'comments', name);
    const before = await readFile(path, 'utf8');
    await damageFile(path, damage);
    clock.advance(60_000);
    await until(async () => (await readFile(path, 'utf8').catch(() => '')) === before, 'the file to be written again');
    expect(texts(one)).toEqual(['text of c1']);
  });

  it('are rescued from a damaged file as far as it can be read', async () => {
    const one = await open();
    one.drafts.addComment(key, commentOf('c1', 'What I wrote'));
    await one.drafts.flush();
    await close();
    const [name = ''] = await names();
    const path = join(folder.path, 'comments', name);
    const content = await readFile(path, 'utf8');
    await writeFile(path, content.slice(0, content.indexOf('"quote"') + 10));
    const two = await open();
    expect(two.drafts.get(key).comments).toMatchObject([{ commentId: 'c1', text: 'What I wrote' }]);
    await two.drafts.flush();
    expect(await names()).toContain(name);
  });

  it('of an earlier version are taken from the draft, except those that were removed since', async () => {
    const one = await open();
    one.drafts.addComment(key, commentOf('c1'));
    one.drafts.addComment(key, commentOf('c2'));
    await one.drafts.flush();
    one.drafts.changeComment(key, 'c1', undefined);
    one.drafts.setText(key, { text: 'hello', selectionStart: 5, selectionEnd: 5 });
    await one.drafts.flush();
    await close();
    const path = join(folder.path, sessionRecordName('drafts', key));
    const comments = ['c1', 'c2', 'c3'].map((commentId) => commentOf(commentId, 'old'));
    const record = { key, text: 'hello', selectionStart: 5, selectionEnd: 5, attachments: [], comments };
    await writeFile(path, withChecksum({ version: 1, record }));
    const two = await open();
    expect(texts(two)).toEqual(['text of c2', 'old']);
    await until(async () => !(await readFile(path, 'utf8')).includes('"comments"'), 'the draft to be saved');
    expect(two.drafts.get(key).text).toBe('hello');
  });

  it('are gone in every window after the user deleted all data', async () => {
    const [one, two] = [await open(), await open()];
    one.drafts.addComment(key, commentOf('c1'));
    await one.drafts.flush();
    await have(two, 'text of c1');
    await removeAllRecords(folder.path);
    await until(() => {
      clock.advance(10_000);
      return texts(two).length === 0 && texts(one).length === 0;
    }, 'the comments to be gone');
    await Promise.all([one.drafts.flush(), two.drafts.flush()]);
    expect(await names()).toEqual([]);
  });
});

describe('what a message took from a draft whose window ended', () => {
  const clock = new FakeClock();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let records: RecordStores;
  let drafts: Drafts;
  let version: DraftVersion;
  const a = { attachmentId: 'a', kind: 'file', name: 'a', mediaType: 'text/plain', isUnsaved: false } as const;
  const attachment = { ...a, sizeBytes: 1, sha256: '', blobId: '00000000-0000-4000-8000-000000000000' };

  const open = async () => {
    const blobs = new Blobs(folder.path, silentLog, clock);
    drafts = new Drafts({ records, blobs, store: new Store(memoryBodies()), clock, log: silentLog });
    await drafts.load();
  };
  const close = async () => {
    await drafts.flush();
    drafts.dispose();
    await drafts.flush();
  };
  const reopen = async () => {
    await close();
    await open();
  };
  const type = (text: string) => drafts.setText(key, { text, selectionStart: 0, selectionEnd: 0 });

  beforeEach(async () => {
    folder = await temporaryFolder();
    records = new RecordStores(await openDisk(folder.path, silentLog, clock));
    await open();
    drafts.set(key, { ...emptyDraft, text: 'hello', attachments: [attachment] });
    for (const commentId of ['c1', 'c2']) drafts.addComment(key, commentOf(commentId));
    await drafts.flush();
    clock.advance(10);
    version = drafts.takeText(key, 'hello');
    await reopen();
  });
  afterEach(async () => {
    await close();
    await folder.remove();
  });
  const sent = () => ({ ...version, comments: [{ commentId: 'c1', text: 'text of c1' }] });

  it('leaves the draft: text, attachments, and comments', async () => {
    drafts.dropSent(key, sent(), [attachment]);
    expect(drafts.get(key)).toMatchObject({ text: '', attachments: [], comments: [commentOf('c2')] });
    await drafts.saved(key);
    expect(await readdir(join(folder.path, 'drafts'))).toEqual([]);
    expect(await readdir(join(folder.path, 'comments'))).toHaveLength(1);
  });

  it('keeps comments and attachments that were changed or added since', () => {
    drafts.changeComment(key, 'c1', 'changed');
    drafts.dropSent(key, sent(), []);
    expect(drafts.get(key)).toMatchObject({ text: '', attachments: [attachment] });
    expect(drafts.get(key).comments.map(({ text }) => text)).toEqual(['changed', 'text of c2']);
  });

  it('keeps text that was typed since', async () => {
    clock.advance(1);
    type('hello again');
    drafts.dropSent(key, { ...sent(), editedAt: Infinity }, []);
    expect(drafts.get(key).text).toBe('hello again');
    await drafts.flush();
    drafts.dropSent(key, sent(), []);
    expect(drafts.get(key).text).toBe('hello again');
  });

  it.each(['in the same window', 'in another window'])(
    'keeps a later draft after the clock was set back, %s',
    async (where) => {
      drafts.set(key, emptyDraft);
      if (where === 'in another window') await reopen();
      clock.set(-86_400_000);
      type('next');
      await reopen();
      drafts.dropSent(key, sent(), [attachment]);
      expect(drafts.get(key).text).toBe('next');
    },
  );

  it('is compared by its time if an earlier version wrote draft and message', async () => {
    const writeOld = async () => {
      await close();
      const draft = { ...emptyDraft, text: 'old' };
      await new DraftFiles(records).write(key, draft, { editedAt: clock.now() });
      await open();
    };
    await writeOld();
    drafts.dropSent(key, sent(), []);
    drafts.dropSent(key, { editedAt: clock.now() - 1, comments: [] }, []);
    expect(drafts.get(key).text).toBe('old');
    drafts.dropSent(key, { editedAt: clock.now(), comments: [] }, []);
    expect(drafts.get(key).text).toBe('');
  });

  it('has the version of the draft from which it was taken', () => {
    expect(version).toEqual({ draftId: expect.any(String) as string, editedAt: expect.any(Number) as number });
    clock.advance(10);
    expect(drafts.takeText(key, 'hello')).toEqual({ draftId: version.draftId, editedAt: clock.now() });
    expect(drafts.takeText(keyOf('two'), '')).toEqual({ draftId: undefined, editedAt: 0 });
  });
});
