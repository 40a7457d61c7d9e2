import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src/shared/log.ts';
import { outputsId } from '../../../../src/state/store/outboxEntry.ts';
import { emptyDraft, lastAddedId } from '../../../../src/state/store/sessionRecord.ts';
import { Store, type StoreChange } from '../../../../src/state/store/store.ts';
import { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { comment } from '../../state/samples.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { until } from '../../../fakes/until.ts';
import { CountingDisk, keyOf, temporaryFolder } from '../outbox/outboxRig.ts';

const one = keyOf('one');
const two = keyOf('two');
const typed = (text: string) => ({ text, selectionStart: text.length, selectionEnd: text.length });

describe('drafts', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let clock: FakeClock;
  let disk: CountingDisk;
  let blobs: Blobs;
  let store: Store;
  let drafts: Drafts;
  const opened: { readonly drafts: Drafts; readonly disk: CountingDisk }[] = [];

  const open = async () => {
    disk = new CountingDisk(await openDisk(folder.path, silentLog, clock));
    blobs = new Blobs(folder.path, silentLog, clock);
    store = new Store(memoryBodies());
    drafts = new Drafts({ records: new RecordStores(disk), blobs, store, clock, log: silentLog });
    opened.push({ drafts, disk });
    for (const key of [one, two]) store.addSession({ key, addedAt: 1 });
    await drafts.load();
  };
  /** Opens another window on the same files. The caller disposes it. */
  const openOther = async () => {
    const records = new RecordStores(disk);
    const other = new Drafts({ records, blobs, store: new Store(memoryBodies()), clock, log: silentLog });
    await other.load();
    return other;
  };
  const files = async (subfolder: string) => readdir(join(folder.path, subfolder)).catch(() => []);
  const textIn = (key: typeof one) => store.record(key)?.draft.text;
  const attachment = async (name: string) => {
    const bytes = async function* () {
      yield await Promise.resolve(new TextEncoder().encode(name));
    };
    const blob = await blobs.put(bytes(), 100);
    return { attachmentId: name, kind: 'file', name, mediaType: 'text/plain', isUnsaved: false, ...blob } as const;
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new FakeClock();
    await open();
  });
  afterEach(async () => {
    drafts.dispose();
    for (const window of opened) window.drafts.dispose();
    await Promise.all(opened.map(({ disk }) => disk.idle()));
    opened.length = 0;
    await folder.remove();
  });

  it('are in the store immediately, with the source of the edit', () => {
    const changes: StoreChange[] = [];
    store.onDidChange((change) => changes.push(change));
    drafts.setText(one, typed('hello'), 'page 1');
    expect(changes).toEqual([{ type: 'draft', key: one, source: 'page 1' }]);
    expect(store.record(one)?.draft).toMatchObject({ text: 'hello', selectionStart: 5 });
    expect(textIn(two)).toBe('');
  });

  it('are on disk within 300 ms after typing pauses, and survive a crash', async () => {
    drafts.setText(one, typed('h'));
    clock.advance(150);
    drafts.setText(one, typed('hello'));
    drafts.setText(two, typed('other'));
    clock.advance(190);
    expect(await files('drafts')).toEqual([]);
    clock.advance(110);
    await disk.idle();
    await open();
    expect([textIn(one), textIn(two)]).toEqual(['hello', 'other']);
  });

  it('are on disk after two seconds of continuous typing', async () => {
    for (let key = 0; key < 25; key++) {
      drafts.setText(one, typed('x'.repeat(key + 1)));
      clock.advance(100);
    }
    await until(async () => (await files('drafts')).length === 1);
  });

  it('are written exactly 200 ms after the last change, and at most two seconds after the first', () => {
    const writes: number[] = [];
    const startMs = clock.now();
    const { write } = disk;
    disk.write = (...given) => {
      writes.push(clock.now() - startMs);
      return write(...given);
    };
    drafts.setText(one, typed('x'));
    clock.advance(199);
    expect(writes).toEqual([]);
    clock.advance(1);
    expect(writes).toEqual([200]);
    for (let key = 0; key <= 20; key++) {
      drafts.setText(one, typed('x'.repeat(key + 2)));
      clock.advance(100);
    }
    expect(writes).toEqual([200, 2_200]);
  });

  it('are saved immediately by flush', async () => {
    drafts.setText(one, typed('hello'));
    await drafts.flush();
    await open();
    expect(textIn(one)).toBe('hello');
  });

  it('are saved immediately by dispose, which leaves no timer', async () => {
    drafts.setText(one, typed('hello'));
    drafts.dispose();
    expect(clock.pendingTimers).toBe(0);
    drafts.setText(one, typed('too late'));
    await disk.idle();
    await open();
    expect(textIn(one)).toBe('hello');
  });

  it('keep the computer selected for the next message, even without text, until it is cleared', async () => {
    drafts.set(one, { ...drafts.get(one), computerId: 'build-7' });
    await drafts.flush();
    await open();
    expect(store.record(one)?.draft).toMatchObject({ text: '', computerId: 'build-7' });
    drafts.setText(one, typed('hello'));
    expect(drafts.get(one).computerId).toBe('build-7');
    drafts.set(one, { ...drafts.get(one), text: '', computerId: undefined });
    await drafts.flush();
    expect(await files('drafts')).toEqual([]);
  });

  it('leave no file when they are empty', async () => {
    drafts.setText(one, typed('hello'));
    await drafts.flush();
    drafts.setText(one, typed(''));
    await drafts.flush();
    expect(await files('drafts')).toEqual([]);
  });

  it('keep attachments while typing and after a restart, and delete their bytes when they are removed', async () => {
    const [a, b] = [await attachment('a'), await attachment('b')];
    drafts.addAttachments(one, [a]);
    drafts.addAttachments(one, [b]);
    drafts.setText(one, typed('see'));
    await drafts.flush();
    await open();
    expect(store.record(one)?.draft).toMatchObject({ text: 'see', attachments: [{ name: 'a' }, { name: 'b' }] });
    expect(store.record(two)?.draft.attachments).toEqual([]);
    clock.jump(86_400_000 + Math.max(0, Date.now() - clock.now()));
    await blobs.sweep();
    expect(await blobs.isIntact(a)).toBe(true);
    drafts.removeAttachment(one, 'a');
    await until(async () => (await files('blobs')).length === 1);
    expect(await blobs.isIntact(b)).toBe(true);
    drafts.set(one, emptyDraft);
    await until(async () => (await files('blobs')).length === 0);
  });

  describe('with comments', () => {
    const [first, second] = [1, 2].map((count) => ({ ...comment, commentId: `c${count}` }));
    const commentsIn = (key: typeof one) => store.record(key)?.draft.comments;

    it('keep them in order, change and remove single ones, and pass on the source of the change', () => {
      const changes: StoreChange[] = [];
      store.onDidChange((change) => changes.push(change));
      expect(drafts.addComment(one, first!, 'page 1')).toBe(true);
      expect(drafts.addComment(one, second!, 'page 1')).toBe(true);
      drafts.changeComment(one, 'c1', 'Why?', 'page 1');
      expect(commentsIn(one)).toEqual([{ ...first, text: 'Why?' }, second]);
      drafts.changeComment(one, 'c1', undefined, 'page 1');
      expect(commentsIn(one)).toEqual([second]);
      expect(changes).toEqual(Array.from({ length: 4 }, () => ({ type: 'draft', key: one, source: 'page 1' })));
    });

    it('do not change for a known comment that is added, or an unknown or equal one that is changed', () => {
      drafts.addComment(one, first!);
      const changes: StoreChange[] = [];
      store.onDidChange((change) => changes.push(change));
      expect(drafts.addComment(one, { ...first!, text: 'other' })).toBe(true);
      drafts.changeComment(one, 'c1', '');
      drafts.changeComment(one, 'c9', 'text');
      drafts.changeComment(one, 'c9', undefined);
      expect(changes).toEqual([]);
      expect(commentsIn(one)).toEqual([first]);
    });

    it('hold up to 500 of them', () => {
      for (let count = 0; count < 500; count++) {
        expect(drafts.addComment(one, { ...comment, commentId: String(count) })).toBe(true);
      }
      expect(drafts.addComment(one, first!)).toBe(false);
      expect(commentsIn(one)).toHaveLength(500);
      expect(drafts.addComment(one, { ...comment, commentId: '7' })).toBe(true);
    });

    it('are on disk without text, survive a crash, and keep the comments while text is typed', async () => {
      drafts.addComment(one, { ...first!, text: 'Why?' });
      clock.advance(200);
      await until(() => disk.pending === 0);
      await open();
      expect(commentsIn(one)).toEqual([{ ...first, text: 'Why?' }]);
      drafts.setText(one, typed('hello'));
      drafts.takeText(one, 'hello');
      drafts.returnText(one, 'hello');
      await drafts.flush();
      await open();
      expect(store.record(one)?.draft).toMatchObject({ text: 'hello', comments: [{ ...first, text: 'Why?' }] });
      drafts.changeComment(one, 'c1', undefined);
      drafts.setText(one, typed(''));
      await drafts.flush();
      expect(await files('drafts')).toEqual([]);
    });

    it('read files of versions without comments, and write such files', async () => {
      drafts.setText(one, typed('hello'));
      await drafts.flush();
      const [name = ''] = await files('drafts');
      const { record } = await readRecordFile(join(folder.path, 'drafts', name));
      expect(record).not.toHaveProperty('comments');
      await open();
      expect(drafts.get(one)).toMatchObject({ text: 'hello', comments: [] });
    });

    it('are the same in two windows, which follow each change of a comment', async () => {
      const other = await openOther();
      const thereAre = async (...texts: string[]) =>
        until(
          () =>
            other
              .get(one)
              .comments.map(({ text }) => text)
              .join() === texts.join(),
          'the comments',
        );
      drafts.addComment(one, { ...first!, text: 'a' });
      await drafts.flush();
      await thereAre('a');
      clock.advance(1);
      other.addComment(one, { ...second!, text: 'b' });
      other.changeComment(one, 'c1', 'A');
      await other.flush();
      await until(
        () =>
          commentsIn(one)
            ?.map(({ text }) => text)
            .join() === 'A,b',
        'the comments of the other window',
      );
      clock.advance(1);
      drafts.changeComment(one, 'c1', undefined);
      await drafts.flush();
      await until(() => other.get(one).comments.length === 1, 'the comment to be removed');
      expect(other.get(one).comments).toEqual([{ ...second, text: 'b' }]);
      other.dispose();
    });
  });

  it('are not emptied by another window after the clock was set back', async () => {
    const other = await openOther();
    other.setText(one, typed('sent'));
    await other.flush();
    await until(() => textIn(one) === 'sent');
    clock.advance(60_000);
    other.setText(one, typed(''));
    await other.flush();
    await until(() => textIn(one) === '');
    clock.set(-3_600_000);
    drafts.setText(one, typed('typed here'));
    await drafts.flush();
    clock.advance(60_000);
    await until(() => other.get(one).text === 'typed here');
    await other.flush();
    clock.advance(60_000);
    await disk.idle();
    expect(textIn(one)).toBe('typed here');
    other.dispose();
  });

  it('keep an attachment whose outputs were removed, also in another window and on disk', async () => {
    const withOutputs = { ...(await attachment('a')), parsedData: '42' };
    drafts.addAttachments(one, [withOutputs]);
    await drafts.flush();
    const other = await openOther();
    expect(other.get(one).attachments).toEqual([withOutputs]);
    drafts.removeAttachment(one, outputsId(withOutputs));
    await drafts.flush();
    expect(drafts.get(one).attachments).toMatchObject([{ attachmentId: 'a', parsedData: undefined }]);
    await until(() => other.get(one).attachments[0]?.parsedData === undefined);
    expect(other.get(one).attachments).toHaveLength(1);
    other.dispose();
    expect(await blobs.isIntact(withOutputs)).toBe(true);
    drafts.removeAttachment(one, outputsId(withOutputs));
    drafts.removeAttachment(one, 'a');
    expect(drafts.get(one).attachments).toEqual([]);
  });

  it('keep the bytes of a removed attachment while the file on disk still refers to it', async () => {
    const a = await attachment('a');
    drafts.setText(one, typed('see'));
    drafts.addAttachments(one, [a]);
    await drafts.flush();
    disk.writeError = new Error('full');
    drafts.removeAttachment(one, 'a');
    await drafts.flush();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await files('blobs')).toEqual([a.blobId]);
    disk.writeError = undefined;
  });

  it('keep attachment bytes that an outgoing message uses', async () => {
    const a = await attachment('a');
    drafts.addAttachments(one, [a]);
    blobs.hold([a]);
    drafts.set(one, emptyDraft);
    await disk.idle();
    expect(await blobs.isIntact(a)).toBe(true);
  });

  it('of a session removed from the list are restored when it is added again', async () => {
    drafts.setText(one, typed('hello'));
    await drafts.flush();
    store.removeSession(one);
    store.addSession({ key: one, addedAt: 2 });
    expect(textIn(one)).toBe('hello');
  });

  it('are saved again after a failed write', async () => {
    disk.writeError = new Error('full');
    drafts.setText(one, typed('hello'));
    await drafts.flush();
    expect(store.record(one)?.draftFailure).toMatchObject({ kind: 'disk' });
    disk.writeError = undefined;
    clock.advance(4_999);
    expect(disk.pending).toBe(0);
    clock.advance(1);
    await until(async () => (await files('drafts')).length === 1);
    await until(() => store.record(one)?.draftFailure === undefined, 'the failure to go');
  });

  it('are not saved again after a write failed because the window closed', async () => {
    disk.writeError = new Error('full');
    drafts.setText(one, typed('hello'));
    drafts.dispose();
    await drafts.flush();
    expect(clock.pendingTimers).toBe(0);
  });

  it('keep text that was typed while a replacement could not be saved', async () => {
    drafts.setText(one, typed('hello'));
    await drafts.flush();
    disk.writeError = new Error('full');
    const replaced = drafts.replace(one, { ...typed('never'), attachments: [], comments: [] });
    drafts.setText(one, typed('typed meanwhile'));
    await expect(replaced).rejects.toThrow('full');
    expect(textIn(one)).toBe('typed meanwhile');
    disk.writeError = undefined;
  });

  it('are saved again without extra delay if the text changed during a failed write, and leave no timer', async () => {
    const timers = clock.pendingTimers;
    let fail: (error: Error) => void = () => undefined;
    const { write } = disk;
    disk.write = () => new Promise((_resolve, reject) => (fail = reject));
    drafts.setText(one, typed('hello'));
    const flushing = drafts.flush();
    drafts.setText(one, typed('hello again'));
    disk.write = write;
    fail(new Error('full'));
    await flushing;
    expect(clock.pendingTimers).toBe(timers + 1);
    clock.advance(300);
    await until(async () => (await files('drafts')).length === 1);
  });

  it('are replaced only after the new draft is on disk, and stay unchanged if it can’t be saved', async () => {
    drafts.setText(one, typed('hello'));
    await drafts.replace(one, { ...typed('hello again'), attachments: [], comments: [] });
    await open();
    expect(textIn(one)).toBe('hello again');
    disk.writeError = Object.assign(new Error('full'), { code: 'ENOSPC' });
    await expect(drafts.replace(one, { ...typed('never'), attachments: [], comments: [] })).rejects.toThrow('full');
    expect(textIn(one)).toBe('hello again');
    disk.writeError = undefined;
  });

  it('keep text on disk that was taken out of them, until it is saved elsewhere (R45)', async () => {
    drafts.setText(one, typed('first'));
    drafts.takeText(one, 'first');
    drafts.setText(one, typed('second'));
    expect(textIn(one)).toBe('second');
    await drafts.flush();
    await open();
    expect(textIn(one)).toBe('first\n\nsecond');
    drafts.takeText(one, 'first');
    drafts.forgetText(one, 'first');
    await drafts.flush();
    expect(await files('drafts')).toEqual([]);
    drafts.takeText(one, 'third');
    drafts.setText(one, typed('fourth'));
    expect(drafts.returnText(one, 'third')).toBe('third\n\nfourth');
    expect(textIn(one)).toBe('third\n\nfourth');
    await drafts.flush();
  });

  describe('get a text from elsewhere', () => {
    /** The text of the draft, and the source of its last change. */
    const state = () => ({ text: textIn(one), sources });
    const sources: unknown[] = [];
    beforeEach(() => {
      sources.length = 0;
      store.onDidChange((change) => change.type === 'draft' && sources.splice(0, 1, change.source));
    });
    const addedId = () => lastAddedId(drafts.get(one)) ?? 0;

    it.each([
      ['', 'added', 0],
      ['Own words \n', 'Own words\n\nadded', 9],
    ])('below %j, with the caret in the own text', (own, text, caret) => {
      drafts.setText(one, typed(own));
      drafts.addText(one, 'added');
      expect(drafts.get(one)).toMatchObject({ text, selectionStart: caret, selectionEnd: caret });
    });

    it('that stays, once, while a page that does not have it saves what the user types', () => {
      drafts.setText(one, typed('Own'), 'page');
      drafts.addText(one, 'added');
      // Each change is announced without a source, so that the page gets the whole text, which it doesn't have.
      for (const text of ['Own w', 'Own words', 'Own words ', 'Own words ']) {
        drafts.setText(one, { ...typed(text), addedId: 0 }, 'page');
        expect(state()).toEqual({ text: `${text}\n\nadded`, sources: [undefined] });
        expect(drafts.get(one)).toMatchObject({ selectionStart: text.length });
      }
      drafts.setText(one, { ...typed('Own words, added'), addedId: addedId() }, 'page');
      expect(state()).toEqual({ text: 'Own words, added', sources: ['page'] });
    });

    it('that stays after a text of which only a page knows the earlier one', () => {
      drafts.addText(one, 'first');
      const first = addedId();
      drafts.addText(one, 'second');
      drafts.addText(one, 'third');
      drafts.setText(one, { ...typed('first, changed'), addedId: first }, 'page');
      expect(textIn(one)).toBe('first, changed\n\nsecond\n\nthird');
    });

    it('that is not part of a message that was sent without it', () => {
      drafts.addText(one, 'added');
      drafts.takeText(one, 'Own', 'page', 0);
      expect(state()).toEqual({ text: 'added', sources: [undefined] });
      drafts.forgetText(one, 'Own');
      drafts.takeText(one, 'added', 'page', addedId());
      expect(state()).toEqual({ text: '', sources: ['page'] });
    });

    it('that is saved as part of the text', async () => {
      drafts.addText(one, 'added');
      await drafts.flush();
      const [name = ''] = await files('drafts');
      const { record } = await readRecordFile(join(folder.path, 'drafts', name));
      expect(record).not.toHaveProperty('additions');
      await open();
      expect(drafts.get(one)).toEqual({ ...emptyDraft, ...typed('added'), selectionStart: 0, selectionEnd: 0 });
    });
  });

  it('return text that was taken out of them with the caret at its end', () => {
    drafts.setText(one, typed('first'));
    drafts.takeText(one, 'first');
    expect(drafts.get(one)).toEqual({ ...emptyDraft, ...typed('') });
    expect(drafts.returnText(one, 'first')).toBe('first');
    expect(drafts.get(one)).toEqual({ ...emptyDraft, ...typed('first') });
  });

  it('keep the texts on disk that were taken and not forgotten, once each', async () => {
    for (const text of ['a', 'b', 'a', 'c']) drafts.takeText(one, text);
    drafts.forgetText(one, 'unknown');
    drafts.forgetText(two, 'a');
    drafts.forgetText(one, 'a');
    await drafts.flush();
    await open();
    expect([textIn(one), textIn(two)]).toEqual(['b\n\na\n\nc', '']);
  });

  it('do not change if an unknown attachment is removed, or their session is shown again', async () => {
    drafts.addAttachments(one, [await attachment('a')]);
    await drafts.flush();
    const changes: StoreChange[] = [];
    store.onDidChange((change) => changes.push(change));
    drafts.removeAttachment(one, 'b');
    store.addSession({ key: keyOf('three'), addedAt: 2 });
    expect(changes).toEqual([{ type: 'sessionList' }]);
  });

  it('lose only line breaks that directly follow the removed start', () => {
    drafts.setText(one, typed('moved typed\n\nmore'));
    drafts.removeStart(one, 'moved', []);
    expect(drafts.get(one)).toMatchObject(typed(' typed\n\nmore'));
  });

  it('keep their computer when they lose the start of their text', () => {
    drafts.set(one, { ...emptyDraft, ...typed('start\nrest'), computerId: 'c1' });
    drafts.removeStart(one, 'start', []);
    expect(store.record(one)?.draft).toEqual({ ...emptyDraft, ...typed('rest'), computerId: 'c1' });
  });

  it('lose the start of their text only if it is still there', async () => {
    const [a, b] = [await attachment('a'), await attachment('b')];
    drafts.set(one, { ...emptyDraft, text: 'moved\n\ntyped', attachments: [a, b] });
    drafts.removeStart(one, 'moved', [a]);
    expect(drafts.get(one)).toMatchObject({ text: 'typed', attachments: [b] });
    drafts.removeStart(one, 'moved', [b]);
    expect(drafts.get(one)).toMatchObject({ text: 'typed', attachments: [b] });
  });

  it('of a temporary service are not saved on disk', async () => {
    drafts.dispose();
    const records = new RecordStores(disk);
    records.keepInMemory(one.origin);
    drafts = new Drafts({ records, blobs, store, clock, log: silentLog });
    drafts.setText(one, typed('hello'));
    await drafts.flush();
    expect([textIn(one), await files('drafts')]).toEqual(['hello', []]);
  });

  it('do not come back from a read of their file that began before they were emptied', async () => {
    drafts.setText(one, typed('first'));
    await drafts.flush();
    const [name = ''] = await files('drafts');
    await disk.idle();
    let release: () => void = () => undefined;
    const held = { entryId: name, until: new Promise<void>((resolve) => (release = resolve)), isRead: false };
    disk.held = held;
    clock.advance(100);
    drafts.setText(one, typed('first and more'));
    await drafts.flush();
    await until(() => held.isRead, 'the read of the earlier version');
    clock.advance(100);
    drafts.set(one, emptyDraft);
    await drafts.flush();
    const texts: unknown[] = [];
    store.onDidChange(() => texts.push(textIn(one)));
    disk.held = undefined;
    release();
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await disk.idle();
    expect(texts.filter((text) => text !== '')).toEqual([]);
    expect(await files('drafts')).toEqual([]);
  });

  describe('of one session in two windows', () => {
    let otherStore: Store;
    let otherBlobs: Blobs;
    let other: Drafts;
    beforeEach(async () => {
      otherStore = new Store(memoryBodies());
      otherBlobs = new Blobs(folder.path, silentLog, clock);
      for (const key of [one, two]) otherStore.addSession({ key, addedAt: 1 });
      other = new Drafts({
        records: new RecordStores(disk),
        blobs: otherBlobs,
        store: otherStore,
        clock,
        log: silentLog,
      });
      await other.load();
    });
    afterEach(() => other.dispose());
    const seen = (key: typeof one, text: string) =>
      until(() => store.record(key)?.draft.text === text && otherStore.record(key)?.draft.text === text, text);

    it('are the same in both, and the last edit wins', async () => {
      drafts.setText(one, typed('here'));
      await drafts.flush();
      await seen(one, 'here');
      other.setText(one, typed('there'));
      await other.flush();
      await seen(one, 'there');
      drafts.set(one, emptyDraft);
      await drafts.flush();
      await seen(one, '');
      expect(otherStore.record(two)?.draft.text).toBe('');
    });

    it('keep text that is being typed while the other window empties the draft', async () => {
      other.setText(one, typed('there'));
      await other.flush();
      await seen(one, 'there');
      drafts.setText(one, typed('there and here'));
      other.set(one, emptyDraft);
      await other.flush();
      await until(async () => (await files('drafts')).length === 0);
      await disk.idle();
      await drafts.flush();
      await seen(one, 'there and here');
      const later = await openOther();
      expect(later.get(one).text).toBe('there and here');
      later.dispose();
    });

    it('do not overwrite text that is being typed', async () => {
      other.setText(one, typed('there'));
      await other.flush();
      await seen(one, 'there');
      drafts.setText(one, typed('there and here'));
      other.setText(one, typed('there!'));
      await other.flush();
      await disk.idle();
      expect(textIn(one)).toBe('there and here');
      await drafts.flush();
      await seen(one, 'there and here');
    });

    it('keep what another window typed while their text was being sent', async () => {
      drafts.setText(one, typed('first'));
      await drafts.flush();
      await seen(one, 'first');
      drafts.takeText(one, 'first');
      await drafts.flush();
      clock.advance(100);
      other.setText(one, typed('first and more'));
      await other.flush();
      // Files are read in the order of their changes.
      other.setText(two, typed('later'));
      await other.flush();
      await seen(two, 'later');
      expect(textIn(one)).toBe('');
      drafts.forgetText(one, 'first');
      await drafts.flush();
      await seen(one, 'first and more');
    });

    it('do not come back after sending if an earlier version of their file was read meanwhile', async () => {
      const [a, b] = [await attachment('a'), await attachment('b')];
      drafts.set(one, { ...typed('first'), attachments: [a], comments: [] });
      await drafts.flush();
      await seen(one, 'first');
      const [name = ''] = await files('drafts');
      const path = join(folder.path, 'drafts', name);
      const earlier = await readFile(path);
      drafts.takeText(one, 'first');
      drafts.set(one, { ...drafts.get(one), attachments: [b] });
      await drafts.flush();
      await writeFile(path, earlier);
      drafts.setText(two, typed('later'));
      await drafts.flush();
      await seen(two, 'later');
      clock.advance(10_000);
      drafts.forgetText(one, 'first');
      drafts.set(one, { ...drafts.get(one), attachments: [] });
      await drafts.flush();
      expect(textIn(one)).toBe('');
      await seen(one, '');
    });

    it('are removed from another window once their text is sent', async () => {
      drafts.setText(one, typed('first'));
      await drafts.flush();
      await seen(one, 'first');
      drafts.takeText(one, 'first');
      await drafts.flush();
      drafts.forgetText(one, 'first');
      await drafts.flush();
      await seen(one, '');
    });

    it('have the same computer in both', async () => {
      drafts.set(one, { ...typed('here'), attachments: [], comments: [], computerId: 'build-7' });
      await drafts.flush();
      await seen(one, 'here');
      other.set(one, { ...other.get(one), computerId: 'build-8' });
      await other.flush();
      await until(() => store.record(one)?.draft.computerId === 'build-8', 'the computer');
    });

    it('do not get back a sent text that their file still contains while a later one is being sent', async () => {
      for (const text of ['a', 'b']) drafts.takeText(one, text);
      await drafts.flush();
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      const { write } = disk;
      disk.write = async (...given) => {
        await held;
        await write(...given);
      };
      drafts.forgetText(one, 'a');
      const flushing = drafts.flush();
      clock.advance(10_000);
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      await disk.idle();
      disk.write = write;
      release();
      await flushing;
      drafts.forgetText(one, 'b');
      expect(textIn(one)).toBe('');
      await drafts.flush();
      await seen(one, '');
    });

    it('keep the cursor position of each window', async () => {
      drafts.setText(one, typed('here'));
      await drafts.flush();
      await seen(one, 'here');
      let changes = 0;
      otherStore.onDidChange(() => changes++);
      drafts.setText(one, { text: 'here', selectionStart: 0, selectionEnd: 0 });
      drafts.setText(two, typed('something else'));
      await drafts.flush();
      await seen(two, 'something else');
      expect([changes, otherStore.record(one)?.draft.selectionStart]).toEqual([1, 4]);
    });

    it('keep attachment bytes that one of the windows still needs', async () => {
      const a = await attachment('a');
      drafts.addAttachments(one, [a]);
      await until(() => otherStore.record(one)?.draft.attachments.length === 1);
      // The first window sends the draft and needs the bytes. The second window only sees that the draft disappears.
      blobs.hold([a]);
      drafts.set(one, emptyDraft);
      await drafts.flush();
      await until(() => otherStore.record(one)?.draft.attachments.length === 0);
      expect(await blobs.isIntact(a)).toBe(true);
    });
  });
});
