import { describe, expect, it } from 'vitest';
import {
  describeChangedFile,
  describeChanges,
  describeChangesTitle,
  describeFileTitle,
  splitPath,
} from '../../../../src/state/presentation/describeChanges.ts';
import type { ChangedFile } from '../../../../src/state/work/changes.ts';
import { documentPath } from '../../../../src/state/work/changes.ts';
import { type Presence, unknownPresence } from '../../../../src/state/work/presence.ts';
import { hostile, hostileShown, isDisguised, recordOf, t } from '../samples.ts';

const file: ChangedFile = {
  path: 'src/orders/basket.ts',
  change: 'edited',
  added: 1_200,
  removed: 3,
  isConfirmed: true,
  edits: [],
};
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, '');

describe('a changed file', () => {
  it('is described by its name, its lines, and its folder', () => {
    expect(describeChangedFile(file, undefined, t)).toEqual({
      label: 'basket.ts',
      description: '+1,200 −3 · src/orders',
      tooltip:
        '\u2068src/orders/basket.ts\u2069\nEdited\nLines added: 1,200, removed: 3\n' +
        'As written by the agent. The file itself might differ.',
      spoken: 'basket.ts, Edited, Lines added: 1,200, removed: 3, src/orders',
      letter: 'M',
      sign: '',
    });
    expect(describeChangedFile({ ...file, path: 'a.ts', added: 0 }, undefined, t).description).toBe('+0 −3');
    expect(describeChangedFile({ ...file, change: 'created' }, undefined, t).letter).toBe('A');
    const deleted = describeChangedFile({ ...file, change: 'deleted', added: 0, removed: 0 }, undefined, t);
    expect(deleted).toMatchObject({ description: 'src/orders', letter: 'D', spoken: 'basket.ts, Deleted, src/orders' });
    expect(deleted.tooltip).not.toContain('Lines');
    const renamed = describeChangedFile({ ...file, change: 'renamed', oldPath: 'old.ts' }, undefined, t);
    expect(renamed.letter).toBe('R');
    expect(plain(renamed.tooltip)).toContain('\nRenamed from old.ts\n');
  });

  it('says if it is not confirmed, and then has no letter', () => {
    const described = describeChangedFile({ ...file, isConfirmed: false }, undefined, t);
    expect(described.description).toBe('not confirmed · src/orders');
    expect(described.letter).toBeUndefined();
    expect(described.tooltip).toContain("Not confirmed: the agent's call has no result.");
    expect(described.spoken).toBe('basket.ts, Edited, not confirmed, src/orders');
  });

  it('says whether the workspace still has a deleted file', () => {
    const lastLine = (presence: Presence) =>
      describeChangedFile({ ...file, change: 'deleted' }, presence, t)
        .tooltip.split('\n')
        .at(-1);
    expect(lastLine('present')).toBe('Also deleted in your workspace');
    expect(lastLine('absent')).toBe('Not deleted in your workspace');
  });

  it('says what of it is in the workspace', () => {
    const present = describeChangedFile(file, 'present', t);
    expect(present).toMatchObject({ letter: 'M', sign: '✓' });
    expect(present.tooltip.split('\n').at(-1)).toBe('In your workspace');
    expect(present.spoken).toBe('basket.ts, Edited, Lines added: 1,200, removed: 3, src/orders, In your workspace');
    const others = (['partial', 'absent', 'missing'] as const).map((one) => describeChangedFile(file, one, t));
    expect(others.map(({ sign, tooltip }) => [sign, tooltip.split('\n').at(-1)])).toEqual([
      ['~', 'Partly in your workspace'],
      ['', 'Not in your workspace'],
      ['', 'No such file in your workspace'],
    ]);
  });

  it('with a hostile path is safe text in one line', () => {
    const { label, description, tooltip, spoken } = describeChangedFile(
      { ...file, path: `x/${hostile}` },
      undefined,
      t,
    );
    expect(label).toBe(hostileShown);
    for (const text of [label, description, spoken, ...tooltip.split('\n')].map(plain)) {
      expect(isDisguised(text), text).toBe(false);
    }
    expect(plain(describeFileTitle({ ...file, path: hostile }, t))).toBe(`${hostileShown} (as written by the agent)`);
  });

  it('are counted by what of them is in the workspace', () => {
    const record = recordOf();
    const described = (presences: readonly (readonly [string, Presence])[], confirmedCount = 5) =>
      describeChanges(record, { confirmedCount, presences: new Map(presences) }, t);
    const isPart = describeChanges(record, unknownPresence, t).description;
    expect(described([])).toEqual({
      description: isPart,
      spoken: 'Changes',
      tooltip: 'Files as written by the agent in this session. The files themselves might differ.',
    });
    const some = described([
      ['a', 'present'],
      ['b', 'present'],
      ['c', 'partial'],
      ['d', 'missing'],
    ]);
    // Nothing is claimed about the fifth file, of which nothing is known.
    expect(some.description.startsWith('2 of 4 in your workspace · 1 not compared')).toBe(true);
    expect(some.spoken).toBe('Changes, 2 of 4 in your workspace, 1 not compared');
    expect(some.tooltip.split('\n').slice(1)).toEqual([
      '2 of 4 compared files are in your workspace.',
      '1 file is partly in your workspace.',
      "1 file couldn't be compared.",
      'Only text is compared, not commits.',
    ]);
    const only = described([['a', 'present']], 1);
    expect(only.tooltip).toContain('\n1 of 1 compared file is in your workspace.\nOnly text');
    expect(only.description).not.toContain('not compared');
  });

  it.each([
    ['a.ts', 'a.ts', ''],
    ['src/a.ts', 'a.ts', 'src'],
    ['/a.ts', 'a.ts', '/'],
    ['/etc/passwd', 'passwd', '/etc'],
    ['../../etc/passwd', 'passwd', '../../etc'],
    ['C:\\repo\\a.ts', 'a.ts', 'C:\\repo'],
    ['src/', 'src', ''],
    ['/', '/', ''],
  ])('at %j is named %j in %j', (path, name, folder) => {
    expect(splitPath(path)).toEqual({ name, folder });
  });

  it.each([
    ['src/a.ts', '/src/a.ts'],
    ['/etc/passwd', '/etc/passwd'],
    ['../../etc/passwd', '/…/…/etc/passwd'],
    ['C:\\repo\\a.ts', '/c:/repo/a.ts'],
    ['//server/share/a.ts', '/server/share/a.ts'],
    ['', '/'],
  ])('at %j has a document at %j', (path, shown) => {
    expect(documentPath(path)).toBe(shown);
  });
});

describe('the title of changes', () => {
  const shown = {
    isTurn: false,
    isConfirmed: true,
    shownCount: 2,
    totalCount: 2,
    presences: new Map<string, Presence>(),
  };
  const title = (part: Partial<typeof shown>, record = recordOf()) =>
    plain(describeChangesTitle(record, { ...shown, ...part }, t));

  it('says that they are as written by the agent, and what they leave out', () => {
    const history = { completeness: 'partial', isLoading: false } as const;
    expect(title({})).toBe('Fix the login (as written by the agent)');
    expect(title({}, recordOf({ history }))).toBe('Fix the login (as written by the agent, in the loaded messages)');
    expect(title({ isTurn: true }, recordOf({ history }))).toBe('Fix the login (as written by the agent, in one turn)');
    expect(title({ isConfirmed: false })).toBe('Fix the login (as written by the agent, not confirmed)');
    expect(title({ totalCount: 1_200 })).toBe('Fix the login (as written by the agent, first 2 of 1,200 files)');
    expect(title({ presences: new Map([['a', 'present']]) })).toBe(
      'Fix the login (as written by the agent, 1 of 1 in your workspace, 1 not compared)',
    );
  });
});
