import { crc32, inflateRawSync } from 'node:zlib';

/** A file inside a zip archive. */
export interface ZipEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly packedBytes: number;
  /** The offset of its local header in the archive. */
  readonly headerAt: number;
  readonly isDeflated: boolean;
}

const endRecord = 0x06054b50;
const entryRecord = 0x02014b50;
const localRecord = 0x04034b50;

/**
 * Lists the files in a zip archive from its central directory (APPNOTE.TXT 4.3.12 and 4.3.16; no ZIP64).
 * @throws if `archive` isn't a zip archive, or its directory is damaged.
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
      headerAt: archive.readUInt32LE(at + 42),
      isDeflated: archive.readUInt16LE(at + 10) === 8,
    });
    at += 46 + pathBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** The content of one file of a zip archive. */
export function readZipEntry(archive: Buffer, { headerAt, packedBytes, isDeflated }: ZipEntry): Buffer {
  const start = headerAt + 30 + archive.readUInt16LE(headerAt + 26) + archive.readUInt16LE(headerAt + 28);
  const packed = archive.subarray(start, start + packedBytes);
  return isDeflated ? inflateRawSync(packed) : packed;
}

/**
 * Writes the files of a zip archive again so that the bytes depend on paths and contents only: sorted by path, all
 * dated 1980-01-01 (the first date of the format), and readable by everyone. The archive may come from a file system
 * with other modes, another time zone, or another locale. `contentOf` can replace the content of a file.
 */
export async function canonicalZip(
  archive: Buffer,
  contentOf: (path: string, content: Buffer) => Buffer = (_path, content) => content,
): Promise<Buffer> {
  const deflate = await loadDeflate();
  const sorted = zipEntries(archive).sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const entry of sorted) {
    const content = contentOf(entry.path, readZipEntry(archive, entry));
    const deflated = deflate(content);
    const packed = deflated.length < content.length ? deflated : content;
    const path = Buffer.from(entry.path);
    const fields = sharedFields(content, packed, path);
    const local = Buffer.concat([uint32(localRecord), fields, path, packed]);
    files.push(local);
    directory.push(uint32(entryRecord), uint16(madeByUnix), fields, directoryFields(at), path);
    at += local.length;
  }
  const directoryBytes = Buffer.concat(directory);
  const counts = [uint16(sorted.length), uint16(sorted.length), uint32(directoryBytes.length), uint32(at), uint16(0)];
  return Buffer.concat([...files, directoryBytes, uint32(endRecord), uint32(0), ...counts]);
}

/** The level at which libdeflate compresses best. */
const highestLevel = 12;

/**
 * Loads the compressor. Removes the handlers of uncaught errors that its module adds: they would print the module's
 * whole code instead of the error.
 */
async function loadDeflate(): Promise<(content: Buffer) => Buffer> {
  const exceptions = new Set(process.listeners('uncaughtException'));
  const rejections = new Set(process.listeners('unhandledRejection'));
  const { deflate } = await import('libdeflate');
  for (const listener of process.listeners('uncaughtException')) {
    if (!exceptions.has(listener)) process.off('uncaughtException', listener);
  }
  for (const listener of process.listeners('unhandledRejection')) {
    if (!rejections.has(listener)) process.off('unhandledRejection', listener);
  }
  return (content) => Buffer.from(deflate(content, highestLevel));
}

/** "Version made by" (4.4.2): Unix, whose modes are in the external attributes; version 2.0 of the format. */
const madeByUnix = 0x0314;
const regularFileMode = 0o100644;
/** 1980-01-01 in the format of 4.4.6. */
const firstDate = 0x0021;

/** The fields that the local header (4.3.7) and the directory (4.3.12) have in common. */
function sharedFields(content: Buffer, packed: Buffer, path: Buffer): Buffer {
  const utf8Names = 0x0800;
  return Buffer.concat([
    uint16(20),
    uint16(utf8Names),
    uint16(packed === content ? 0 : 8),
    uint16(0),
    uint16(firstDate),
    uint32(crc32(content)),
    uint32(packed.length),
    uint32(content.length),
    uint16(path.length),
    uint16(0),
  ]);
}

/** Comment length, disk, internal and external attributes, and the offset of the local header. */
function directoryFields(headerAt: number): Buffer {
  return Buffer.concat([uint16(0), uint16(0), uint16(0), uint32((regularFileMode << 16) >>> 0), uint32(headerAt)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
