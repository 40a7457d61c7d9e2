import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Comparisons } from '../../../../src/commands/conversation/comparisons.ts';
import type { DocumentContent } from '../../../../src/state/documents/documentUri.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import type { ConversationDocuments } from '../../../../src/views/documents/conversationDocuments.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { clipboard, recorded, Uri, window } from '../../../fakes/recordedEditor.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { hostile, hostileShown, isDisguised, key, ready, sessionOf, t } from '../../state/samples.ts';
import { messageOf } from '../../views/conversation/pageRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const other: SessionKey = { ...key, sessionId: 'session-2' };

class Rig {
  readonly store = new Store(memoryBodies());
  readonly comparisons: Comparisons;

  constructor() {
    this.store.setConnection(ready);
    for (const sessionKey of [key, other]) {
      this.store.addSession({ key: sessionKey, addedAt: 1 });
      const title = sessionKey === key ? 'Fix the login' : hostile;
      this.store.takeSession(sessionKey, sessionOf({ ...sessionKey, title }), 1_000, 1);
      this.store.takeMessages(sessionKey, [
        messageOf('a', 1),
        messageOf('b', 2, { role: 'assistant', parentId: 'a' }),
        messageOf('c', 3, { role: 'assistant', parentId: 'a' }),
        messageOf('d', 4, { role: 'assistant', parentId: 'a' }),
      ]);
    }
    const load = ({ sessionId }: SessionKey, shows: DocumentContent) =>
      Promise.resolve(Uri.from({ scheme: 'lineside', path: `/${sessionId}/${JSON.stringify(shows)}` }));
    const documents = { load } as unknown as ConversationDocuments;
    this.comparisons = new Comparisons({ store: this.store, documents, t });
  }

  /** The sides and the title of the last comparison. */
  get shown() {
    const [command, left, right, title] = recorded.findLast(({ what }) => what === 'command')?.args ?? [];
    expect(command).toBe('vscode.diff');
    return { left: left as Uri, right: right as Uri, title: String(title).replace(/[\u2068\u2069]/g, '') };
  }

  async textOf(uri: Uri): Promise<string> {
    const { files } = this.comparisons;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await files.readFile(uri as never));
  }
}

const time = (ms: number) => t.formats.dateTime(ms);
const editorWith = (uri: Uri, selected = '') => ({
  document: { uri, getText: () => selected },
  selection: { isEmpty: selected === '', start: { line: 2, character: 0 }, end: { line: 4, character: 0 } },
});

beforeEach(() => {
  recorded.length = 0;
  Object.assign(window, { activeTextEditor: undefined, visibleTextEditors: [] });
});

