import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64Size, isolatedLine, plainLine, shortenedLine } from '../../../src/shared/text.ts';
import { hostile, hostileShown, isDisguised } from '../state/samples.ts';

describe('one line of service text (R4)', () => {
  it('makes disguising characters visible and folds line breaks', () => {
    expect(plainLine(hostile)).toBe(hostileShown);
    expect(plainLine('  a \t\n\u2029 b  ')).toBe('a b');
    expect(plainLine('\u{e0041}\u2066x\u2069\u00ad')).toBe('<U+E0041><U+2066>x<U+2069><U+00AD>');
    expect(isolatedLine('שלום')).toBe('\u2068שלום\u2069');
  });

  it('leaves scripts, emoji, and their joiners unchanged', () => {
    for (const text of ['schön', '日本語', 'نرم‌افزار', '👩‍💻', 'é']) expect(plainLine(text)).toBe(text);
  });

  it('truncates between characters', () => {
    expect(plainLine('👩'.repeat(10), 4)).toBe('👩👩👩…');
    expect(plainLine('abcd', 4)).toBe('abcd');
    expect(plainLine('abcde', 4)).toBe('abc…');
  });

  it('never contains a line break, a control character, or an override, and never exceeds its length limit', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 50 }), (drawn, maxLength) => {
        const line = plainLine(drawn, maxLength);
        expect(isDisguised(line)).toBe(false);
        expect(Array.from(line).length).toBeLessThanOrEqual(maxLength);
      }),
      { numRuns: 500 },
    );
  });
});

describe('sizes', () => {
  it('as base64 match the output of an encoder', () => {
    fc.assert(
      fc.property(fc.nat(500), (sizeBytes) => {
        expect(base64Size(sizeBytes)).toBe(Buffer.alloc(sizeBytes).toString('base64').length);
      }),
    );
  });
});

describe('a line that is shortened', () => {
  it.each([
    ['Fix the login', 24, 'Fix the login'],
    ['exactly twenty-four char', 24, 'exactly twenty-four char'],
    ['Retry with jitter in the upload client', 24, 'Retry with jitter in the…'],
    ['Retry with jitter in the upload client', 22, 'Retry with jitter in…'],
    ['Check the redirect in Safari', 18, 'Check the redirect…'],
    ['Check the redirection in Safari', 18, 'Check the redirec…'],
    ['Retry with jitter, then wait', 20, 'Retry with jitter…'],
    ['Donaudampfschifffahrtsgesellschaft', 12, 'Donaudampfs…'],
    ['a Donaudampfschifffahrtsgesellschaft', 12, 'a Donaudamp…'],
    ['アップロードの再試行を修正する', 12, 'アップロー…'],
    ['\u{1F600}'.repeat(20), 9, `${'\u{1F600}'.repeat(3)}…`],
    ['Edge cases: all types of content', 22, 'Edge cases: all types…'],
    ['Ends in a question', 17, 'Ends in a questi…'],
    ['アップロードの再試行', 1, '…'],
    ['any length', 0, 'any length'],
  ])('%j to %d is %j', (line, width, shown) => {
    expect(shortenedLine(line, width)).toBe(shown);
  });
});
