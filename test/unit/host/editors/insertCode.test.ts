import { afterEach, describe, expect, it, vi } from 'vitest';
import { insertAtCursor, openInNewFile, targetEditor } from '../../../../src/host/editors/insertCode.ts';
import { fileSchemes } from '../../../../src/host/readOnlyFiles/readOnlyFileSystem.ts';
import { Uri, window, workspace } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

/** The paths of the documents into which text was inserted. */
const inserted: string[] = [];
afterEach(() => {
  inserted.length = 0;
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
});

function editorOf(scheme: string, path: string, viewColumn = 1): object {
  const edit = () => {
    inserted.push(path);
    return Promise.resolve(true);
  };
  return { document: { uri: Uri.from({ scheme, path }) }, selections: [], viewColumn, edit };
}

describe('code from a page', () => {
  const file = editorOf('file', '/work/a.ts');

  it.each(Object.values(fileSchemes))('is inserted into a file, not into a document of ours: %s', async (scheme) => {
    const own = editorOf(scheme, '/a.ts');
    window.visibleTextEditors = [own, file];
    expect(await insertAtCursor('x')).toBeUndefined();
    window.activeTextEditor = own;
    expect(await insertAtCursor('x')).toBeUndefined();
    expect(inserted).toEqual(['/work/a.ts', '/work/a.ts']);
    window.visibleTextEditors = [own];
    expect(await insertAtCursor('x')).toBe('noEditor');
  });

  it('is inserted into the file of the active comparison, not into one in another group', async () => {
    const own = editorOf(fileSchemes.change, '/a.ts');
    window.visibleTextEditors = [editorOf('file', '/work/b.ts', 2), own, file];
    window.activeTextEditor = own;
    expect(await insertAtCursor('x')).toBeUndefined();
    expect(inserted).toEqual(['/work/a.ts']);
  });

  it('can be compared with a document of ours', () => {
    const own = editorOf(fileSchemes.attachment, '/a.ts');
    window.visibleTextEditors = [own, file];
    window.activeTextEditor = own;
    expect(targetEditor()).toBe(own);
  });
});

describe('code in a new file', () => {
  it('is followed before it is shown, so that it never has a live link to a file', async () => {
    const order: unknown[] = [];
    const document = { languageId: 'python' };
    const open = vi.fn((given: object) => Promise.resolve({ ...document, ...given }));
    vi.spyOn(workspace, 'openTextDocument').mockImplementation(open);
    vi.spyOn(window, 'showTextDocument').mockImplementation((shown) => Promise.resolve(order.push(['shown', shown])));
    const inert = { follow: (followed: object) => order.push(['followed', followed]) };
    await openInNewFile('see file:///etc', 'py', inert as never);
    const opened = { content: 'see file:///etc', language: 'python', languageId: 'python' };
    expect(order).toEqual([
      ['followed', opened],
      ['shown', opened],
    ]);
  });
});
