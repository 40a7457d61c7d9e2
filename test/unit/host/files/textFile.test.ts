import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { readText } from '../../../../src/host/files/textFile.ts';
import { configured, Uri } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-text-'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => configured.delete('files.encoding'));

async function readBytes(bytes: Uint8Array): Promise<string | undefined> {
  const path = join(folder, 'a.txt');
  await writeFile(path, bytes);
  return readText(Uri.file(path) as unknown as vscode.Uri);
}

describe('the text of a file on disk', () => {
  it.each([
    ['utf8', Buffer.from('Äpfel')],
    ['iso88591', Buffer.from('Äpfel', 'latin1')],
    ['utf-16le', Buffer.from('Äpfel', 'utf16le')],
  ])('is decoded as VS Code does it: %s', async (encoding, bytes) => {
    configured.set('files.encoding', encoding);
    expect(await readBytes(bytes)).toBe('Äpfel');
  });

  it('is none if the file is binary, too long, or not there', async () => {
    expect(await readBytes(Buffer.from('a\0b'))).toBeUndefined();
    expect(await readBytes(Buffer.alloc(2_000_001, 'a'))).toBeUndefined();
    expect(await readText(Uri.file(join(folder, 'none.txt')) as unknown as vscode.Uri)).toBeUndefined();
  });
});
