import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Uri } from 'vscode';
import { translator } from '../../../../src/shared/translate.ts';
import type { Attachments } from '../../../../src/commands/attachments/attachments.ts';
import type { ComposerController } from '../../../../src/commands/composer/composerController.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
import type { StoredAttachment } from '../../../../src/state/store/outboxEntry.ts';
import type { SessionReader } from '../../../../src/sync/sessionReader.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import type { ConversationPage } from '../../../../src/views/conversation/conversationPage.ts';
import { comment } from '../../state/samples.ts';
import { until } from '../../../fakes/until.ts';
import { OutboxRig, keyOf } from '../../sync/outbox/outboxRig.ts';
import { noTerminals } from '../../../fakes/terminals.ts';

const uri = { scheme: 'file', toString: () => 'file:///notes.md' };
type RunCancelable = (progress: object, token: { onCancellationRequested(cancel: () => void): void }) => unknown;
const withProgress = vi.fn();
vi.mock('vscode', () => ({
  DiagnosticSeverity: {},
  ProgressLocation: {},
  window: { withProgress: (...args: unknown[]): unknown => withProgress(...args) },
  Uri: { parse: () => uri },
  workspace: {
    textDocuments: [{ uri, getText: () => 'lines' }],
    fs: { isWritableFileSystem: () => true },
    getConfiguration: () => ({ get: () => undefined }),
  },
}));

const t = translator('en');
const key = keyOf('s1');

