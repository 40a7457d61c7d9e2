import { describe, expect, it } from 'vitest';
import { rescueNumber, rescueString } from '../../../../src/sync/storage/rescue.ts';

describe('a field rescued from a damaged file', () => {
  it.each([
    ['whole', '{"text":"a \\"b\\" \\\\ \\u00fc\\n","next":1}', 'a "b" \\ ü\n'],
    ['cut', '{"text":"half a sent', 'half a sent'],
    ['cut in an escape', '{"text":"a\\', 'a'],
    ['cut in the digits of an escape', '{"text":"a\\u00F', 'a'],
    ['cut before the digits of an escape', '{"text":"a\\u', 'a'],
    ['the first of several', '{"text":"one","text":"two"}', 'one'],
    ['empty', '{"text":""}', ''],
    ['with an escape that is not valid', '{"text":"a\\x","next":1}', 'a\\x'],
    ['with a line break that should be escaped', '{"text":"a\nb\\\nc"}', 'a\nb\\\nc'],
  ])('is a text that is %s', (_, content, text) => {
    expect(rescueString(content, 'text')).toBe(text);
  });

  it('is missing if there is no text with this name', () => {
    for (const content of ['', '{"texts":"a"}', '{"text":5}']) expect(rescueString(content, 'text')).toBeUndefined();
  });

  it('is a whole number', () => {
    expect(rescueNumber('{"at":120,"size":7}', 'size')).toBe(7);
    expect(rescueNumber('{"at":12', 'at')).toBe(12);
    for (const content of ['{"at":"12"}', '{"at":', '']) expect(rescueNumber(content, 'at')).toBeUndefined();
  });
});
