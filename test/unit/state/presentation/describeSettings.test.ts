import { describe, expect, it } from 'vitest';
import { describeDuration } from '../../../../src/state/presentation/describeTime.ts';
import { describeChange, describeReread, settingValue } from '../../../../src/state/presentation/describeSettings.ts';
import { compareSettings } from '../../../../src/state/sessions/sessionSettings.ts';
import { hostile, hostileShown, isDisguised, t } from '../samples.ts';

describe('the value of a setting', () => {
  it.each([
    ['model', { model: 'sonnet' }, 'sonnet'],
    ['model', { model: '' }, 'not set'],
    ['model', { model: hostile }, hostileShown],
    ['compactionModel', { compactionModel: 'current-model' }, 'Current Model'],
    ['compactionThresholdCheckEnabled', { compactionThresholdCheckEnabled: false }, 'Off'],
    ['enabledToolIds', { enabledToolIds: ['a', 'b'] }, 'a, b'],
    ['disabledToolIds', { disabledToolIds: [] }, 'not set'],
    ['tags', { tags: [{ name: 'bug' }, { name: 'ui', metadata: {} }] }, 'bug, ui'],
    ['archivedAt', {}, 'No'],
    ['archivedAt', { archivedAt: 'yesterday' }, 'yesterday'],
    ['assistantActiveTimeMs', { assistantActiveTimeMs: 412_500 }, '6 min 53 s'],
    ['childInclusiveTokenUsageBySessionId', { childInclusiveTokenUsageBySessionId: { a: 1, b: {} } }, '2'],
  ] as const)('%s %j', (name, settings, words) => {
    const value = settingValue(name, structuredClone<object>(settings), t);
    expect(value).toBe(words);
    expect(isDisguised(value)).toBe(false);
  });
});

describe('the outcome of a change', () => {
  const before = { model: 'a', specModeModel: 's', tags: [{ name: 'x' }] };
  it.each([
    [{ model: 'b' }, { ...before, model: 'b' }, 'Model is now b.'],
    [{ model: 'b' }, { model: 'b' }, 'Model is now b. The service also reset these settings: Spec Mode Model, Tags.'],
    [{ model: 'b' }, before, 'The service returned a different value: Model is a.'],
    [{ archivedAt: '2026-05-20T15:30:00Z' }, { ...before, archivedAt: '2026-05-20T15:30:00Z' }, '"Title" is archived.'],
    [{ archivedAt: '' }, before, '"Title" is no longer archived.'],
    [
      { archivedAt: '' },
      { ...before, archivedAt: 'x' },
      "The session is still archived. The service doesn't support unarchiving.",
    ],
    [{ tags: [] }, { ...before, tags: [] }, 'Tags: not set.'],
  ])('%j answered with %j', (change, after, sentence) => {
    expect(describeChange(compareSettings(before, change, after), 'Title', t)).toBe(sentence);
  });

  it('is summarized in one sentence for many settings', () => {
    const change = { model: 'b', specModeModel: 'c', compactionModel: 'd', runInWorktree: true };
    const made = compareSettings(before, change, { ...before, ...change });
    expect(describeChange(made, 'Title', t)).toMatch(/^Changed 4 settings: Model, .*Run in Worktree.*\.$/);
  });

  it('is also described after a refresh', () => {
    const made = compareSettings(before, { model: 'b' }, { ...before, model: 'b' });
    expect(describeReread(made, 'Title', t)).toBe('Session refreshed. Model is now b.');
    const notMade = compareSettings(before, { model: 'b' }, before);
    expect(describeReread(notMade, 'Title', t)).toBe("Session refreshed. The change wasn't applied: Model is a.");
  });
});

describe('a duration', () => {
  it.each([
    [-5, '0 s'],
    [0, '0 s'],
    [1, 'less than 1 s'],
    [999, 'less than 1 s'],
    [1_000, '1 s'],
    [12_400, '12 s'],
    [59_600, '1 min'],
    [252_000, '4 min 12 s'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
  ])('of %d ms', (ms, words) => expect(describeDuration(ms, t)).toBe(words));
});
