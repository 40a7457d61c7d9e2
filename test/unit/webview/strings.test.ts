import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteSize } from '../../../src/shared/text.ts';
import { createStrings } from '../../../src/webview/strings.ts';
import { setup } from '../../webview/rig/samples.ts';

const borders = [0, 999, 1_000, 99_949, 99_950, 999_499, 999_500, 999_999, 1_000_000, 99_950_000];
const sizes = fc.oneof(fc.constantFrom(...borders), fc.nat(2_000_000_000));

describe('sizes on the page', () => {
  it('match the format on the host, in every language', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom('en', 'de', 'ar-EG', 'no such language'), (size, locale) => {
        expect(createStrings({ ...setup, locale }).size(size)).toBe(byteSize(size));
      }),
    );
  });
});
