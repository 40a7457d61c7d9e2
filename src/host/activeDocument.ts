import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { mediaTypeOf, sampleBytes } from './mediaType.ts';
import { NotAttachable, type PickedContent } from './pickedContent.ts';

const utf8Encodings = new Set(['utf8', 'utf8bom']);

/**
 * The selections of an editor, each as a file of its own that holds exactly the selected text as UTF-8, unsaved changes
 * included. Throws {@link NotAttachable} where nothing is selected.
 */
export function pickSelections(editor: vscode.TextEditor | undefined): PickedContent[] {
  if (!editor) throw new NotAttachable('noEditor', '');
  const { document } = editor;
  const selections = editor.selections.filter((selection) => !selection.isEmpty);
  if (selections.length === 0) throw new NotAttachable('noSelection', baseName(document.uri));
  return selections.map((selection) => ({
    ...contentOfText(document, document.getText(selection)),
    kind: 'selection',
    name: `${baseName(document.uri)}#${lineRange(selection)}`,
  }));
}

/**
 * A file as a person sees it: the editor's text where it has unsaved changes or another encoding than UTF-8, else the
 * bytes on disk, byte order mark included (design, section 6). Read through the editor's file system, so that remote and
 * virtual files work; local ones are streamed (R36).
 * @throws NotAttachable for a folder, an empty file, one over `maxBytes`, and one that cannot be read.
 */
export async function pickFile(uri: vscode.Uri, maxBytes: number): Promise<PickedContent> {
  const name = baseName(uri);
  const document = vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
  if (document && (document.isDirty || document.isUntitled || !utf8Encodings.has(document.encoding))) {
    return checked({ ...contentOfText(document, document.getText()), kind: 'file', name }, maxBytes);
  }
  const stat = await readable(name, () => vscode.workspace.fs.stat(uri));
  if (stat.type & vscode.FileType.Directory) throw new NotAttachable('folder', name);
  if (stat.size > maxBytes) throw new NotAttachable('tooLarge', name, stat.size);
  if (stat.size === 0) throw new NotAttachable('empty', name);
  const bytes = uri.scheme === 'file' ? undefined : await readable(name, () => vscode.workspace.fs.readFile(uri));
  const mediaType = mediaTypeOf(bytes?.subarray(0, sampleBytes) ?? (await readable(name, () => readStart(uri.fsPath))));
  return {
    kind: mediaType.startsWith('image/') ? 'image' : 'file',
    name,
    path: workspacePath(uri),
    mediaType,
    sizeBytes: bytes?.byteLength ?? stat.size,
    isUnsaved: false,
    read: () => (bytes ? single(bytes) : createReadStream(uri.fsPath, { highWaterMark: 192 * 1024 })),
  };
}

/** Where a file is inside its workspace folder, with forward slashes; undefined outside (R36: never absolute). */
export function workspacePath(uri: vscode.Uri): string | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return undefined;
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, '');
  return relative === '' ? undefined : relative;
}

function contentOfText(document: vscode.TextDocument, text: string): Omit<PickedContent, 'kind' | 'name'> {
  const bytes = new TextEncoder().encode(text);
  return {
    path: workspacePath(document.uri),
    mediaType: 'text/plain',
    sizeBytes: bytes.byteLength,
    isUnsaved: document.isDirty,
    read: () => single(bytes),
  };
}

function checked(content: PickedContent, maxBytes: number): PickedContent {
  if (content.sizeBytes === 0) throw new NotAttachable('empty', content.name);
  if (content.sizeBytes > maxBytes) throw new NotAttachable('tooLarge', content.name, content.sizeBytes);
  return content;
}

/** `L10-L24`, or `L10` for one line; a selection that ends before a line's first character does not include it. */
function lineRange(selection: vscode.Selection): string {
  const { start, end } = selection;
  const lastLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return lastLine === start.line ? `L${start.line + 1}` : `L${start.line + 1}-L${lastLine + 1}`;
}

function baseName(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? '';
}

async function readStart(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(sampleBytes), 0, sampleBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readable<T>(name: string, read: () => PromiseLike<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new NotAttachable('unreadable', name, undefined, error);
  }
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
