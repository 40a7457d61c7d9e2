import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import * as vscode from 'vscode';

/**
 * Writes a file atomically: to a temporary file in the same folder, which then replaces `target`. A local file is
 * written in chunks; for other file systems, the chunks are joined first. If writing fails, rejects and deletes the
 * temporary file.
 */
export async function writeWholeFile(target: vscode.Uri, pieces: AsyncIterable<string>): Promise<void> {
  // The name is short, because the name of the target may be as long as the file system allows.
  const name = `lineside-${randomBytes(4).toString('hex')}.partial`;
  const temporary = target.with({ path: target.path.replace(/(?<![^/])[^/]*$/, name) });
  try {
    if (target.scheme === 'file') {
      await writeLocal(temporary.fsPath, pieces);
      await rename(temporary.fsPath, target.fsPath);
      return;
    }
    await vscode.workspace.fs.writeFile(temporary, await joined(pieces));
    await vscode.workspace.fs.rename(temporary, target, { overwrite: true });
  } catch (error) {
    await removeIfThere(temporary);
    throw error;
  }
}

async function writeLocal(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx');
  try {
    for await (const piece of pieces) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function joined(pieces: AsyncIterable<string>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(Buffer.from(piece));
  return Buffer.concat(chunks);
}

async function removeIfThere(uri: vscode.Uri): Promise<void> {
  try {
    if (uri.scheme === 'file') await rm(uri.fsPath, { force: true });
    else await vscode.workspace.fs.delete(uri);
  } catch {
    // The file may not exist.
  }
}
