import { createCipheriv, createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The size of file number `number` in bytes: not a multiple of the size of the chunks that are read or encoded. */
function sizeOf(number: number): number {
  return 5_000_000 + number * 7;
}

/** The bytes of file number `number`. They look random, so that no two chunks are equal. */
function bytesOf(number: number): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32LE(number);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(sizeOf(number)));
}

export function largeFilePath(folder: string, number: number): string {
  return join(folder, `file ${number}`);
}

/** Writes file number `number` to a folder. Resolves to its SHA-256 in lowercase hex. */
export async function writeLargeFile(folder: string, number: number): Promise<string> {
  const bytes = bytesOf(number);
  await writeFile(largeFilePath(folder, number), bytes);
  return createHash('sha256').update(bytes).digest('hex');
}
