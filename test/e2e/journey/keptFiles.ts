import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Editor } from '../../../tools/editor/run/editor.ts';

/** The contents of all files of drafts and their comments on disk, joined into one string. */
export async function draftsOnDisk({ dataFolder }: Editor): Promise<string> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  const drafts = entries.filter(
    (entry) => entry.isFile() && ['drafts', 'comments'].includes(basename(entry.parentPath)),
  );
  return (await Promise.all(drafts.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join();
}

/** The contents of all cache index files on disk, joined into one string. They include message IDs and first lines. */
export async function cachedOnDisk({ dataFolder }: Editor): Promise<string> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  const isIndex = ({ parentPath, name }: (typeof entries)[number]) =>
    name.endsWith('.index') && basename(dirname(parentPath)) === 'cache';
  const indexes = entries.filter(isIndex);
  return (await Promise.all(indexes.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join();
}

/** The names of the files on disk that store attachment bytes. */
export async function attachmentsOnDisk({ dataFolder }: Editor): Promise<string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  return entries.flatMap(({ parentPath, name }) => (basename(parentPath) === 'blobs' ? [name] : []));
}

/** The last lines of the extension's newest log; empty if there is none. */
export async function endOfLog({ dataFolder }: Editor, lineCount = 20): Promise<string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  const logs = entries
    .filter(({ parentPath, name }) => basename(parentPath) === 'lineside.lineside' && name.endsWith('.log'))
    .map(({ parentPath, name }) => join(parentPath, name));
  const changedAt = await Promise.all(logs.map(async (file) => (await stat(file)).mtimeMs));
  const newest = logs[changedAt.indexOf(Math.max(...changedAt))];
  if (newest === undefined) return [];
  return (await readFile(newest, 'utf8')).trimEnd().split('\n').slice(-lineCount);
}

/** The paths of all files of VS Code and its extensions, except those of the installed extension. */
export async function filesOnDisk({ dataFolder }: Editor): Promise<string[]> {
  const entries = await readdir(dataFolder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(join(dataFolder, 'extensions')))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The files that contain a text. */
export async function filesWith(files: readonly string[], text: string): Promise<string[]> {
  const contents = await Promise.all(files.map((file) => readFile(file).catch(emptyWhereGone)));
  return files.filter((_, index) => contents[index]?.includes(text));
}

/** Treats a file that VS Code deletes during the search as empty. Rethrows all other errors. */
function emptyWhereGone(error: unknown): Buffer {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.of();
  throw error;
}
