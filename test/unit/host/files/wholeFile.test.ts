import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

vi.mock('vscode', () => ({}));

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-whole-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file URI with only the members that writing needs. */
function fileUri(path: string): vscode.Uri {
  const uri = { scheme: 'file', path, fsPath: path, with: (change: { path: string }) => fileUri(change.path) };
  return uri as unknown as vscode.Uri;
}

async function* pieces(count: number, failure?: Error): AsyncGenerator<string> {
  for (let number = 0; number < count; number++) {
    await Promise.resolve();
    yield `piece ${number}\n`;
  }
  if (failure) throw failure;
}

describe('writing a whole file', () => {
  let target = '';
  beforeEach(async () => {
    target = join(folder, 'export.md');
    await writeFile(target, 'what was there before');
  });

  it('replaces the existing file', async () => {
    const { writeWholeFile } = await import('../../../../src/host/files/wholeFile.ts');
    await writeWholeFile(fileUri(target), pieces(3));
    expect(await readFile(target, 'utf8')).toBe('piece 0\npiece 1\npiece 2\n');
    expect(await readdir(folder)).toEqual(['export.md']);
  });

  it('can write a file whose name is as long as the file system allows', async () => {
    const { writeWholeFile } = await import('../../../../src/host/files/wholeFile.ts');
    const long = join(folder, `${'あ'.repeat(84)}.md`);
    await writeWholeFile(fileUri(long), pieces(1));
    expect(await readFile(long, 'utf8')).toBe('piece 0\n');
    await rm(long);
  });

  it.each(['cancelled', 'failed'])('leaves the existing file unchanged if writing is %s', async (how) => {
    const { writeWholeFile } = await import('../../../../src/host/files/wholeFile.ts');
    const reason = how === 'cancelled' ? new DOMException('stop', 'AbortError') : new Error('the disk is full');
    await expect(writeWholeFile(fileUri(target), pieces(2_000, reason))).rejects.toBe(reason);
    expect(await readFile(target, 'utf8')).toBe('what was there before');
    expect(await readdir(folder)).toEqual(['export.md']);
    const absent = join(folder, 'absent.md');
    await expect(writeWholeFile(fileUri(absent), pieces(2, reason))).rejects.toBe(reason);
    expect(await readdir(folder)).toEqual(['export.md']);
  });
});
