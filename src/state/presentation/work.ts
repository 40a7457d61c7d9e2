import { isolatedLine, plainLine, type Translate } from '../../shared/text.ts';
import { type SessionRecord } from '../store/sessionRecord.ts';
import type { ChangedFile } from '../work/changes.ts';
import { sessionTitle } from '../store/sessionFacts.ts';
import { lineCounts } from './steps.ts';

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
}

/** Describes a file that the agent changed. */
export function describeChangedFile(file: ChangedFile, t: Translate): ChangedFileDescription {
  const { path, change, added, removed, isEverywhere, isConfirmed } = file;
  const { name, folder } = splitPath(path);
  const kind = describeChange(file, t);
  const hasText = added + removed > 0;
  const lines = hasText ? t('Lines added: {0}, removed: {1}', added, removed) : '';
  const counts = hasText || isEverywhere ? lineCounts([file], t) : '';
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
    ]
      .filter((line) => line !== '')
      .join('\n'),
    spoken: [name, kind, isConfirmed ? lines : t('not confirmed'), folder].filter((part) => part !== '').join(', '),
    letter: isConfirmed ? letters[change] : undefined,
  };
}

/** The last segment of a path and the rest, as the agent wrote them. Both are in one line. */
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
}

/** The title of an editor with the changes of a session or turn. */
export function describeChangesTitle(record: SessionRecord, shown: ShownChanges, t: Translate): string {
  const { isTurn, isConfirmed, shownCount, totalCount } = shown;
  const notes = [
    t('as written by the agent'),
    isTurn ? t('in one turn') : describeLoadedPart(record, t),
    isConfirmed ? '' : t('not confirmed'),
    shownCount < totalCount ? t('first {0} of {1} files', shownCount, totalCount) : '',
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