describe('a comparison of messages', () => {
  it('has the selected message on the left, and names both sides', async () => {
    const rig = new Rig();
    const { comparisons } = rig;
    await expect(comparisons.withSelected({ key, messageId: 'b' })).rejects.toThrow('Select a message first');
    comparisons.select({ key, messageId: 'a' });
    expect(recorded.at(-1)?.args).toEqual(['setContext', 'lineside.hasMessageToCompare', true]);
    await comparisons.withSelected({ key, messageId: 'b' });
    const { left, right, title } = rig.shown;
    expect(left.path).toBe('/session-1/{"messageId":"a","form":"text"}');
    expect(right.path).toBe('/session-1/{"messageId":"b","form":"text"}');
    expect(title).toBe(`User, ${time(1_001)} ↔ Assistant, ${time(1_002)}`);
  });

  it('names the sessions if they differ, and their titles stay plain', async () => {
    const rig = new Rig();
    rig.comparisons.select({ key: other, messageId: 'a' });
    await rig.comparisons.withSelected({ key, messageId: 'b' });
    const { left, title } = rig.shown;
    expect(left.path).toMatch(/^\/session-2\//);
    expect(title).toBe(`User, ${time(1_001)} (${hostileShown}) ↔ Assistant, ${time(1_002)} (Fix the login)`);
    expect(isDisguised(title)).toBe(false);
    rig.store.removeSession(other);
    await expect(rig.comparisons.withSelected({ key, messageId: 'b' })).rejects.toThrow('Select a message first');
  });

  it('can have the clipboard on the left, in which a preview loads nothing either', async () => {
    const rig = new Rig();
    clipboard.text = '# Copied ![a](https://a.test)\n\n';
    await rig.comparisons.withClipboard({ key, messageId: 'a' });
    const { left, right, title } = rig.shown;
    expect(await rig.textOf(left)).toBe('\ufeff# Copied !\\[a]\\(https://a.test)\n');
    expect(left.path).toBe('/Clipboard.md.txt');
    expect(left.toString()).not.toContain('Copied');
    expect(right.path).toBe('/session-1/{"messageId":"a","form":"text"}');
    expect(title).toBe(`Clipboard ↔ User, ${time(1_001)}`);
  });

  it('can be one of branches, with the earlier one on the left', async () => {
    const rig = new Rig();
    expect(rig.comparisons.branchesAt({ key, messageId: 'a' })).toBeUndefined();
    const place = rig.comparisons.branchesAt({ key, messageId: 'd' });
    expect(place).toEqual({ index: 2, messageIds: ['b', 'c', 'd'] });
    await rig.comparisons.branches(key, place?.messageIds ?? [], [2, 0]);
    const { left, right, title } = rig.shown;
    expect(left.path).toBe('/session-1/{"messageId":"b","form":"branch"}');
    expect(right.path).toBe('/session-1/{"messageId":"d","form":"branch"}');
    expect(title).toBe('Branch 1 of 3 ↔ Branch 3 of 3');
  });
});

describe('a comparison of a code block', () => {
  const file = Uri.parse('file:///work/a%20b.ts');

  it('has the file of the active editor on the left', async () => {
    const rig = new Rig();
    await expect(rig.comparisons.editorWithCode('x')).rejects.toThrow('Open a file');
    window.activeTextEditor = editorWith(file);
    await rig.comparisons.editorWithCode('const a = 1;');
    const { left, right, title } = rig.shown;
    expect(left).toBe(file);
    expect(right.path).toBe('/a b.ts');
    expect(await rig.textOf(right)).toBe('\ufeffconst a = 1;');
    expect(title).toBe('a b.ts ↔ Code Block');
  });

  it('has the selection on the left if there is one', async () => {
    const rig = new Rig();
    window.activeTextEditor = editorWith(file, 'const a = 0;');
    await rig.comparisons.editorWithCode('const a = 1;');
    const { left, right, title } = rig.shown;
    expect(await rig.textOf(left)).toBe('\ufeffconst a = 0;');
    expect(await rig.textOf(right)).toBe('\ufeffconst a = 1;');
    expect(title).toBe('a b.ts#L3-L4 ↔ Code Block');
  });

  it('has the file on the left again while a comparison with it is active', async () => {
    const rig = new Rig();
    window.activeTextEditor = editorWith(file);
    await rig.comparisons.editorWithCode('first');
    const first = rig.shown;
    const inColumn = (uri: Uri) => ({ ...editorWith(uri), viewColumn: 1 });
    const besides = { ...editorWith(Uri.parse('file:///work/b.ts')), viewColumn: 2 };
    window.activeTextEditor = inColumn(first.right);
    window.visibleTextEditors = [besides, inColumn(file), window.activeTextEditor];
    await rig.comparisons.editorWithCode('second');
    expect(rig.shown.left.toString()).toBe(file.toString());
  });

  it('is kept in memory only with the last ones', async () => {
    const rig = new Rig();
    window.activeTextEditor = editorWith(file);
    const shown: Uri[] = [];
    for (let at = 0; at <= 20; at += 1) {
      await rig.comparisons.editorWithCode(`code ${at}`);
      shown.push(rig.shown.right);
    }
    const [first, second] = shown;
    if (!first || !second) throw new Error('Nothing was shown.');
    expect(await rig.textOf(second)).toBe('\ufeffcode 1');
    await expect(rig.textOf(first)).rejects.toThrow();
  });
});
