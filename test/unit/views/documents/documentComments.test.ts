import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { type DocumentContent, documentUri } from '../../../../src/state/documents/documentUri.ts';
import type { DraftComment } from '../../../../src/state/store/sessionRecord.ts';
import { emptyDraft } from '../../../../src/state/store/sessionRecord.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { ConversationText } from '../../../../src/views/documents/conversationText.ts';
import { DocumentComment, DocumentComments } from '../../../../src/views/documents/documentComments.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { until } from '../../../fakes/until.ts';
import { key, ready, sessionOf, t } from '../../state/samples.ts';
import { messageOf } from '../conversation/pageRig.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}

/** The parts of the `vscode` module that comments use, with the controllers and threads that were created. */
const editor = vi.hoisted(() => {
  class Position {
    readonly line: number;
    readonly character: number;
    constructor(line: number, character: number) {
      this.line = line;
      this.character = character;
    }
  }
  class Range {
    readonly start: Position;
    readonly end: Position;
    constructor(...given: [Position, Position] | [number, number, number, number]) {
      const [a, b, c, d] = given;
      const isFlat = typeof a === 'number' && typeof b === 'number';
      this.start = isFlat ? new Position(a, b) : (a as Position);
      this.end = isFlat ? new Position(c ?? 0, d ?? 0) : (b as Position);
    }
    isEqual(other: Range): boolean {
      return JSON.stringify(this) === JSON.stringify(other);
    }
  }
  const threads: FakeThread[] = [];
  interface FakeThread {
    range: Range;
    label?: string;
    comments: readonly { readonly body: string; readonly mode: number }[];
    isDisposed: boolean;
    dispose(): void;
  }
  return {
    Position,
    Range,
    threads,
    controllers: [] as string[],
    events: {} as Record<'open' | 'close' | 'change', { fire(value: unknown): void }>,
    documents: [] as unknown[],
  };
});
vi.mock('vscode', () => {
  const { threads } = editor;
  return {
    Position: editor.Position,
    Range: editor.Range,
    CommentMode: { Editing: 0, Preview: 1 },
    CommentThreadCollapsibleState: { Collapsed: 0 },
    workspace: {
      onDidOpenTextDocument: (listener: (value: unknown) => void) => subscribe('open', listener),
      onDidCloseTextDocument: (listener: (value: unknown) => void) => subscribe('close', listener),
      onDidChangeTextDocument: (listener: (value: unknown) => void) => subscribe('change', listener),
      textDocuments: editor.documents,
    },
    comments: {
      createCommentController(id: string) {
        editor.controllers.push(id);
        return {
          createCommentThread(_uri: unknown, range: (typeof threads)[number]['range']) {
            const thread = { range, comments: [], isDisposed: false, dispose: () => void (thread.isDisposed = true) };
            threads.push(thread);
            return thread;
          },
          dispose: () => undefined,
        };
      },
    },
  };
});

function subscribe(name: 'open' | 'close' | 'change', listener: (value: unknown) => void) {
  const emitter = new Emitter<unknown>();
  editor.events[name] = emitter;
  return emitter.event(listener);
}

/** A document whose text the test changes. */
class FakeDocument {
  readonly uri: { readonly scheme: string; readonly authority: string; readonly path: string };
  text = '';

  constructor(scheme = 'lineside', shows: DocumentContent = { part: 1 }) {
    this.uri = { scheme, ...documentUri({ key, shows }, 'Title') };
  }

  get lineCount(): number {
    return this.text.split('\n').length;
  }

  getText(): string {
    return this.text;
  }

  positionAt(offset: number): Position {
    const before = this.text.slice(0, offset).split('\n');
    return new editor.Position(before.length - 1, before.at(-1)?.length ?? 0);
  }

  offsetAt({ line, character }: Position): number {
    const lines = this.text.split('\n').slice(0, line);
    return lines.reduce((sum, { length }) => sum + length + 1, 0) + character;
  }

  lineAt(line: number): { readonly range: { readonly end: Position } } {
    return { range: { end: new editor.Position(line, this.text.split('\n')[line]?.length ?? 0) } };
  }

  lineOf(text: string): number {
    return this.text.split('\n').indexOf(text);
  }
}

const words = { t, time: (ms: number) => `T${ms}`, dateTime: (ms: number) => `D${ms}` };
const saying = (id: string, place: number, text: string) => messageOf(id, place, { content: [{ type: 'text', text }] });
const commentOf = (commentId: string, part: Partial<DraftComment> = {}): DraftComment => ({
  commentId,
  messageId: 'b',
  quote: 'two',
  offset: 0,
  text: '',
  ...part,
});

