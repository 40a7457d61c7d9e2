import * as vscode from 'vscode';
import { readLocalFile, readLocalStart } from '../files/localFile.ts';
import { mediaTypeOf, sampleBytes } from '../files/mediaType.ts';
import { NotAttachable, type PickedContent, contentOfText } from './pickedContent.ts';
import { inOnePiece } from '../files/inOnePiece.ts';
import { isShownDirty } from './openEditors.ts';
import { textInOtherEncoding } from '../files/textEncoding.ts';
import { baseName, workspacePath } from '../files/workspacePaths.ts';

const utf8Encodings = new Set(['utf8', 'utf8bom']);

/**
 * Picks the selections of an editor, each as a separate UTF-8 file, including unsaved changes.
 * @throws NotAttachable if there is no editor or nothing is selected.
 */
export function pickSelections(editor: vscode.TextEditor | undefined): PickedContent[] {
  if (!editor) throw new NotAttachable('noEditor', '');
  const { document } = editor;
  const selections = editor.selections.filter((selection) => !selection.isEmpty);
  if (selections.length === 0) throw new NotAttachable('noSelection', baseName(document.uri));
  return selections.map((selection) => pickRange(document, selection));
}

/**
 * Picks a part of a document as a UTF-8 file, including unsaved changes.
 * @throws NotAttachable if it contains no text.
 */
export function pickRange(document: vscode.TextDocument, range: vscode.Range): PickedContent {
  const name = `${baseName(document.uri)}#${lineRange(range)}`;
  const content = contentOfDocument(document, document.getText(range), name);
  if (content.sizeBytes === 0) throw new NotAttachable('empty', name);
  return { ...content, kind: 'selection' };
}

/**
 * Picks a file as the user sees it (spec 10.12): the text of its open document if the document has unsaved changes,
 * isn't UTF-8, or has no file; the decoded text if VS Code doesn't read the file as UTF-8; otherwise the bytes on disk,
 * including a byte order mark. Uses VS Code's file system, so that remote and virtual files work, and streams local
 * files. Checks the size of a file before reading it (R36).
 * @throws NotAttachable if it is a folder, empty, larger than `maxBytes`, or unreadable, or if only a custom editor has
 * its unsaved changes.
 */
export async function pickFile(uri: vscode.Uri, maxBytes: number): Promise<PickedContent> {
  const name = baseName(uri);
  const document = openDocument(uri);
  if (document && isOnlyInEditor(document)) {
    return checkedSize(contentOfDocument(document, document.getText(), name), maxBytes);
  }
  if (!document && isShownDirty(uri)) throw new NotAttachable('unsaved', name);
  const stat = await readable(name, () => vscode.workspace.fs.stat(uri));
  if (stat.type & vscode.FileType.Directory) throw new NotAttachable('folder', name);
  if (stat.size > maxBytes) throw new NotAttachable('tooLarge', name, stat.size);
  if (stat.size === 0) throw new NotAttachable('empty', name);
  const bytes = uri.scheme === 'file' ? undefined : await readable(name, () => vscode.workspace.fs.readFile(uri));
  const sample =
    bytes?.subarray(0, sampleBytes) ?? (await readable(name, () => readLocalStart(uri.fsPath, sampleBytes)));
  const text = await readable(name, () => textInOtherEncoding(uri, sample));
  if (text !== undefined)
    return checkedSize(contentOfText(text, { name, path: workspacePath(uri), sourceUri: uri.toString() }), maxBytes);
  const mediaType = mediaTypeOf(sample);
  return {
    kind: mediaType.startsWith('image/') ? 'image' : 'file',
    name,
    path: workspacePath(uri),
    mediaType,
    sizeBytes: bytes?.byteLength ?? stat.size,
    isUnsaved: false,
    sourceUri: uri.toString(),
    read: () => (bytes ? inOnePiece(bytes) : readLocalFile(uri.fsPath)),
  };
}

/** Picks bytes that were pasted or dropped. @throws NotAttachable if there are none. */
export function pickBytes(name: string, bytes: Uint8Array): PickedContent {
  if (bytes.byteLength === 0) throw new NotAttachable('empty', name);
  const mediaType = mediaTypeOf(bytes.subarray(0, sampleBytes));
  const kind = mediaType.startsWith('image/') ? 'image' : 'file';
  return { kind, name, mediaType, sizeBytes: bytes.byteLength, isUnsaved: false, read: () => inOnePiece(bytes) };
}

/** The open document of a file; undefined if the file isn't open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri.toString());
}

/** Whether a URI can refer to a file. Untitled documents and documents of content providers have no file. */
export function hasFileSystem({ scheme }: vscode.Uri): boolean {
  return scheme !== 'untitled' && vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
}

/** Whether the file on disk is older than the document, not UTF-8, or missing. */
function isOnlyInEditor(document: vscode.TextDocument): boolean {
  return document.isDirty || !hasFileSystem(document.uri) || !utf8Encodings.has(document.encoding);
}

function contentOfDocument({ uri, isDirty }: vscode.TextDocument, text: string, name: string): PickedContent {
  return contentOfText(text, { name, path: workspacePath(uri), isUnsaved: isDirty, sourceUri: uri.toString() });
}

function checkedSize(content: PickedContent, maxBytes: number): PickedContent {
  if (content.sizeBytes === 0) throw new NotAttachable('empty', content.name);
  if (content.sizeBytes > maxBytes) throw new NotAttachable('tooLarge', content.name, content.sizeBytes);
  return content;
}

/** `L10-L24`, or `L10` for one line. The last line is not included if the range ends before its first character. */
export function lineRange({ start, end }: vscode.Range): string {
  const lastLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return lastLine === start.line ? `L${start.line + 1}` : `L${start.line + 1}-L${lastLine + 1}`;
}

async function readable<T>(name: string, read: () => PromiseLike<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new NotAttachable('unreadable', name, undefined, error);
  }
}
