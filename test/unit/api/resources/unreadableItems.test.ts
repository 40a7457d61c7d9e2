import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionSettingsSchema, writableSettings } from '../../../../src/api/resources/session.ts';
import { editTags } from '../../../../src/state/sessions/sessionSettings.ts';

describe('the parts of settings that cannot be read', () => {
  it('are sent back at their places when a tag is added', () => {
    const tags = ['plain', { name: 'bug' }, { label: 'no name' }, null, { name: 'auth', extra: [1] }];
    const settings = sessionSettingsSchema.parse({ tags });
    expect(settings.tags).toEqual([{ name: 'bug' }, { name: 'auth', extra: [1] }]);
    const edited = editTags(settings.tags ?? [], { kind: 'add', tag: { name: 'new' } });
    expect(writableSettings({ tags: edited ?? [] }, settings.unreadable)).toEqual({ tags: [...tags, { name: 'new' }] });
  });

  it('do not make a whole list of tool IDs unreadable', () => {
    const enabledToolIds = ['read_file', 7, 'grep', { id: 'x' }];
    const settings = sessionSettingsSchema.parse({ enabledToolIds, disabledToolIds: null });
    expect(settings).toMatchObject({ enabledToolIds: ['read_file', 'grep'], disabledToolIds: undefined });
    expect(writableSettings({ enabledToolIds: ['grep'] }, settings.unreadable)).toEqual({
      enabledToolIds: ['grep', 7, { id: 'x' }],
    });
  });

  it('include whole values, which are sent back only for settings without a readable value', () => {
    const given = { model: { id: 'x' }, runInWorktree: 'yes', tags: { name: 'bug' }, archivedAt: null, unknown: 1 };
    const { unreadable } = sessionSettingsSchema.parse(given);
    expect(unreadable).toEqual({
      items: {},
      values: { model: { id: 'x' }, runInWorktree: 'yes', tags: { name: 'bug' } },
    });
    expect(writableSettings({ model: 'new' }, unreadable)).toEqual({ ...unreadable?.values, model: 'new' });
  });

  it('survive any edit of a list of any JSON values', () => {
    const named = fc.record(
      { name: fc.string({ maxLength: 3 }), metadata: fc.jsonValue() },
      { requiredKeys: ['name'] },
    );
    const lists = fc.array(fc.oneof(named, fc.jsonValue()), { maxLength: 8 });
    fc.assert(
      fc.property(lists, fc.nat(), fc.boolean(), (tags, pick, isRemoval) => {
        const { tags: readable = [], unreadable } = sessionSettingsSchema.parse({ tags });
        expect(writableSettings({ tags: readable }, unreadable)).toEqual({ tags });
        const { name } = readable[pick % Math.max(1, readable.length)] ?? { name: '' };
        const edited = isRemoval
          ? editTags(readable, { kind: 'remove', name })
          : editTags(readable, { kind: 'add', tag: { name: 'new one' } });
        const sent = writableSettings({ tags: edited ?? readable }, unreadable)['tags'];
        for (const { value } of unreadable?.items['tags'] ?? []) expect(sent).toContainEqual(value);
        expect(sent).toHaveLength((edited ?? readable).length + (unreadable?.items['tags']?.length ?? 0));
      }),
    );
  });
});
