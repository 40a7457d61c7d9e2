import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { emptyDraft } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { withChecksum } from '../../../../src/sync/storage/checksum.ts';
import { sessionRecordName } from '../../../../src/sync/storage/recordNames.ts';
import type { UnreadableFile } from '../../../../src/sync/storage/recordFormat.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { damageFile, damages, replaceFile } from '../../../fakes/damage.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { readRecordFile } from '../../../fakes/recordFile.ts';
import { until } from '../../../fakes/until.ts';
import { CountingDisk, keyOf, temporaryFolder } from '../outbox/outboxRig.ts';

const key = keyOf('one');
const typed = (text: string) => ({ text, selectionStart: text.length, selectionEnd: text.length });

interface Window {
  readonly drafts: Drafts;
  readonly store: Store;
  readonly disk: CountingDisk;
  readonly unreadable: readonly UnreadableFile[];
}

describe('a damaged draft file (R44)', () => {
  const clock = new FakeClock();
  const windows: Window[] = [];
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  async function open(): Promise<Window> {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog, clock));
    const blobs = new Blobs(folder.path, silentLog, clock);
    const store = new Store(memoryBodies());
    const drafts = new Drafts({ records: new RecordStores(disk), blobs, store, clock, log: silentLog });
    store.addSession({ key, addedAt: 1 });
    const window = { drafts, store, disk, unreadable: await drafts.load() };
    windows.push(window);
    return window;
  }
  const close = async () => {
    for (const { drafts } of windows) drafts.dispose();
    await Promise.all(windows.map(({ disk }) => disk.idle()));
    windows.length = 0;
  };
  const path = () => join(folder.path, sessionRecordName('drafts', key));
  const textIn = ({ store }: Window) => store.record(key)?.draft.text;
  const textOnDisk = async () => {
    const { record } = await readRecordFile(path()).catch(() => ({ record: {} }));
    return 'text' in record ? record['text'] : undefined;
  };
  const reread = async () => {
    clock.advance(10_000);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await Promise.all(windows.map(({ disk }) => disk.idle()));
  };

  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await close();
    await folder.remove();
  });

  it.each(damages)('does not change the composer of a running window, and is written again (%s)', async (damage) => {
    const window = await open();
    window.drafts.set(key, {
      ...typed('hello, half a sentence'),
      attachments: [],
      comments: [],
      computerId: 'build-7',
    });
    await window.drafts.flush();
    await damageFile(path(), damage);
    await reread();
    expect(window.store.record(key)?.draft).toMatchObject({ text: 'hello, half a sentence', computerId: 'build-7' });
    await until(async () => (await textOnDisk()) === 'hello, half a sentence', 'the file to be written again');
    const kept = (await readdir(join(folder.path, 'drafts'))).filter((name) => name.includes('.unreadable-'));
    expect(kept).toHaveLength(damage === 'removed' ? 0 : 1);
  });

  it('is restored with the newest text, even if another window has an older one', async () => {
    const one = await open();
    const two = await open();
    one.drafts.setText(key, typed('older'));
    await one.drafts.flush();
    await until(() => textIn(two) === 'older');
    const older = await readFile(path(), 'utf8');
    clock.advance(1);
    one.drafts.setText(key, typed('newer'));
    await one.drafts.flush();
    await until(() => textIn(two) === 'newer');
    await replaceFile(path(), older);
    await reread();
    await until(async () => (await textOnDisk()) === 'newer', 'the newer text on disk');
    expect([textIn(one), textIn(two)]).toEqual(['newer', 'newer']);
  });

  it('is not restored after another window emptied the draft', async () => {
    const one = await open();
    const two = await open();
    one.drafts.setText(key, typed('hello'));
    await one.drafts.flush();
    await until(() => textIn(two) === 'hello');
    one.drafts.set(key, emptyDraft);
    await one.drafts.flush();
    await reread();
    await until(() => textIn(two) === '');
    expect(await textOnDisk()).toBeUndefined();
    // A draft that was emptied once can be lost and restored like any other.
    two.drafts.setText(key, typed('again'));
    await two.drafts.flush();
    await damageFile(path(), 'removed');
    await reread();
    await until(async () => (await textOnDisk()) === 'again');
    await until(() => textIn(one) === 'again');
  });

  it('of a newer version is left untouched', async () => {
    const window = await open();
    window.drafts.setText(key, typed('hello'));
    await window.drafts.flush();
    const newer = withChecksum({ version: 2, record: { text: 'newer' } });
    await replaceFile(path(), newer);
    await reread();
    window.drafts.setText(key, typed('hello again'));
    await window.drafts.flush();
    window.drafts.set(key, emptyDraft);
    await window.drafts.flush();
    expect(await readFile(path(), 'utf8')).toBe(newer);
    expect(window.store.record(key)?.draftFailure).toMatchObject({ kind: 'disk', code: 'ENEWER' });
    await close();
    const next = await open();
    expect(next.unreadable).toMatchObject([{ cause: 'newer' }]);
    expect(await readFile(path(), 'utf8')).toBe(newer);
  });

  it('is reported at start, with the text that can be read', async () => {
    const first = await open();
    first.drafts.setText(key, typed('the start of a draft and its end'));
    await first.drafts.flush();
    await close();
    const content = await readFile(path(), 'utf8');
    await writeFile(path(), content.slice(0, content.indexOf(' and its end')));
    const second = await open();
    expect(second.drafts.get(key)).toEqual({ ...emptyDraft, ...typed('the start of a draft') });
    expect(textIn(second)).toBe('the start of a draft');
    expect(second.unreadable).toMatchObject([{ cause: 'damaged' }]);
    await until(async () => (await textOnDisk()) === 'the start of a draft');
  });

  it.each([
    ['nothing', 'garbage'],
    ['no session', '{"version":1,"record":{"key":{"origin":"https://service.test"},"text":"a"'],
    ['no service', '{"version":1,"record":{"key":{"sessionId":"one"},"text":"a"'],
    ['no text', '{"version":1,"record":{"key":{"origin":"https://service.test","sessionId":"one"},"text":"'],
  ])('is only reported at start if %s can be read from it', async (_, content) => {
    await mkdir(join(folder.path, 'drafts'));
    await writeFile(path(), content);
    const window = await open();
    expect(window.unreadable).toMatchObject([{ cause: 'damaged' }]);
    expect(textIn(window)).toBe('');
    await window.drafts.flush();
    expect(await textOnDisk()).toBeUndefined();
  });

  it('is written again if it is removed and the system does not report it', async () => {
    const disk = new CountingDisk(await openDisk(folder.path, silentLog, clock));
    disk.watch = () => onDispose(() => undefined);
    const store = new Store(memoryBodies());
    const blobs = new Blobs(folder.path, silentLog, clock);
    const drafts = new Drafts({ records: new RecordStores(disk), blobs, store, clock, log: silentLog });
    windows.push({ drafts, store, disk, unreadable: await drafts.load() });
    drafts.setText(key, typed('hello'));
    await drafts.flush();
    await damageFile(path(), 'removed');
    await reread();
    await until(async () => (await textOnDisk()) === 'hello', 'the file to be written again');
  });

  it('is replaced by the complete draft of a window that kept running', async () => {
    const one = await open();
    one.drafts.setText(key, typed('the start of a draft and its end'));
    await one.drafts.flush();
    const content = await readFile(path(), 'utf8');
    await writeFile(path(), content.slice(0, content.indexOf(' and its end')));
    const two = await open();
    await reread();
    for (const window of [one, two]) await until(() => textIn(window) === 'the start of a draft and its end');
  });
});
