import { defined } from '../../shared/defined.ts';
import type { PageTurn, PageTurnPart } from '../../shared/protocol/pageModel.ts';
import { isolatedLine, plainLine, type Translate } from '../../shared/text.ts';
import type { TurnRows } from '../conversation/turnRows.ts';
import { isWorking, type SessionRecord } from '../store/sessionRecord.ts';
import { countsAsWork, isPrompt } from '../store/turns.ts';
import type { ChangedFile } from '../work/changes.ts';
import type { Presence, Presences, SessionPresence } from '../work/presence.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { describeTurnChanges, lineCounts } from './describeSteps.ts';
import { describeInMinutes, describeTurnTime } from './describeTime.ts';

const minuteMs = 60_000;

/** The letter that source control shows for a change. */
export type ChangeLetter = 'A' | 'M' | 'D' | 'R';

const letters: Readonly<Record<ChangedFile['change'], ChangeLetter>> = {
  created: 'A',
  edited: 'M',
  deleted: 'D',
  renamed: 'R',
};

/** A changed file as a row of a tree. */
export interface ChangedFileDescription {
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  /** The text for screen readers. */
  readonly spoken: string;
  /** Undefined if the change isn't confirmed. */
  readonly letter: ChangeLetter | undefined;
  /**
   * The sign after the letter: how much of the change is in the workspace. Empty if none of it is, or if that isn't
   * known.
   */
  readonly sign: PresenceSign;
}

/** The sign of a change that is in the workspace, as a whole or in part. */
export type PresenceSign = '✓' | '~' | '';

const signs: Readonly<Record<Presence, PresenceSign>> = { present: '✓', partial: '~', absent: '', missing: '' };

/** Describes a file that the agent changed. `presence` is undefined if it isn't known. */
export function describeChangedFile(
  file: ChangedFile,
  presence: Presence | undefined,
  t: Translate,
): ChangedFileDescription {
  const { path, change, added, removed, isEverywhere, isConfirmed } = file;
  const { name, folder } = splitPath(path);
  const kind = describeChange(file, t);
  const hasText = added + removed > 0;
  const lines = hasText ? t('Lines added: {0}, removed: {1}', added, removed) : '';
  const where = presence === undefined ? '' : describePresence(presence, change, t);
  const counts = lineCounts([file], t);
  return {
    label: name,
    description: [isConfirmed ? counts : t('not confirmed'), folder].filter((part) => part !== '').join(' · '),
    tooltip: [
      isolatedLine(path, 400),
      kind,
      lines,
      isEverywhere ? t('All occurrences of a text were replaced. They are not counted.') : '',
      isConfirmed
        ? t('As written by the agent. The file itself might differ.')
        : t("Not confirmed: the agent's call has no result."),
      where,
    ]
      .filter((line) => line !== '')
      .join('\n'),
    spoken: [name, kind, isConfirmed ? lines : t('not confirmed'), folder, where]
      .filter((part) => part !== '')
      .join(', '),
    letter: isConfirmed ? letters[change] : undefined,
    sign: presence === undefined ? '' : signs[presence],
  };
}

function describePresence(presence: Presence, change: ChangedFile['change'], t: Translate): string {
  switch (presence) {
    case 'present':
      return change === 'deleted' ? t('Also deleted in your workspace') : t('In your workspace');
    case 'partial':
      return t('Partly in your workspace');
    case 'absent':
      return change === 'deleted' ? t('Not deleted in your workspace') : t('Not in your workspace');
    case 'missing':
      return t('No such file in your workspace');
  }
}

/** The row above the changed files of a session. */
export interface ChangesDescription {
  readonly description: string;
  readonly tooltip: string;
  /** The text for screen readers. */
  readonly spoken: string;
}

/** Describes the changed files of a session. `presences` is empty if nothing is known about the workspace. */
export function describeChanges(
  record: SessionRecord,
  { presences, confirmedCount }: SessionPresence,
  t: Translate,
): ChangesDescription {
  const partialCount = countOf(presences, 'partial');
  const isKnown = presences.size > 0;
  const unknownCount = confirmedCount - presences.size;
  const lines = [
    t('Files as written by the agent in this session. The files themselves might differ.'),
    isKnown ? describePresentFiles(presences, t) : '',
    partialCount > 0
      ? t(
          { one: '1 file is partly in your workspace.', other: '{0} files are partly in your workspace.' },
          partialCount,
        )
      : '',
    isKnown && unknownCount > 0
      ? t({ one: "1 file couldn't be compared.", other: "{0} files couldn't be compared." }, unknownCount)
      : '',
    isKnown ? t('Only text is compared, not commits.') : '',
  ];
  const counts = [...describeCounts(presences, confirmedCount, t), describeLoadedPart(record, t)];
  const parts = counts.filter((part) => part !== '');
  return {
    description: parts.join(' · '),
    tooltip: lines.filter((line) => line !== '').join('\n'),
    spoken: [t('Changes'), ...parts].join(', '),
  };
}

function describePresentFiles(presences: Presences, t: Translate): string {
  const presentCount = countOf(presences, 'present');
  return presences.size === 1
    ? t('{0} of 1 compared file is in your workspace.', presentCount)
    : t('{0} of {1} compared files are in your workspace.', presentCount, presences.size);
}

/**
 * The numbers of compared files that are in the workspace, and of files that couldn't be compared. Empty if nothing is
 * known.
 */
