import { defined } from '../../shared/defined.ts';
import { sameValue } from '../../shared/equality.ts';
import { type PausableWork, withoutPause } from '../../shared/slices.ts';
import type { MessageHeader } from '../store/messageHeader.ts';
import type { FileMark } from '../tools/toolMarks.ts';
import { MarkReader, pairingCalls, type PairedCall } from './calls.ts';

/** The place of a change to a file: a tool call, and the path in it. */
interface FileEdit {
  readonly messageId: string;
  /** The position of the call's block in the message. */
  readonly index: number;
  /** The path after the call. */
  readonly path: string;
}

/** A file that the agent changed, as its tool calls describe it. It doesn't show the state of the file. */
export interface ChangedFile {
  /** The path after the last change, on one line. Comes from the call, so it can be absolute or contain `..`. */
  readonly path: string;
  /** The path before the first change, if it differs. */
  readonly oldPath?: string;
  /** All changes combined: a file that was created and then edited is `created`. */
  readonly change: FileMark['change'];
  /** The numbers of lines in all changes, even if a later change replaced them. */
  readonly added: number;
  readonly removed: number;
  /** Whether a change replaces a text everywhere. Its lines aren't counted. */
  readonly isEverywhere?: true;
  /** False if none of the calls that changed the file has a result yet. */
  readonly isConfirmed: boolean;
  /** The changes, in order. */
  readonly edits: readonly FileEdit[];
}

/** The files that the agent changed, and the numbers of lines in the confirmed changes. */
export interface AgentChanges {
  /** The confirmed files, followed by those that aren't confirmed, both in the order of their first change. */
  readonly files: readonly ChangedFile[];
  /** The number of confirmed files. */
  readonly confirmedCount: number;
  readonly added: number;
  readonly removed: number;
  /** Whether one of the confirmed changes replaces a text everywhere. Its lines aren't counted. */
  readonly isEverywhere?: true;
}

/** No changes, for example for a session without loaded messages. */
export const noChanges: AgentChanges = { files: [], confirmedCount: 0, added: 0, removed: 0 };

/**
 * The files that the agent changed in these messages, which are a turn or all messages of a session. A failed or
 * rejected call never counts. A call without a result isn't confirmed: it is left out if another call changed the file
 * successfully, and otherwise the file isn't confirmed. `following` are the messages after these, which can contain
 * late results. Callers that read the same headers repeatedly pass the same `marks` each time.
 */
export function turnChanges(...given: Parameters<typeof readingChanges>): AgentChanges {
  return withoutPause(readingChanges(...given));
}

/** Like {@link turnChanges}, but with pauses for `inSlices`. */
export function* readingChanges(
  headers: readonly MessageHeader[],
  following: readonly MessageHeader[] = [],
  marks: MarkReader = new MarkReader(),
): PausableWork<AgentChanges> {
  const calls = yield* writingCalls(headers, following, marks);
  const confirmed = filesOf(
    calls.filter(({ outcome }) => outcome === 'done'),
    true,
  );
  const known = new Set(confirmed.flatMap(({ path, oldPath }) => [fileKey(path), fileKey(oldPath ?? path)]));
  const others = filesOf(
    calls.filter(({ outcome }) => outcome === 'unanswered'),
    false,
  );
  return {
    files: [...confirmed, ...others.filter(({ path }) => !known.has(fileKey(path)))],
    confirmedCount: confirmed.length,
    added: confirmed.reduce((sum, { added }) => sum + added, 0),
    removed: confirmed.reduce((sum, { removed }) => sum + removed, 0),
    ...(confirmed.some(({ isEverywhere }) => isEverywhere) ? { isEverywhere: true } : {}),
  };
}

/**
 * Whether one of these messages may contain a call that changes files. Fast, because it searches only the text of the
 * headers, so it can be called where the changes themselves aren't shown. Also true for another call whose label is
 * `write`.
 */
export function hasChanges(headers: readonly MessageHeader[]): boolean {
  return headers.some(({ tools }) => tools?.includes('"write",') === true);
}

/**
 * A path in a form in which different spellings of it are equal: forward slashes, the drive in lowercase, no `.`, and
 * no `..` except at the start.
 */
export function fileKey(path: string): string {
  const slashed = path.replaceAll('\\', '/').replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
  const parts: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..' || parts.length === 0 || parts.at(-1) === '..') parts.push(part);
    else parts.pop();
  }
  return `${slashed.startsWith('/') ? '/' : ''}${parts.join('/')}`;
}

/**
 * The path of a document about a file: absolute, with forward slashes, and ending like the file's own path. VS Code
 * would resolve `..` and then show another path, so `…` replaces it.
 */
export function documentPath(path: string): string {
  const parts = fileKey(path).split('/');
  return `/${parts.flatMap((part) => (part === '' ? [] : [part === '..' ? '…' : part])).join('/')}`;
}

/** The calls that change files, with any outcome. Reads the following messages only if a call is unanswered. */
function* writingCalls(
  headers: readonly MessageHeader[],
  following: readonly MessageHeader[],
  marks: MarkReader,
): PausableWork<readonly PairedCall[]> {
  if (!hasChanges(headers)) return [];
  const isWriting = ({ mark }: PairedCall) => mark.kind === 'write';
  const calls = (yield* pairingCalls(headers, marks)).calls.filter(isWriting);
  if (following.length === 0 || calls.every(({ outcome }) => outcome !== 'unanswered')) return calls;
  const own = new Set(headers);
  const all = yield* pairingCalls([...headers, ...following], marks);
  return all.calls.filter((call) => isWriting(call) && own.has(call.header));
}

function filesOf(calls: readonly PairedCall[], isConfirmed: boolean): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile & { readonly place: number; readonly edits: FileEdit[] }>();
  for (const { header, mark } of calls) {
    for (const file of mark.files) {
      const before = fileKey(file.oldPath ?? file.path);
      const known = files.get(before);
      files.delete(before);
      const oldPath = oldPathOf(known, file);
      const edits = known?.edits ?? [];
      const edit = { messageId: header.messageId, index: mark.index, path: file.path };
      // A call can change several places of one file separately.
      if (!sameValue(edits.at(-1), edit)) edits.push(edit);
      files.set(fileKey(file.path), {
        path: file.path,
        ...defined({ oldPath }),
        change: combined(known?.change, file.change, oldPath),
        added: (known?.added ?? 0) + file.added,
        removed: (known?.removed ?? 0) + file.removed,
        ...defined({ isEverywhere: known?.isEverywhere ?? file.isEverywhere }),
        isConfirmed,
        edits,
        place: known?.place ?? files.size,
      });
    }
  }
  return [...files.values()].sort((a, b) => a.place - b.place);
}

/**
 * The path before the first change. Undefined for a file that was created by one of the changes, and for one that has
 * this path again.
 */
function oldPathOf(known: ChangedFile | undefined, { path, oldPath }: FileMark): string | undefined {
  const first = known ? (known.oldPath ?? (known.change === 'created' ? undefined : known.path)) : oldPath;
  return first === undefined || fileKey(first) === fileKey(path) ? undefined : first;
}

/** The change that an earlier change and a later one amount to. */
function combined(
  before: FileMark['change'] | undefined,
  change: FileMark['change'],
  oldPath: string | undefined,
): FileMark['change'] {
  if (change === 'deleted') return 'deleted';
  if (before === 'created') return 'created';
  if (oldPath !== undefined) return 'renamed';
  return before === undefined && change !== 'renamed' ? change : 'edited';
}
