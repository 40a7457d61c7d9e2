/** A file inside a zip archive. */
export interface ZipEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
}

const endRecord = 0x06054b50;
const entryRecord = 0x02014b50;

/**
 * Lists the files in a zip archive from its central directory (APPNOTE.TXT 4.3.12 and 4.3.16; no ZIP64).
 * @throws if this is not a zip archive, or its directory is damaged.
 */
export function zipEntries(archive: Buffer): ZipEntry[] {
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== endRecord) end--;
  if (end < 0) throw new Error('This is not a zip archive.');
  const entries: ZipEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== entryRecord) throw new Error('The directory of this zip archive is damaged.');
    const pathBytes = archive.readUInt16LE(at + 28);
    entries.push({
      path: archive.toString('utf8', at + 46, at + 46 + pathBytes),
      packedBytes: archive.readUInt32LE(at + 20),
      sizeBytes: archive.readUInt32LE(at + 24),
    });
    at += 46 + pathBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}
