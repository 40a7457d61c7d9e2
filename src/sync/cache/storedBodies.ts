import * as z from 'zod/mini';
import { numberColumn } from './columns.ts';

/** Where the body of a message lies: a part of a file in the session's cache folder. */
export interface BodyPlace {
  readonly fileName: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly checksum: number;
  /** The state of the message that lies there, Unix ms. */
  readonly updatedAt: number;
}

/** Of each body which message of the line it is of, which of the files it is in, then the rest of its place. */
const numbersEach = 6;

/** The places of bodies as a line of the index holds them. */
export const storedBodiesSchema = z.object({
  fileNames: z.array(z.string().check(z.regex(/^[\w-]+\.bodies$/))),
  places: numberColumn.check(z.refine((places) => places.length % numbersEach === 0)),
});
export type StoredBodies = z.output<typeof storedBodiesSchema>;

/** Packs the places of the bodies of messages, in their order; undefined where nothing is said of one. */
export function storeBodies(bodies: readonly (BodyPlace | undefined)[]): StoredBodies {
  const fileNames = [...new Set(bodies.flatMap((body) => body?.fileName ?? []))];
  const indexes = new Map(fileNames.map((fileName, index) => [fileName, index]));
  const places = bodies.flatMap((body, index) => {
    if (!body) return [];
    const { fileName, offset, sizeBytes, checksum, updatedAt } = body;
    return [index, indexes.get(fileName) ?? -1, offset, sizeBytes, checksum, updatedAt];
  });
  return { fileNames, places };
}

/** Unpacks what {@link storeBodies} made into `bodies`, by the ids of the line's messages. */
export function takeBodies(
  { fileNames, places }: StoredBodies,
  messageIds: readonly string[],
  bodies: Map<string, BodyPlace>,
): void {
  for (let at = 0; at < places.length; at += numbersEach) {
    const number = (place: number) => places[at + place] ?? 0;
    const [messageId, fileName] = [messageIds[number(0)], fileNames[number(1)]];
    if (messageId === undefined || fileName === undefined) continue;
    const [offset, sizeBytes, checksum, updatedAt] = [number(2), number(3), number(4), number(5)];
    bodies.set(messageId, { fileName, offset, sizeBytes, checksum, updatedAt });
  }
}
