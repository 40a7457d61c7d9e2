import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionSettings } from '../../../../src/api/resources/session.ts';
import { compareSettings, isUnset, namesOf, settingNames } from '../../../../src/state/sessions/sessionSettings.ts';

const names = fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 4 });
const settings: fc.Arbitrary<SessionSettings> = fc.record(
  {
    model: fc.string(),
    runInWorktree: fc.boolean(),
    enabledToolIds: names,
    tags: fc.array(fc.record({ name: fc.string(), metadata: fc.dictionary(fc.string(), fc.jsonValue()) })),
    assistantActiveTimeMs: fc.nat(),
  },
  { requiredKeys: [] },
);

describe('a comparison of settings', () => {
  it('finds no difference between equivalent settings in a different order', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const shuffled = Object.fromEntries(
          Object.entries(before)
            .reverse()
            .map(([name, value]) => [name, Array.isArray(value) ? value.toReversed() : value]),
        );
        expect(compareSettings(before, {}, shuffled)).toMatchObject({ differing: [], lost: {} });
      }),
    );
  });

  it('finds each setting that was lost without being part of the change, with its value', () => {
    fc.assert(
      fc.property(settings, fc.subarray([...settingNames]), (before, gone) => {
        const after = Object.fromEntries(
          Object.entries(before).filter(([name]) => !gone.some((other) => other === name)),
        );
        const { lost } = compareSettings(before, {}, after);
        expect(namesOf(lost)).toEqual(settingNames.filter((name) => gone.includes(name) && !isUnset(before[name])));
        for (const name of namesOf(lost)) expect(lost[name]).toEqual(before[name]);
      }),
    );
  });

  it('ignores changed values of settings that the service changes on its own', () => {
    const before = { assistantActiveTimeMs: 5, providerLockTimestamp: 'a' };
    expect(compareSettings(before, {}, { assistantActiveTimeMs: 7, providerLockTimestamp: 'b' }).lost).toEqual({});
    expect(compareSettings(before, {}, {}).lost).toEqual(before);
  });

  it('lists settings of the change that have a different value afterward', () => {
    const after = { model: 'b', archivedAt: '2026-05-20T15:30:00+00:00' };
    expect(compareSettings({}, { model: 'a', archivedAt: '2026-05-20T15:30:00.000Z' }, after).differing).toEqual([
      'model',
    ]);
    expect(compareSettings({ archivedAt: 'x' }, { archivedAt: '' }, {}).differing).toEqual([]);
    expect(compareSettings({ archivedAt: 'x' }, { archivedAt: '' }, { archivedAt: 'x' }).differing).toEqual([
      'archivedAt',
    ]);
  });
});
