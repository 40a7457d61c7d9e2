import { open } from 'node:fs/promises';

const pieceBytes = 192 * 1024;

/** A local file in pieces, each good until the next is asked for: new buffers would be garbage of the file's size. */
export async function* readLocalFile(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file);
  try {
    const buffer = new Uint8Array(pieceBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The first bytes of a local file, at most `maxBytes`. Rejects with the system's error. */
export async function readLocalStart(file: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
