import { readFile } from 'node:fs/promises';

interface RecordFile {
  readonly version: number;
  readonly record: Readonly<Record<string, unknown>>;
}

/** The JSON object in the file of a record, without its checksum. */
export async function readRecordFile(path: string): Promise<RecordFile> {
  return parseRecordFile(await readFile(path, 'utf8'));
}

/** The JSON object in the content of a record's file, without its checksum. */
export function parseRecordFile(content: string): RecordFile {
  return JSON.parse(content.slice(9)) as RecordFile;
}
