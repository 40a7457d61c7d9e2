import assert from 'node:assert/strict';
import { mkdir, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { pickFile, pickSelections } from '../../../../src/host/editors/documents.ts';
import { attachmentRisk } from '../../../../src/host/editors/attachmentRisk.ts';
import { listFolder } from '../../../../src/host/files/folderFiles.ts';
import type { NotAttachable, PickedContent } from '../../../../src/host/editors/pickedContent.ts';
import { problemText, problemsOf } from '../../../../src/host/editors/diagnostics.ts';
import { readSettings } from '../../../../src/host/settings.ts';
import { findInWorkspace } from '../../../../src/host/files/workspacePaths.ts';
import type { HostTests } from '../../../../tools/editor/drive/hostTests.ts';

const maxBytes = 1_000;

/** Tests how picked files are read, with VS Code's own documents, folders, and settings. */
export const tests: HostTests = {
  'a selection is named after its lines, except a last line without selected characters': async () => {
    const editor = await vscode.window.showTextDocument(await make('lines.txt', 'one\ntwo\nthree\n'));
    const select = (...range: [number, number, number, number]) => new vscode.Selection(...range);
    editor.selections = [select(0, 1, 0, 2), select(1, 0, 2, 0), select(2, 0, 3, 0), select(0, 0, 0, 0)];
    const picked = pickSelections(editor);
    assert.deepEqual(
      picked.map(({ name }) => name),
      ['lines.txt#L1', 'lines.txt#L2', 'lines.txt#L3'],
    );
    assert.deepEqual(await Promise.all(picked.map(textOf)), ['n', 'two\n', 'three\n']);
    assert.deepEqual(
      picked.map(({ kind, path, isUnsaved }) => [kind, path, isUnsaved]),
      Array(3).fill(['selection', 'lines.txt', false]),
    );
    editor.selections = [select(0, 1, 0, 1)];
    assert.throws(() => pickSelections(editor), { reason: 'noSelection' });
    assert.throws(() => pickSelections(undefined), { reason: 'noEditor' });
  },
  'a file with unsaved changes has the content of its editor and is marked as unsaved': async () => {
    const uri = await make('changed.txt', 'on disk');
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), 'not ');
    await vscode.workspace.applyEdit(edit);
    const picked = await pickFile(uri, maxBytes);
    assert.deepEqual([await textOf(picked), picked.isUnsaved, picked.path], ['not on disk', true, 'changed.txt']);
    assert.equal(await document.save(), true);
    assert.equal((await pickFile(uri, maxBytes)).isUnsaved, false);
  },
  'text in any encoding becomes UTF-8, and other bytes stay as they are': async () => {
    const marked = Buffer.from('\ufeffwith a mark\r\n');
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 200, 255])]);
    const unknown = Buffer.from([0, 1, 2, 255]);
    const picked = async (name: string, bytes: Uint8Array) => {
      const content = await pickFile(await make(name, bytes), maxBytes);
      return [content.path, content.mediaType, await bytesOf(content)];
    };
    assert.deepEqual(await picked('wide.txt', Buffer.from('\ufeffÄpfel\n', 'utf16le')), [
      'wide.txt',
      'text/plain',
      Buffer.from('Äpfel\n'),
    ]);
    assert.deepEqual(await picked('marked.txt', marked), ['marked.txt', 'text/plain', marked]);
    assert.deepEqual(await picked('paper.pdf', pdf), ['paper.pdf', 'application/pdf', pdf]);
    assert.deepEqual(await picked('unknown.bin', unknown), ['unknown.bin', 'application/octet-stream', unknown]);
    const files = vscode.workspace.getConfiguration('files');
    await files.update('encoding', 'iso88591', vscode.ConfigurationTarget.Global);
    try {
      const text = Buffer.from('Äpfel und Öl\n');
      const latin = Buffer.from('Äpfel und Öl\n', 'latin1');
      assert.deepEqual(await picked('latin.txt', latin), ['latin.txt', 'text/plain', text]);
    } finally {
      await files.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
  },
  'a document that is not a file has the text of its editor': async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: 'Grüße, 世界 👋' });
    const ofUntitled = await pickFile(untitled.uri, maxBytes);
    assert.deepEqual([await textOf(ofUntitled), ofUntitled.path], ['Grüße, 世界 👋', undefined]);
    const { askBefore } = readSettings();
    assert.equal(await attachmentRisk(untitled.uri, askBefore), undefined);
    const provider = { provideTextDocumentContent: ({ path }: vscode.Uri) => `made of ${path}` };
    const provided = vscode.workspace.registerTextDocumentContentProvider('made', provider);
    try {
      const uri = folder().with({ scheme: 'made', path: `${folder().path}/src/price.ts` });
      await vscode.workspace.openTextDocument(uri);
      const picked = await pickFile(uri, maxBytes);
      assert.deepEqual([picked.name, picked.path, picked.mediaType], ['price.ts', undefined, 'text/plain']);
      assert.equal(await textOf(picked), `made of ${uri.path}`);
      assert.equal(await attachmentRisk(uri, askBefore), undefined);
      assert.equal(await attachmentRisk(uri.with({ path: `${folder().path}/.env` }), askBefore), 'secret');
    } finally {
      provided.dispose();
    }
  },
  'a file of another file system, such as an earlier version in Git, is outside the workspace': async () => {
    const bytes = Buffer.from('earlier\n');
    const registered = vscode.workspace.registerFileSystemProvider('earlier', fileSystemOf(bytes), {
      isReadonly: true,
    });
    try {
      const uri = folder().with({ scheme: 'earlier', path: `${folder().path}/src/price.ts`, query: 'HEAD' });
      const picked = await pickFile(uri, maxBytes);
      assert.deepEqual([picked.name, picked.path, picked.mediaType], ['price.ts', undefined, 'text/plain']);
      assert.deepEqual(await bytesOf(picked), bytes);
      assert.equal(await attachmentRisk(uri, readSettings().askBefore), 'outside');
    } finally {
      registered.dispose();
    }
  },
  "files that can't be attached are rejected with a reason": async () => {
    await refused(await make('empty.txt', ''), 'empty');
    await refused(await make('large.txt', 'x'.repeat(maxBytes + 1)), 'tooLarge', maxBytes + 1);
    await refused(folder(), 'folder');
    await refused(vscode.Uri.joinPath(folder(), 'not there'), 'unreadable');
    const allowed = await pickFile(await make('just.txt', 'x'.repeat(maxBytes)), maxBytes);
    assert.equal(allowed.sizeBytes, maxBytes);
  },
  'the size limit applies to the unsaved content in bytes': async () => {
    const uri = await make('grown.txt', 'ü');
    await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), 'ü'.repeat(maxBytes / 2));
    await vscode.workspace.applyEdit(edit);
    await refused(uri, 'tooLarge', maxBytes + 2);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  },
  'likely secrets, symbolic links, and files outside the workspace are recognized': async () => {
    const { askBefore } = readSettings();
    const risk = (uri: vscode.Uri) => attachmentRisk(uri, askBefore);
    for (const name of ['.env', 'deep/.env.local', 'keys/server.PEM', 'id_ed25519', 'a/b/id_rsa']) {
      assert.equal(await risk(await make(name, 'secret')), 'secret', name);
    }
    for (const name of ['environment.ts', 'src/env.ts', 'identity.ts']) {
      assert.equal(await risk(await make(name, 'none')), undefined, name);
    }
    const outside = vscode.Uri.joinPath(folder(), '..', 'elsewhere.txt');
    await writeFile(outside.fsPath, 'outside');
    assert.equal(await risk(outside), 'outside');
    assert.equal(await risk(vscode.Uri.joinPath(folder(), '..', '.env')), 'secret');
    const linked = vscode.Uri.joinPath(folder(), 'linked.txt');
    await symlink(outside.fsPath, linked.fsPath);
    assert.equal(await risk(linked), 'link');
    await symlink(dirname(folder().fsPath), join(folder().fsPath, 'way-out'));
    assert.equal(await risk(vscode.Uri.joinPath(folder(), 'way-out', 'elsewhere.txt')), 'link');
    await unlink(join(folder().fsPath, 'way-out'));
    assert.equal(await risk(vscode.Uri.parse('untitled:Untitled-9')), undefined);
    assert.equal(await risk(vscode.Uri.parse('untitled:/pasted/.env')), 'secret');
  },
  'a folder with too many files is listed up to the limit and marked as incomplete': async () => {
    for (const name of ['one', 'two', 'three']) await make(`many/${name}.txt`, name);
    const many = vscode.Uri.joinPath(folder(), 'many');
    const list = async (most: number) => listFolder(many, most, AbortSignal.timeout(30_000));
    assert.deepEqual(
      [(await list(3)).isTruncated, (await list(3)).uris.length, (await list(2)).isTruncated],
      [false, 3, true],
    );
    await assert.rejects(listFolder(many, 3, AbortSignal.abort(new Error('stopped'))), /stopped/);
    await assert.rejects(listFolder(vscode.Uri.joinPath(folder(), 'not there'), 3, AbortSignal.timeout(30_000)));
  },
  'problems are listed by position, in the format of compilers': async () => {
    const uri = await make('src/wrong.ts', 'let a = 1;\nlet b = 2;\n');
    const problems = vscode.languages.createDiagnosticCollection('checks');
    const place = (line: number, character: number) => new vscode.Range(line, character, line, character + 1);
    const later = new vscode.Diagnostic(place(1, 4), ' Unused.\nRemove it. ', vscode.DiagnosticSeverity.Hint);
    const first = new vscode.Diagnostic(place(0, 4), 'No such type.');
    first.source = 'ts';
    first.code = { value: 2304, target: vscode.Uri.parse('https://example.com') };
    first.relatedInformation = [
      new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, place(1, 0)), 'Meant\nthis?'),
    ];
    problems.set(uri, [later, first]);
    try {
      assert.equal(
        problemText([problemsOf(uri)]),
        [
          'src/wrong.ts:1:5: error: No such type. [ts 2304]',
          '  src/wrong.ts:2:1: Meant this?',
          'src/wrong.ts:2:5: hint: Unused.',
          '  Remove it.',
          '',
        ].join('\n'),
      );
      assert.deepEqual(
        [1, 2, 3].map((line) => problemsOf(uri, line).diagnostics.length),
        [1, 1, 0],
      );
    } finally {
      problems.dispose();
    }
  },
  'a path in a message only refers to files in the workspace': async () => {
    await make('src/there.ts', 'there');
    const found = async (text: string) => {
      const [place] = await findInWorkspace(text);
      const { start, end } = place?.selection ?? {};
      const name = place && vscode.workspace.asRelativePath(place.uri);
      return start && end ? [name, start.line, start.character, end.line] : name;
    };
    for (const text of ['src/there.ts', './src/there.ts', 'src\\there.ts', `${folder().path}/src/there.ts`]) {
      assert.equal(await found(text), 'src/there.ts', text);
    }
    assert.deepEqual(await found('src/there.ts:10'), ['src/there.ts', 9, 0, 9]);
    assert.deepEqual(await found('src/there.ts:10:5'), ['src/there.ts', 9, 4, 9]);
    assert.deepEqual(await found('src/there.ts#L3-L8'), ['src/there.ts', 2, 0, 7]);
    await writeFile(join(folder().fsPath, '..', 'elsewhere.txt'), 'outside');
    for (const text of ['../elsewhere.txt', 'src/../../elsewhere.txt', '/etc/hostname', 'src', '', 'none.ts']) {
      assert.equal(await found(text), undefined, text);
    }
  },
};

function folder(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  assert.ok(first, 'no folder is open');
  return first.uri;
}

/** A file system in which every path is a file with the same content. */
function fileSystemOf(bytes: Uint8Array): vscode.FileSystemProvider {
  const readOnly = (): never => {
    throw vscode.FileSystemError.NoPermissions();
  };
  return {
    onDidChangeFile: () => ({ dispose: () => undefined }),
    watch: () => ({ dispose: () => undefined }),
    stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: bytes.byteLength }),
    readFile: () => bytes,
    readDirectory: readOnly,
    createDirectory: readOnly,
    writeFile: readOnly,
    delete: readOnly,
    rename: readOnly,
  };
}

/** Writes a file to the workspace and returns its URI. */
async function make(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(folder(), path);
  await mkdir(dirname(uri.fsPath), { recursive: true });
  await writeFile(uri.fsPath, content);
  return uri;
}

async function textOf(content: PickedContent): Promise<string> {
  return (await bytesOf(content)).toString('utf8');
}

async function bytesOf(content: PickedContent): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content.read()) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

async function refused(uri: vscode.Uri, reason: NotAttachable['reason'], sizeBytes?: number): Promise<void> {
  await assert.rejects(pickFile(uri, maxBytes), { reason, sizeBytes });
}