let rig: OutboxRig;
let drafts: Drafts;
let composer: ComposerController;
let attachments: Attachments;
beforeEach(async () => {
  const { ComposerController } = await import('../../../../src/commands/composer/composerController.ts');
  const { Attachments } = await import('../../../../src/commands/attachments/attachments.ts');
  rig = await OutboxRig.open();
  const { store, outbox, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  attachments = new Attachments(blobs, drafts, noTerminals, t);
  const sessions = {} as unknown as SessionReader;
  composer = new ComposerController({ store, sessions, drafts, outbox, blobs, attachments, log: silentLog, t });
});
afterEach(async () => {
  await drafts.flush();
  drafts.dispose();
  await rig.close();
});

async function* bytes() {
  yield await Promise.resolve(new TextEncoder().encode('bytes'));
}

async function attachOne(): Promise<void> {
  const blob = await rig.blobs.put(bytes(), 100);
  const attachment = { attachmentId: 'a', kind: 'image', name: 'a.png', mediaType: 'image/png' } as const;
  drafts.addAttachments(key, [{ ...attachment, isUnsaved: false, ...blob }]);
}

it('keeps a text that was added to the draft while the user typed and sent a message', async () => {
  drafts.setText(key, { text: 'Ow', selectionStart: 2, selectionEnd: 2 });
  drafts.addText(key, 'added');
  await composer.send(key, { text: 'Own words', addedId: 0 });
  expect(rig.entries()).toMatchObject([{ text: 'Own words' }]);
  expect(drafts.get(key).text).toBe('added');
});

it('adds nothing to the text of the draft when a message of attachments only is edited', async () => {
  await attachOne();
  await composer.send(key, { text: '' });
  const [entry] = rig.entries();
  drafts.setText(key, { text: 'typed since', selectionStart: 0, selectionEnd: 0 });
  await composer.deliver(entry?.entryId ?? '', 'edit');
  expect(drafts.get(key)).toMatchObject({ text: 'typed since', attachments: [{ name: 'a.png' }] });
  expect(rig.entries()).toEqual([]);
});

it('moves a message to the draft of its own session, whichever session the page shows', async () => {
  await composer.send(key, { text: 'hello' });
  const [entry] = rig.entries();
  await composer.deliver(entry?.entryId ?? '', 'edit');
  expect(drafts.get(key).text).toBe('hello');
  await expect(composer.deliver(entry?.entryId ?? '', 'edit')).rejects.toThrow('already sent or changed');
});

it('lets the page add the text of a message that is edited while the user types', async () => {
  await composer.send(key, { text: 'hello' });
  const told: unknown[] = [];
  const page = { key, post: (message: unknown) => void told.push(message) } as unknown as ConversationPage;
  const listening = rig.store.onDidChange((change) => {
    if (change.type !== 'draft' || change.source === page) return;
    listening.dispose();
    expect(told).toEqual([{ type: 'textReturned', ...key, text: 'hello' }]);
    drafts.setText(key, { text: 'hello\n\ntyped', selectionStart: 5, selectionEnd: 5 }, page);
  });
  await composer.deliver(rig.entries()[0]?.entryId ?? '', 'edit', page);
  expect(rig.entries()).toEqual([]);
  expect(drafts.get(key).text).toBe('hello\n\ntyped');
});

it('does not add the text of an edited message again after the user has replaced it', async () => {
  await composer.send(key, { text: 'hello' });
  const page = { key, post: () => undefined } as unknown as ConversationPage;
  const edited = composer.deliver(rig.entries()[0]?.entryId ?? '', 'edit', page);
  await until(() => drafts.get(key).text === 'hello');
  drafts.setText(key, { text: 'better', selectionStart: 6, selectionEnd: 6 }, page);
  await edited;
  await drafts.flush();
  expect(drafts.get(key).text).toBe('better');
});

describe('a file that is still being read', () => {
  const attachment = { attachmentId: 'f', kind: 'file', name: 'f.txt', mediaType: 'text/plain' } as const;
  type Read = StoredAttachment[] | undefined;
  let finish: (read: Read | Promise<Read>) => void;
  beforeEach(() => {
    const reading = new Promise<Read>((resolve) => (finish = resolve));
    vi.spyOn(attachments, 'fromFile').mockReturnValueOnce(reading);
  });

  it.each([
    ['mentioned', () => composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri))],
    ['chosen in the Attach menu', () => composer.attach(key, 'file')],
  ])('and was %s is sent with the message that was sent after it', async (_, attach) => {
    const attaching = attach();
    const sending = composer.send(key, { text: 'look' });
    finish([{ ...attachment, isUnsaved: false, ...(await rig.blobs.put(bytes(), 100)) }]);
    await Promise.all([attaching, sending]);
    expect(rig.entries()).toMatchObject([{ text: 'look', attachments: [{ name: 'f.txt' }] }]);
    expect(drafts.get(key)).toMatchObject({ text: '', attachments: [] });
  });

  it('does not send comments that are written while a message waits for it', async () => {
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    drafts.addComment(key, { ...comment, commentId: 'before', quote: 'a', text: 'Why?' });
    const sending = composer.send(key, { text: 'look' });
    const later = { ...comment, commentId: 'later', text: 'half writt' };
    drafts.addComment(key, later);
    finish(undefined);
    await Promise.all([attaching, sending]);
    expect(rig.entries()).toMatchObject([{ text: '> a\n\nWhy?\n\nlook' }]);
    expect(drafts.get(key).comments).toEqual([later]);
  });

  it('is sent with the attachments and the computer that the user saw at Enter, except those removed since', async () => {
    const store = async (attachmentId: string) => {
      const content = { ...attachment, attachmentId, name: `${attachmentId}.txt`, isUnsaved: false };
      return { ...content, ...(await rig.blobs.put(bytes(), 100)) };
    };
    drafts.addAttachments(key, [await store('before'), await store('removed')]);
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = composer.send(key, { text: 'look' });
    drafts.removeAttachment(key, 'removed');
    drafts.addAttachments(key, [await store('after')]);
    composer.setComputer(key, 'cmp_next');
    finish([await store('f')]);
    await Promise.all([attaching, sending]);
    expect(rig.entries()).toMatchObject([{ attachments: [{ name: 'before.txt' }, { name: 'f.txt' }] }]);
    expect(rig.entries()[0]?.computerId).toBeUndefined();
    expect(drafts.get(key)).toMatchObject({ attachments: [{ name: 'after.txt' }], computerId: 'cmp_next' });
  });

  it.each([
    { since: 'cmp_next', sentTo: 'cmp_first', kept: 'cmp_next' },
    { since: undefined, sentTo: undefined, kept: undefined },
  ])('goes with its message to the computer that was chosen before Enter (then: $since)', async (computers) => {
    composer.setComputer(key, 'cmp_first');
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = composer.send(key, { text: 'look' });
    composer.setComputer(key, computers.since);
    finish(undefined);
    await Promise.all([attaching, sending]);
    expect(rig.entries()[0]?.computerId).toBe(computers.sentTo);
    expect(drafts.get(key).computerId).toBe(computers.kept);
  });

  it('is sent even if the same file was attached again after Enter, and was read first', async () => {
    const content = await rig.blobs.put(bytes(), 100);
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = composer.send(key, { text: 'look' });
    await attachments.addToDraft(key, [{ ...attachment, attachmentId: 'again', isUnsaved: false, ...content }]);
    finish([{ ...attachment, isUnsaved: false, ...(await rig.blobs.put(bytes(), 100)) }]);
    await Promise.all([attaching, sending]);
    expect(rig.entries()).toMatchObject([{ attachments: [{ name: 'f.txt' }] }]);
    expect(drafts.get(key).attachments).toEqual([]);
  });

  it('leaves the attachments of a message that is edited meanwhile in the draft', async () => {
    await attachOne();
    await composer.send(key, { text: 'first' });
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = composer.send(key, { text: 'second' });
    await composer.deliver(rig.entries()[0]?.entryId ?? '', 'edit');
    finish(undefined);
    await Promise.all([attaching, sending]);
    expect(rig.entries()).toMatchObject([{ text: 'second', attachments: [] }]);
    expect(drafts.get(key)).toMatchObject({ text: 'first', attachments: [{ name: 'a.png' }] });
  });

  it('returns the message with the reason if it can not be read', async () => {
    const told: HostMessage[] = [];
    const page = { key, post: (message: HostMessage) => void told.push(message) } as unknown as ConversationPage;
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = composer.send(key, { text: 'look' }, page);
    finish(Promise.reject(new Error('gone')));
    await expect(attaching).rejects.toThrow('gone');
    await sending;
    expect(told).toMatchObject([{ type: 'sendRejected', text: 'look' }]);
    expect(rig.entries()).toEqual([]);
    expect(drafts.get(key).text).toBe('look');
  });

  it('returns all messages that wait if the user cancels, and later ones do not wait for the file', async () => {
    withProgress.mockImplementationOnce((options: unknown, run: RunCancelable) => {
      expect(options).toMatchObject({ title: 'Waiting for attachments before sending...', cancellable: true });
      return run({ report: vi.fn() }, { onCancellationRequested: (cancel) => cancel() });
    });
    void composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = ['first', 'second'].map((text) => composer.send(key, { text }));
    for (const each of sending) await expect(each).rejects.toThrow("It's still in your draft.");
    expect(drafts.get(key).text.split('\n\n').sort()).toEqual(['first', 'second']);
    expect(rig.entries()).toEqual([]);
    await composer.send(key, { text: 'third' });
    expect(rig.entries()).toMatchObject([{ text: 'third', attachments: [] }]);
    expect(withProgress).toHaveBeenCalledTimes(1);
  });

  it('does not stop the message if the user chose not to attach it', async () => {
    const attaching = composer.attachFile(key, () => Promise.resolve(uri as unknown as Uri));
    const sending = composer.send(key, { text: 'look' });
    finish(undefined);
    await Promise.all([attaching, sending]);
    expect(rig.entries()).toMatchObject([{ text: 'look', attachments: [] }]);
  });
});