let store: Store;
let comments: DocumentComments;
let document: FakeDocument;
let isFull: boolean;
let sections: ConversationText;

beforeEach(async () => {
  editor.threads.length = 0;
  editor.controllers.length = 0;
  isFull = false;
  store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
  store.takeSession(key, sessionOf(), 1_000, 1);
  store.takeMessages(key, [
    saying('a', 1, 'One'),
    saying('b', 2, 'First line\n\n- two\n- and **two**'),
    saying('c', 3, 'Three'),
  ]);
  sections = new ConversationText(store, key, words);
  document = new FakeDocument();
  document.text = (await sections.part(1)) ?? '';
  comments = new DocumentComments(store, { sections: ({ shows }) => sections.sections(shows) }, drafts, t);
});

const draft = () => store.record(key)?.draft ?? emptyDraft;
const set = (list: readonly DraftComment[]) => store.setDraft(key, { ...draft(), comments: list });
const drafts = {
  addComment(_key: unknown, comment: DraftComment) {
    if (!isFull) set([...draft().comments, comment]);
    return !isFull;
  },
  changeComment(_key: unknown, commentId: string, text: string | undefined) {
    const known = draft().comments.find((comment) => comment.commentId === commentId);
    const rest = draft().comments.filter((comment) => comment !== known);
    set(known && text !== undefined ? [...rest, { ...known, text }] : rest);
  },
};
const open = () => editor.events.open.fire(document);
/** The open threads: the lines of each, and its text. */
const shown = () =>
  editor.threads
    .filter(({ isDisposed }) => !isDisposed)
    .map(({ range, comments: [comment] }) => [range.start.line, range.end.line, comment?.body]);
const seen = async (...expected: readonly unknown[]) =>
  until(() => JSON.stringify(shown()) === JSON.stringify(expected), JSON.stringify(expected));
const reply = (from: number, to: number, text: string) => {
  const thread = { uri: document.uri, range: new editor.Range(from, 0, to, 0), isDisposed: false };
  const given = { text, thread: { ...thread, dispose: () => void (thread.isDisposed = true) } };
  return { thread, added: comments.add(given as unknown as vscode.CommentReply) };
};
const only = () => editor.threads.findLast(({ isDisposed }) => !isDisposed)?.comments[0] as unknown as DocumentComment;

