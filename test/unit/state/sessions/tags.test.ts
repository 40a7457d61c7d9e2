import { describe, expect, it } from 'vitest';
import type { Tag } from '../../../../src/api/resources/session.ts';
import { editTags, knownTags, readMetadata, tagColor } from '../../../../src/state/sessions/sessionSettings.ts';

const bug: Tag = { name: 'bug', metadata: { color: '#d73a4a', deep: [1, { b: null }] }, extra: 'kept' };
const auth: Tag = { name: 'auth', metadata: 'not an object' };
const tags = [bug, auth];

describe('an edit of tags', () => {
  it('leaves everything else unchanged', () => {
    expect(editTags(tags, { kind: 'add', tag: { name: 'new' } })).toEqual([bug, auth, { name: 'new' }]);
    expect(editTags(tags, { kind: 'remove', name: 'auth' })).toEqual([bug]);
    expect(editTags(tags, { kind: 'rename', name: 'bug', to: 'defect' })).toEqual([{ ...bug, name: 'defect' }, auth]);
    expect(editTags(tags, { kind: 'describe', name: 'bug', metadata: { a: 1 } })).toEqual([
      { ...bug, metadata: { a: 1 } },
      auth,
    ]);
  });

  it('changes nothing if the tag already exists or was removed', () => {
    expect(editTags(tags, { kind: 'add', tag: { name: 'bug' } })).toBeUndefined();
    expect(editTags(tags, { kind: 'remove', name: 'gone' })).toBeUndefined();
    expect(editTags(tags, { kind: 'rename', name: 'bug', to: 'auth' })).toBeUndefined();
    expect(editTags(tags, { kind: 'describe', name: 'gone', metadata: {} })).toBeUndefined();
  });

  it('changes only one of two tags with the same name', () => {
    const twice = [{ name: 'x', metadata: { n: 1 } }, { name: 'x' }];
    expect(editTags(twice, { kind: 'remove', name: 'x' })).toEqual([{ name: 'x' }]);
  });
});

describe('known tags', () => {
  it('are distinct and sorted by name, and the first tag with a name is used', () => {
    expect(knownTags([[bug], [auth, { name: 'bug' }]])).toEqual([auth, bug]);
  });

  it('have a color only if it is a valid hex color', () => {
    expect(tagColor(bug)).toBe('#d73a4a');
    for (const color of ['red', '#12', '#12345g', '"/><script>', 7, null]) {
      expect(tagColor({ name: 'x', metadata: { color } })).toBeUndefined();
    }
    expect(tagColor(auth)).toBeUndefined();
  });
});

describe('metadata entered by the user', () => {
  it.each([
    ['{"a": [1]}', { a: [1] }],
    ['  ', {}],
    ['[1]', undefined],
    ['"text"', undefined],
    ['null', undefined],
    ['{a: 1}', undefined],
  ])('%j', (text, value) => expect(readMetadata(text)).toEqual(value));
});
