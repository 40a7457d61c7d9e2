import * as z from 'zod/mini';
import { parseJson } from '../../shared/json.ts';
import { checkedLines, withChecksum, withoutChecksum } from './checksum.ts';

/**
 * The format of a kind of record on disk. Each file contains its version; files of a newer version are left untouched.
 */
export interface RecordFormat<T> {
  readonly version: number;
  readonly schema: z.ZodMiniType<T>;
}

/**
 * A format whose records have tags. Records with the same tag count as the same. A tag becomes a part of a file name.
 */
export interface TaggedFormat<T> extends RecordFormat<T> {
  readonly tagOf: (record: T) => string;
}

/** The part of a format that decides whether a newer version wrote a file. */
export type RecordVersion = Pick<RecordFormat<never>, 'version'>;

/**
 * A file that could not be decoded. It is kept under `keptAs`: a new name for a damaged file; the same name for a file
 * that a newer version of the extension wrote, or if renaming failed.
 */
export interface UnreadableFile {
  readonly kind: 'unreadable';
  readonly cause: 'damaged' | 'newer';
  readonly name: string;
  readonly keptAs: string;
  readonly reason: string;
  /** The content of the file, without its checksum. Invalid UTF-8 is replaced. */
  readonly content: string;
}

const envelopeSchema = z.object({ version: z.number(), record: z.unknown() });

/**
 * Encodes a record as the content of its file: one line with a checksum (see {@link withChecksum}) and the JSON object
 * `{ "version": number, "record": ... }` (since 0.1).
 */
export function encodeRecord<T>({ version }: RecordFormat<T>, record: T): string {
  return withChecksum({ version, record });
}

/** A record, or the reason why the content of its file is not one. */
type Decoded<T> =
  | { readonly kind: 'record'; readonly record: T }
  | Pick<UnreadableFile, 'kind' | 'cause' | 'reason' | 'content'>;

/**
 * Decodes the output of {@link encodeRecord}. A JSON object without a checksum is accepted too, because some files have
 * none.
 */
export function decodeRecord<T>(given: string | Uint8Array, format: RecordFormat<T>): Decoded<T> {
  const text = typeof given === 'string' ? given : new TextDecoder().decode(given);
  const content = withoutChecksum(text);
  const unreadable = (cause: UnreadableFile['cause'], reason: string) => {
    return { kind: 'unreadable', cause, reason, content } as const;
  };
  const envelope = envelopeSchema.safeParse(parseJson(text.startsWith('{') ? given : content));
  if (!envelope.success) return unreadable('damaged', badFields(envelope.error));
  const { version, record } = envelope.data;
  if (!text.startsWith('{') && checkedLines(text).next().done) return unreadable('damaged', 'checksum');
  if (version > format.version) return unreadable('newer', `written by a newer version (format ${version})`);
  const parsed = format.schema.safeParse(record);
  return parsed.success ? { kind: 'record', record: parsed.data } : unreadable('damaged', badFields(parsed.error));
}

/** The version in the first bytes of a file; 0 if there is none. */
export function versionOf(head: string): number {
  return Number(/^\{"version":(\d+)/.exec(withoutChecksum(head))?.[1] ?? 0);
}

/** Lists only the invalid fields, because the parser's own message could contain message text. */
function badFields(error: { readonly issues: readonly { readonly path: readonly PropertyKey[] }[] }): string {
  return `fields ${error.issues.map((issue) => issue.path.join('.') || 'all').join(', ')}`;
}
