import { readFile } from 'node:fs/promises';

/** The JSON object in the file of a record, without its checksum. */
export async function readRecordFile(path: string): Promise<{ record: object }> {
  return parseRecordFile(await readFile(path, 'utf8'));
}

/** The JSON object in the content of a record's file, without its checksum. */
export function parseRecordFile(content: string): { record: object } {
  return JSON.parse(content.slice(9)) as { record: object };
}
