import type { Dirent } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { undefinedIfMissing } from '../../../src/sync/storage/atomicFile.ts';
import type { Editor } from '../../../tools/editor/run/editor.ts';

/** The contents of all files of drafts and their comments on disk, joined into one string. */
export async function draftsOnDisk(editor: Editor): Promise<string> {
  const entries = await entriesOf(editor);
  const drafts = entries.filter(
    (entry) => entry.isFile() && ['drafts', 'comments'].includes(basename(entry.parentPath)),
  );
  return joinedText(drafts);
}

/** The contents of all cache index files on disk, joined into one string. They include message IDs and first lines. */
export async function cachedOnDisk(editor: Editor): Promise<string> {
  const entries = await entriesOf(editor);
  const isIndex = ({ parentPath, name }: Dirent) =>
    name.endsWith('.index') && basename(dirname(parentPath)) === 'cache';
  const indexes = entries.filter(isIndex);
  return joinedText(indexes);
}

/** The names of the files on disk that store attachment bytes. */
export async function attachmentsOnDisk(editor: Editor): Promise<string[]> {
  const entries = await entriesOf(editor);
  return entries.flatMap(({ parentPath, name }) => (basename(parentPath) === 'blobs' ? [name] : []));
}

/** The files with compiled code, each with the time when it was written. */
export async function compiledOnDisk(editor: Editor): Promise<string[]> {
  const entries = await entriesOf(editor);
  const files = entries.filter(({ parentPath, name }) => basename(parentPath) === 'compiled' && name.endsWith('.bin'));
  return Promise.all(
    files.map(async ({ parentPath, name }) => `${name} ${(await stat(join(parentPath, name))).mtimeMs}`),
  );
}

/** The last lines of the extension's newest log; empty if there is none. */
export async function endOfLog(editor: Editor, lineCount = 20): Promise<string[]> {
  const entries = await entriesOf(editor);
  const logs = entries
    .filter(({ parentPath, name }) => basename(parentPath) === 'lineside.lineside' && name.endsWith('.log'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const changedAt = await Promise.all(logs.map(async (file) => (await stat(file)).mtimeMs));
  const newest = logs[changedAt.indexOf(Math.max(...changedAt))];
  if (newest === undefined) return [];
  return (await readFile(newest, 'utf8')).trimEnd().split('\n').slice(-lineCount);
}

/** The paths of all files below the data folder of an editor, except those of installed extensions. */
export async function filesOnDisk(editor: Editor): Promise<string[]> {
  const { dataFolder } = editor;
  return (await entriesOf(editor))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(join(dataFolder, 'extensions')))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files that contain a text. */
export async function filesWith(files: readonly string[], text: string): Promise<string[]> {
  // VS Code can delete a file during the search.
  const contents = await Promise.all(files.map((file) => undefinedIfMissing(readFile(file))));
  return files.filter((_, index) => contents[index]?.includes(text));
}

/**
 * All files and folders below the data folder of an editor. Starts again if VS Code removes a folder meanwhile.
 * Rejects if the data folder itself is missing.
 */
async function entriesOf(editor: Editor): Promise<Dirent[]> {
  const entries = await undefinedIfMissing(readdir(editor.dataFolder, { recursive: true, withFileTypes: true }));
  if (entries) return entries;
  await stat(editor.dataFolder);
  return entriesOf(editor);
}

/** The contents of files, joined. */
async function joinedText(files: readonly Dirent[]): Promise<string> {
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join();
}
