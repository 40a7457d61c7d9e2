import { open } from 'node:fs/promises';

const chunkBytes = 192 * 1024;

/**
 * Reads a local file in chunks. Each chunk is only valid until the next one is requested, because the buffer is reused.
 * Throws the system's error if the file can't be read.
 */
export async function* readLocalFile(file: string): AsyncGenerator<Uint8Array> {
  const handle = await open(file);
  try {
    const buffer = new Uint8Array(chunkBytes);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Reads up to `maxBytes` from the start of a local file. Rejects with the system's error. */
export async function readLocalStart(file: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
