import type { MessageHeader } from '../store/messageHeader.ts';
import { type ChangedFile, turnChanges } from './changes.ts';

/** Recognizes the paths by which an agent can refer to one file. */
interface FileMatcher {
  matches(path: string): boolean;
}

/** The changes of one session to one file. */
export interface FileEdits {
  /** The number of changes. Several changes by one call count once. */
  readonly count: number;
  /** False if none of the calls has a result yet. */
  readonly isConfirmed: boolean;
  /** The message with the last of the calls. */
  readonly last: MessageHeader;
  /** The position of that call in the message. */
  readonly lastIndex: number;
}

/** The changes of a session to a file, including those under its earlier and later names, without failed calls. */
export function fileChanges(headers: readonly MessageHeader[], file: FileMatcher): readonly ChangedFile[] {
  return turnChanges(headers).files.filter(({ path, oldPath, edits }) =>
    [path, oldPath ?? path, ...edits.map((edit) => edit.path)].some((known) => file.matches(known)),
  );
}

/**
 * Finds the changes to a file in the messages of a session, as Show Changes counts them: including those under earlier
 * and later names of the file, and without failed calls. Undefined if there are none.
 */
export function fileEdits(headers: readonly MessageHeader[], file: FileMatcher): FileEdits | undefined {
  const changed = fileChanges(headers, file);
  const edits = changed.flatMap((own) => own.edits);
  const messageIds = new Set(edits.map(({ messageId }) => messageId));
  const last = headers.findLast(({ messageId }) => messageIds.has(messageId));
  if (!last) return undefined;
  const lastEdits = edits.filter(({ messageId }) => messageId === last.messageId);
  const lastIndex = lastEdits.reduce((latest, { index }) => Math.max(latest, index), 0);
  return { count: edits.length, isConfirmed: changed.some((own) => own.isConfirmed), last, lastIndex };
}