describe('comments in documents', () => {
  it('need no controller until a conversation document is open', () => {
    expect(editor.controllers).toEqual([]);
    editor.events.open.fire(new FakeDocument('file'));
    expect(editor.controllers).toEqual([]);
    open();
    open();
    expect(editor.controllers).toEqual(['lineside.comments']);
  });

  it('can be added to all lines of messages, and to no others', () => {
    const ranges = () => comments.provideCommentingRanges(document as unknown as vscode.TextDocument);
    expect(ranges()).toEqual([]);
    open();
    const [range] = ranges();
    expect(document.text.split('\n')[range?.start.line ?? 0]).toBe('## User, D1001: One');
    expect(range?.end.line).toBe(document.lineCount - 1);
    document.text = '# No messages\n';
    expect(ranges()).toEqual([]);
  });

  it('show those of the draft at their places, collapsed, and follow its changes', async () => {
    set([commentOf('1', { quote: 'First line\ntwo', text: 'Why?' }), commentOf('2', { messageId: 'gone' })]);
    open();
    const first = document.lineOf('First line');
    const two = document.lineOf('- two');
    await seen([first, two, 'Why?']);
    expect(editor.threads[0]?.label).toBe('1 comment');
    set([commentOf('1', { quote: 'First line\ntwo', text: 'Because' }), commentOf('3', { offset: 1_000, text: 'x' })]);
    await seen([first, two, 'Because'], [two + 1, two + 1, 'x']);
    set([commentOf('3', { offset: 1_000, text: 'x' })]);
    await seen([two + 1, two + 1, 'x']);
    editor.events.close.fire(document);
    expect(shown()).toEqual([]);
  });

  it('are at the heading of a message that has changed, and move with the lines of the document', async () => {
    set([commentOf('1', { quote: 'not there' }), commentOf('2')]);
    open();
    const heading = document.lineOf('## User, T1002: First line');
    await seen([heading, heading, ''], [heading + 4, heading + 4, '']);
    store.takeMessages(key, [saying('a', 1, 'One\n\nmore')]);
    document.text = (await sections.part(1)) ?? '';
    editor.events.change.fire({ document });
    await seen([heading + 2, heading + 2, ''], [heading + 6, heading + 6, '']);
  });

  it('that are written in a document quote its lines in the message where they begin', async () => {
    open();
    const two = document.lineOf('- two');
    const { thread, added } = reply(two, document.lineCount - 1, 'Why?');
    expect(await added).toBe('added');
    expect(thread.isDisposed).toBe(true);
    const quote = '- two\n- and **two**';
    const [comment] = draft().comments;
    expect(comment).toMatchObject({ messageId: 'b', quote, offset: 'Firstline'.length, text: 'Why?' });
    expect(comment?.commentId).toMatch(/^[0-9a-f-]{36}$/);
    await seen([two, two + 1, 'Why?']);
  });

  it('can be written in the document of one message, which has no headings', async () => {
    document = new FakeDocument('lineside', { messageId: 'b', form: 'text' });
    document.text = (await sections.copied('b')) ?? '';
    set([commentOf('1', { quote: 'First line', text: 'Why?' })]);
    open();
    await seen([0, 0, 'Why?']);
    const ranges = comments.provideCommentingRanges(document as unknown as vscode.TextDocument);
    expect(ranges).toMatchObject([{ start: { line: 0 }, end: { line: document.lineCount - 1 } }]);
    const two = document.lineOf('- two');
    expect(await reply(two, two, 'And this?').added).toBe('added');
    expect(draft().comments.at(-1)).toMatchObject({ messageId: 'b', quote: '- two', offset: 'Firstline'.length });
  });

  it.each([
    { messageId: 'b', outputOf: 0 },
    { messageId: 'b', form: 'branch' },
  ] as const)('cannot be written in a document that shows %o', (shows) => {
    document = new FakeDocument('lineside', shows);
    document.text = '## User\n\nText\n';
    open();
    expect(comments.provideCommentingRanges(document as unknown as vscode.TextDocument)).toEqual([]);
    expect(editor.controllers).toEqual([]);
  });

  it('that are written at a heading quote the first lines of the message', async () => {
    open();
    const heading = document.lineOf('## User, T1002: First line');
    expect(await reply(heading, heading, '').added).toBe('added');
    expect(draft().comments).toMatchObject([
      { messageId: 'b', quote: 'First line\n- two\n- and **two**', offset: 0, text: '' },
    ]);
  });

  it('that are written at a heading do not quote the facts about the message', async () => {
    store.takeMessages(key, [{ ...saying('d', 4, 'Four'), userMessageSource: 'slack' }]);
    document.text = (await sections.part(1)) ?? '';
    open();
    expect(document.text).toContain('*via Slack*');
    const heading = document.lineOf('## User, T1004: Four');
    expect(await reply(heading, heading, '').added).toBe('added');
    expect(draft().comments).toMatchObject([{ messageId: 'd', quote: 'Four' }]);
  });

  it('stay in their new thread if the draft is full', async () => {
    open();
    isFull = true;
    const { thread, added } = reply(document.lineCount - 2, document.lineCount - 2, 'Why?');
    expect([await added, thread.isDisposed]).toEqual(['full', false]);
  });

  it('stay in their new thread if there is no message at its lines anymore', async () => {
    open();
    store.removeSession(key);
    const { thread, added } = reply(document.lineCount - 2, document.lineCount - 2, 'Why?');
    expect([await added, thread.isDisposed]).toEqual(['noMessage', false]);
  });

  it('keep a text that is being edited when their message is sent, until it is saved or discarded', async () => {
    set([commentOf('1', { text: 'a' })]);
    open();
    const line = document.lineOf('- two');
    await seen([line, line, 'a']);
    const comment = only();
    Object.assign(comment.thread, { uri: document.uri });
    comments.edit(comment);
    comment.body = 'being edited';
    set([]);
    set([commentOf('2', { quote: 'First line' })]);
    await until(() => shown().length === 2);
    expect(shown()[0]).toEqual([line, line, 'being edited']);
    expect(await comments.save(comment)).toBe('added');
    expect(draft().comments).toMatchObject([{}, { messageId: 'b', quote: '- two', text: 'being edited' }]);
    await until(() => shown().length === 2);
    const added = only();
    comments.edit(added);
    set([]);
    await until(() => shown().length === 1);
    comments.cancel(added);
    expect(shown()).toEqual([]);
    set([commentOf('3')]);
    await until(() => shown().length === 1);
    const sent = only();
    comments.edit(sent);
    set([]);
    set([commentOf('4', { quote: 'First line' })]);
    await until(() => shown().length === 2);
    comments.remove(sent);
    await until(() => shown().length === 1);
  });

  it('open their field again if a text can no longer be saved', async () => {
    set([commentOf('1', { text: 'a' })]);
    open();
    const line = document.lineOf('- two');
    await seen([line, line, 'a']);
    const { thread } = only();
    Object.assign(thread, { uri: document.uri });
    // VS Code closes the field of a comment that is saved. It opens a field again only for another comment object, or
    // if the mode of the comment changes.
    const saved = async (text: string) => {
      const [comment] = thread.comments;
      if (!(comment instanceof DocumentComment)) throw new Error('there is no such comment');
      comment.body = text;
      const outcome = await comments.save(comment).catch((error: unknown) => error);
      return [outcome, thread.comments[0] === comment, thread.comments[0]?.mode, thread.comments[0]?.body];
    };
    comments.edit(only());
    set([]);
    isFull = true;
    expect(await saved('b')).toEqual(['full', false, 0, 'b']);
    set([commentOf('2', { quote: 'First line' })]);
    await until(() => shown().length === 2);
    expect(shown()[0]).toEqual([line, line, 'b']);
    const failed = new Error('the document cannot be read');
    vi.spyOn(sections, 'sections').mockRejectedValueOnce(failed);
    expect(await saved('c')).toEqual([failed, false, 0, 'c']);
    isFull = false;
    const [outcome] = await saved('d');
    expect([outcome, draft().comments[1]?.text]).toEqual(['added', 'd']);
    await until(() => shown().length === 2 && JSON.stringify(shown()).includes('"d"'));
    set([]);
    await seen();
  });

  it('stay in other documents if their text is discarded in one', async () => {
    set([commentOf('1', { text: 'a' })]);
    open();
    await until(() => shown().length === 1);
    const discarded = only();
    document = new FakeDocument('lineside', { messageId: 'b', form: 'text' });
    document.text = (await sections.copied('b')) ?? '';
    open();
    await until(() => shown().length === 2);
    comments.edit(discarded);
    comments.edit(only());
    set([]);
    comments.cancel(discarded);
    expect(shown()).toHaveLength(1);
    set([commentOf('1', { text: 'a' }), commentOf('2')]);
    await until(() => shown().length >= 4);
    expect(shown()).toHaveLength(4);
  });

  it('that are being edited stay in the same thread while their document is closed', async () => {
    set([commentOf('1', { text: 'a' }), commentOf('2', { quote: 'First line', text: 'b' })]);
    open();
    await until(() => shown().length === 2);
    const comment = editor.threads.map(({ comments: [first] }) => first).find((first) => first?.body === 'a');
    if (!(comment instanceof DocumentComment)) throw new Error('there is no such comment');
    comments.edit(comment);
    editor.events.close.fire(document);
    const line = document.lineOf('- two');
    expect(shown()).toEqual([[line, line, 'a']]);
    document = Object.assign(new FakeDocument(), { text: document.text });
    open();
    await until(() => shown().length === 2);
    comment.body = 'edited';
    expect(await comments.save(comment)).toBe('added');
    await until(() => JSON.stringify(shown()).includes('edited'));
    expect(shown()).toHaveLength(2);
    editor.events.close.fire(document);
    expect(shown()).toEqual([]);
  });

  it('are edited, saved, and removed', async () => {
    set([commentOf('1', { text: 'a' })]);
    open();
    const line = document.lineOf('- two');
    await seen([line, line, 'a']);
    const comment = only();
    expect(comment).toBeInstanceOf(DocumentComment);
    comments.edit(comment);
    expect(comment.mode).toBe(0);
    // VS Code puts the edited text into the comment.
    comment.body = 'being edited';
    set([commentOf('1', { text: 'elsewhere' }), commentOf('2')]);
    await until(() => shown().length === 2);
    expect(shown()[0]).toEqual([line, line, 'being edited']);
    comments.cancel(comment);
    expect([comment.mode, comment.body]).toEqual([1, 'elsewhere']);
    comments.edit(comment);
    comment.body = 'saved';
    expect(await comments.save(comment)).toBe('added');
    expect(comment.mode).toBe(1);
    expect(draft().comments.map(({ commentId, text }) => [commentId, text])).toEqual([
      ['2', ''],
      ['1', 'saved'],
    ]);
    comments.remove(comment);
    await seen([line, line, '']);
    comments.dispose();
  });
});