it('keeps an attachment that the page had not shown when Enter was pressed a second time', async () => {
  await attachOne();
  const page = { key, post: () => undefined } as unknown as ConversationPage;
  await composer.send(key, { text: '', shownId: 'sent before' }, page);
  expect(rig.entries()).toEqual([]);
  expect(drafts.get(key).attachments).toMatchObject([{ attachmentId: 'a' }]);
  await composer.send(key, { text: '', shownId: 'a' }, page);
  expect(rig.entries()).toMatchObject([{ text: '', attachments: [{ attachmentId: 'a' }] }]);
});

it("returns a message to the page if its attachments can't be checked", async () => {
  const told: HostMessage[] = [];
  const page = { key, post: (message: HostMessage) => void told.push(message) } as unknown as ConversationPage;
  const gone = { blobId: '00000000-0000-4000-8000-000000000000', sizeBytes: 5, sha256: '' };
  const attachment = { attachmentId: 'a', kind: 'selection', name: 'notes.md#L1', mediaType: 'text/plain' } as const;
  const attached = { ...attachment, ...gone, isUnsaved: false, sourceUri: uri.toString() };
  drafts.addAttachments(key, [attached]);

  await composer.send(key, { text: 'look' }, page);
  expect(told).toMatchObject([{ type: 'sendRejected', text: 'look' }]);
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

describe('comments', () => {
  const sentTexts = () => rig.entries().map(({ text }) => text);

  it('are sent before the text, without text too, and leave the draft with the message', async () => {
    drafts.addComment(key, { ...comment, quote: 'a', text: 'Why?' });
    await composer.send(key, { text: 'Go on.' });
    expect(sentTexts()).toEqual(['> a\n\nWhy?\n\nGo on.']);
    expect(drafts.get(key)).toMatchObject({ text: '', comments: [] });
    drafts.addComment(key, { ...comment, quote: 'b' });
    await composer.send(key, { text: '' });
    expect(sentTexts().slice(1)).toEqual(['> b']);
    expect(drafts.get(key).comments).toEqual([]);
    await composer.send(key, { text: '' });
    expect(sentTexts()).toHaveLength(2);
  });

  it('without a quote name the role and time of their messages', async () => {
    const message = { id: 'm1', role: 'assistant', createdAt: 0, updatedAt: 0, content: [] } as const;
    rig.store.takeMessages(key, [message]);
    drafts.addComment(key, { ...comment, quote: '', text: 'Nice.' });
    await composer.send(key, { text: '' });
    expect(sentTexts()).toEqual([`Assistant message, ${t.formats.dateTime(0)}:\n\nNice.`]);
  });

  it('that are added or edited while a message is being sent stay in the draft', async () => {
    const [sent, edited, added] = ['c1', 'c2', 'c3'].map((commentId) => ({ ...comment, commentId, text: 'before' }));
    drafts.addComment(key, sent!);
    drafts.addComment(key, edited!);
    const enqueue = rig.outbox.enqueue.bind(rig.outbox);
    vi.spyOn(rig.outbox, 'enqueue').mockImplementation((...given) => {
      drafts.changeComment(key, 'c2', 'after');
      drafts.addComment(key, added!);
      return enqueue(...given);
    });
    await composer.send(key, { text: 'x' });
    expect(sentTexts()[0]?.match(/before|after/g)).toEqual(['before', 'before']);
    expect(drafts.get(key).comments).toEqual([{ ...edited, text: 'after' }, added]);
  });

  it('are named in the message, so that they leave the draft even if the window ends', async () => {
    const enqueue = vi.spyOn(rig.outbox, 'enqueue');
    drafts.addComment(key, { ...comment, commentId: 'c1', text: 'Why?' });
    drafts.setText(key, { text: 'x', selectionStart: 0, selectionEnd: 0 });
    rig.clock.advance(10);
    const editedAt = rig.clock.now();
    await composer.send(key, { text: 'x' });
    const draftId = expect.any(String) as string;
    const comments = [{ commentId: 'c1', text: 'Why?' }];
    expect(enqueue.mock.calls[0]?.[1].draft).toEqual({ draftId, editedAt, comments });
  });

  it('are sent once if two messages are sent at the same time', async () => {
    drafts.addComment(key, comment);
    await Promise.all([composer.send(key, { text: 'first' }), composer.send(key, { text: 'second' })]);
    expect(sentTexts()).toEqual(['> line of m1\n\nfirst', 'second']);
  });

  it('stay comments if the message can not be queued, and only the text returns', async () => {
    const told: HostMessage[] = [];
    const page = { key, post: (message: HostMessage) => void told.push(message) } as unknown as ConversationPage;
    drafts.addComment(key, { ...comment, text: 'Why?' });
    rig.disk.writeError = new Error('full');
    await composer.send(key, { text: 'hello' }, page);
    expect(told).toMatchObject([{ type: 'sendRejected', text: 'hello' }]);
    expect(drafts.get(key)).toMatchObject({ text: 'hello', comments: [{ ...comment, text: 'Why?' }] });
    drafts.setText(key, { text: '', selectionStart: 0, selectionEnd: 0 });
    await composer.send(key, { text: '', shownId: comment.commentId }, page);
    expect(drafts.get(key)).toMatchObject({ text: '', comments: [{ ...comment, text: 'Why?' }] });
    rig.disk.writeError = undefined;
    await composer.send(key, { text: '', shownId: comment.commentId }, page);
    expect(sentTexts()).toEqual(['> line of m1\n\nWhy?']);
    expect(drafts.get(key).comments).toEqual([]);
  });
});

describe('a full disk', () => {
  const diskFull = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  const pageOf = (told: HostMessage[], shown = key) =>
    ({ key: shown, post: (message: HostMessage) => void told.push(message) }) as unknown as ConversationPage;

  it('returns the message to its page with the reason', async () => {
    const told: HostMessage[] = [];
    rig.disk.writeError = diskFull;
    await composer.send(key, { text: 'hello' }, pageOf(told));
    const reason =
      "The disk is full. Free up some space and try again. The message wasn't sent. It's still in your draft.";
    expect(told).toEqual([{ type: 'sendRejected', ...key, text: 'hello', reason }]);
    await drafts.flush();
    expect(rig.store.record(key)?.draftFailure).toMatchObject({ kind: 'disk', code: 'ENOSPC' });
    rig.disk.writeError = undefined;
  });

  it('puts the message back into the draft if the page shows another session by then', async () => {
    const told: HostMessage[] = [];
    rig.disk.writeError = diskFull;
    const sending = composer.send(key, { text: 'hello' }, pageOf(told, keyOf('s2')));
    drafts.setText(key, { text: 'typed since', selectionStart: 0, selectionEnd: 0 });
    await sending;
    expect(told).toEqual([]);
    expect(drafts.get(key).text).toBe('hello\n\ntyped since');
    expect(composer.failures.of(key)?.text).toContain('The disk is full.');
    rig.disk.writeError = undefined;
  });

  it('does not prevent attachments from being sent alone once there is space', async () => {
    await attachOne();
    rig.disk.writeError = diskFull;
    await composer.send(key, { text: '', shownId: 'a' }, pageOf([]));
    rig.disk.writeError = undefined;
    expect(drafts.get(key)).toMatchObject({ text: '', attachments: [{ name: 'a.png' }] });
    await composer.send(key, { text: '', shownId: 'a' }, pageOf([]));
    expect(rig.entries()).toMatchObject([{ text: '', attachments: [{ name: 'a.png' }] }]);
  });

  it('does not let a second press of Enter send the attachments of a message without its text', async () => {
    await attachOne();
    rig.disk.writeError = diskFull;
    const page = pageOf([]);
    const sends = [composer.send(key, { text: 'look' }, page), composer.send(key, { text: '', shownId: 'a' }, page)];
    await Promise.all(sends);
    rig.disk.writeError = undefined;
    // A press of Enter that reaches the host only after the unsent text has been put back into the draft.
    await composer.send(key, { text: '', shownId: 'a' }, page);
    expect(rig.entries()).toEqual([]);
    expect(drafts.get(key)).toMatchObject({ text: 'look', attachments: [{ name: 'a.png' }] });
    // The person empties the field and sends the attachment alone.
    drafts.setText(key, { text: '', selectionStart: 0, selectionEnd: 0 });
    await composer.send(key, { text: '', shownId: 'a' }, page);
    expect(rig.entries()).toMatchObject([{ text: '', attachments: [{ name: 'a.png' }] }]);
  });
});

it('gives different names to attachments that are pasted before the first one is stored, each of them once', async () => {
  const other = keyOf('s2');
  rig.store.addSession({ key: other, addedAt: 1 });
  const names: string[] = [];
  vi.spyOn(attachments, 'fromBytes').mockImplementation((name) => {
    names.push(name);
    return Promise.resolve(undefined);
  });
  const paste = (attachmentId: string, session = key) =>
    composer.pasted.add(session, attachmentId, 'image.png', new Uint8Array());
  await Promise.all([paste('a'), paste('b'), paste('b'), paste('c', other)]);
  expect(names).toEqual(['image.png', 'image-2.png', 'image.png']);
  await paste('d');
  expect(names.at(-1)).toBe('image.png');
});

describe('pasted text that is inserted as text while its file is still being stored', () => {
  const attachmentId = 'pasted';
  const paste = () => composer.pasted.add(key, attachmentId, 'pasted-text.txt', new Uint8Array());
  const stored = async (): Promise<StoredAttachment[]> => {
    const name = { kind: 'file', name: 'pasted-text.txt', mediaType: 'text/plain' } as const;
    return [{ attachmentId: 'stored', ...name, isUnsaved: false, ...(await rig.blobs.put(bytes(), 100)) }];
  };

  it('is sent once, as text', async () => {
    let finish: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => (finish = resolve));
    vi.spyOn(attachments, 'fromBytes').mockReturnValue(storing.then(stored));
    const drop = vi.spyOn(attachments, 'drop');
    const pasting = paste();
    composer.pasted.remove(key, attachmentId);
    const sending = composer.send(key, { text: 'pasted text' });
    finish();
    await Promise.all([pasting, sending]);
    expect(rig.entries()).toMatchObject([{ text: 'pasted text', attachments: [] }]);
    expect(drafts.get(key).attachments).toEqual([]);
    expect(drop).toHaveBeenCalledWith([expect.objectContaining({ attachmentId: 'stored' })]);
  });

  it('is sent once, even if the file is being added to the draft', async () => {
    vi.spyOn(attachments, 'fromBytes').mockImplementation(stored);
    const add = attachments.addToDraft.bind(attachments);
    vi.spyOn(attachments, 'addToDraft').mockImplementation((session, added) => {
      composer.pasted.remove(key, attachmentId);
      return add(session, added);
    });
    await Promise.all([paste(), composer.send(key, { text: 'pasted text' })]);
    expect(rig.entries()).toMatchObject([{ text: 'pasted text', attachments: [] }]);
  });

  it('is sent, even if the file cannot be attached', async () => {
    let fail: (error: Error) => void = () => undefined;
    const storing = new Promise<undefined>((_resolve, reject) => (fail = reject));
    vi.spyOn(attachments, 'fromBytes').mockReturnValue(storing);
    const pasting = paste();
    composer.pasted.remove(key, attachmentId);
    const sending = composer.send(key, { text: 'pasted text' });
    fail(new Error('too large'));
    await Promise.all([pasting, sending]);
    expect(rig.entries()).toMatchObject([{ text: 'pasted text', attachments: [] }]);
  });

  it('can be attached again later', async () => {
    vi.spyOn(attachments, 'fromBytes').mockImplementation(stored);
    const pasting = paste();
    composer.pasted.remove(key, attachmentId);
    await pasting;
    await paste();
    expect(drafts.get(key).attachments).toMatchObject([{ attachmentId }]);
  });
});