function describeCounts(presences: Presences, totalCount: number, t: Translate): readonly string[] {
  if (presences.size === 0) return [];
  const where = t('{0} of {1} in your workspace', countOf(presences, 'present'), presences.size);
  const unknownCount = totalCount - presences.size;
  return unknownCount > 0 ? [where, t('{0} not compared', unknownCount)] : [where];
}

function countOf(presences: Presences, presence: Presence): number {
  return [...presences.values()].filter((one) => one === presence).length;
}

/** The last segment of a path and the rest, as the agent wrote them, but without line breaks. */
export function splitPath(path: string): { readonly name: string; readonly folder: string } {
  const line = plainLine(path, 400);
  const end = line.replace(/(?<![/\\])[/\\]+$/, '');
  const at = Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\'));
  return { name: end.slice(at + 1) || line, folder: at > 0 ? end.slice(0, at) : end.slice(0, at + 1) };
}

/** Says that only a part of a session's messages is loaded; empty if all of them are. */
export function describeLoadedPart({ history }: SessionRecord, t: Translate): string {
  return history.completeness === 'complete' ? '' : t('in the loaded messages');
}

/** The parts of a session's changes that an editor shows. */
interface ShownChanges {
  readonly isTurn: boolean;
  /** False if none of the changes is confirmed. */
  readonly isConfirmed: boolean;
  readonly shownCount: number;
  readonly totalCount: number;
  /** Empty if nothing is known about the workspace. */
  readonly presences: Presences;
}

/** The title of an editor with the changes of a session or turn. */
export function describeChangesTitle(record: SessionRecord, shown: ShownChanges, t: Translate): string {
  const { isTurn, isConfirmed, shownCount, totalCount, presences } = shown;
  const notes = [
    t('as written by the agent'),
    isTurn ? t('in one turn') : describeLoadedPart(record, t),
    isConfirmed ? '' : t('not confirmed'),
    shownCount < totalCount ? t('first {0} of {1} files', shownCount, totalCount) : '',
    ...describeCounts(presences, totalCount, t),
  ];
  return t('{0} ({1})', isolatedLine(sessionTitle(record), 80), notes.filter((note) => note !== '').join(', '));
}

/** The title of an editor that compares changed files with the workspace. */
export function describeComparisonTitle(
  record: SessionRecord,
  { isConfirmed, shownCount, totalCount }: Pick<ShownChanges, 'isConfirmed' | 'shownCount' | 'totalCount'>,
  t: Translate,
): string {
  const notes = [
    t('workspace ↔ agent'),
    isConfirmed ? '' : t('not confirmed'),
    shownCount < totalCount ? t('{0} of {1} files', shownCount, totalCount) : '',
    t('text comparison'),
  ];
  return t('{0} ({1})', isolatedLine(sessionTitle(record), 80), notes.filter((note) => note !== '').join(', '));
}

/** The title of an editor with the changes to one file. */
export function describeFileTitle({ path, isConfirmed }: ChangedFile, t: Translate): string {
  const notes = [t('as written by the agent'), isConfirmed ? '' : t('not confirmed')];
  return t('{0} ({1})', isolatedLine(splitPath(path).name, 120), notes.filter((note) => note !== '').join(', '));
}

function describeChange({ change, oldPath }: ChangedFile, t: Translate): string {
  switch (change) {
    case 'created':
      return t('Created');
    case 'edited':
      return t('Edited');
    case 'deleted':
      return t('Deleted');
    case 'renamed':
      return t('Renamed from {0}', isolatedLine(oldPath ?? '', 400));
  }
}

/** The last turn of a session in one line: changed files, errors, and time. Undefined if there is nothing to show. */
export function describeTurn(
  turn: Pick<TurnRows, 'headers' | 'state' | 'steps'> | undefined,
  record: SessionRecord,
  t: Translate,
): PageTurn | undefined {
  const messageId = turn?.headers[0]?.messageId;
  if (!turn || messageId === undefined) return undefined;
  const changes = describeTurnChanges(turn.steps.changes, t);
  const parts = defined({
    changes,
    errors: describeErrors(turn.steps.errors.length, t),
    time: timeOf(turn, record, t),
  });
  return Object.keys(parts).length === 0 ? undefined : { messageId, ...parts };
}

function describeErrors(count: number, t: Translate): PageTurnPart | undefined {
  if (count === 0) return undefined;
  return { label: t({ one: '1 error', other: '{0} errors' }, count), hint: t('Show the errors of this turn') };
}

/**
 * How long the turn took, or how long the agent had been running at the last refresh. Undefined if the prompt isn't
 * loaded, and for a turn that ended in less than a second or without another message. For a turn that may still be
 * running, also undefined in its first minute, and if it isn't known that the agent is working, as after a failed
 * refresh.
 */
function timeOf(
  { headers, state }: Pick<TurnRows, 'headers' | 'state'>,
  { session, asOf = 0, failure }: SessionRecord,
  t: Translate,
): PageTurnPart | undefined {
  const [first] = headers;
  if (!first || !isPrompt(first)) return undefined;
  const work = headers.filter(countsAsWork);
  const lastAt = work.reduce((latest, { createdAt }) => Math.max(latest, createdAt), first.createdAt);
  if (state !== 'running') {
    if (work.length === 1) return undefined;
    const time = describeTurnTime(lastAt - first.createdAt, t);
    return time && { label: t('Worked for {0}', time.label), hint: time.hint };
  }
  // The clock of the service can be ahead of this computer's.
  const runningMs = Math.max(asOf, lastAt) - first.createdAt;
  if (failure || !isWorking(session) || runningMs < minuteMs) return undefined;
  return { label: t('Working for {0}', describeInMinutes(runningMs, t)), hint: t('Time since the prompt') };
}
