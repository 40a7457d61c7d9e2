import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import * as vscode from 'vscode';

/**
 * Writes a file from pieces: beside it first, then in its place, so that there is never half of it. A file of this
 * machine is written piece by piece; where only VS Code can write, which takes whole files, the pieces are gathered.
 * Rejects, with nothing left behind, where the pieces or the writing fail.
 */
export async function writeWholeFile(target: vscode.Uri, pieces: AsyncIterable<string>): Promise<void> {
  const beside = target.with({ path: `${target.path}.${randomBytes(4).toString('hex')}.partial` });
  try {
    if (target.scheme === 'file') {
      await writeLocal(beside.fsPath, pieces);
      await rename(beside.fsPath, target.fsPath);
      return;
    }
    await vscode.workspace.fs.writeFile(beside, await gathered(pieces));
    await vscode.workspace.fs.rename(beside, target, { overwrite: true });
  } catch (error) {
    await removeIfThere(beside);
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

async function gathered(pieces: AsyncIterable<string>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const piece of pieces) chunks.push(new TextEncoder().encode(piece));
  return Buffer.concat(chunks);
}

async function removeIfThere(uri: vscode.Uri): Promise<void> {
  try {
    if (uri.scheme === 'file') await rm(uri.fsPath, { force: true });
    else await vscode.workspace.fs.delete(uri);
  } catch {
    // It was not there yet.
  }
}
