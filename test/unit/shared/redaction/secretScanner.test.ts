import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  redactingJson,
  redactingText,
  redactText,
  redactTextInSlices,
} from '../../../../src/shared/redaction/redaction.ts';
import { SecretScanner } from '../../../../src/shared/redaction/secretScanner.ts';
import { inSlices, withoutPause, type PausableWork } from '../../../../src/shared/slices.ts';
import { hostilePieces } from './hostilePieces.ts';
import { issuerFormats } from './issuerFormats.ts';
import { namedFormats } from './namedFormats.ts';
import { RandomText } from './randomText.ts';

/** Texts that contain secrets, separators, and parts of both, in any order. */
const pieces = [
  ...[...issuerFormats, ...namedFormats].map(({ example }) => example(new RandomText(7)).text),
  ...' |\n|\\n|"|\'|=|: |://|@|-----BEGIN |PRIVATE KEY-----|password|token|é|😀|%3D|[redacted]|--|<password>|eyJ|.'.split(
    '|',
  ),
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/**
 * The most examinations for each character of hostile text. Each character of ordinary code is examined about twice.
 */
const mostExamined = 160;

function examinedIn(text: string): number {
  const scanner = new SecretScanner(text);
  scanner.advance(text.length);
  return scanner.examined;
}

function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

/** Does the work and counts its pauses. */
function counted<T>(work: PausableWork<T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const step = work.next();
    if (step.done) return { value: step.value, pauses };
  }
}

describe('the search for secrets (R50)', () => {
  it.each(hostilePieces)('examines a limited number of characters for each one of %j', (piece) => {
    const [short, long] = [20_000, 80_000].map((length) => examinedIn(repeated(piece, length)));
    expect(long).toBeLessThan(80_000 * mostExamined);
    expect(long).toBeLessThan((short ?? 0) * 4 + 40 * 4_096);
  });

  it.each([
    ['each character', '('.repeat(1_000), 1_000, 1_100],
    ['each character of a word, also where a secret could begin', 'a'.repeat(1_000), 1_000, 1_100],
    ['a quotation again, after a name', `password="${'{'.repeat(1_000)}`, 2_000, 2_200],
    [
      'the lines after the first one of a key twice more',
      `-----BEGIN PRIVATE KEY-----\n${'é'.repeat(1_000)}`,
      3_000,
      3_600,
    ],
  ] as const)('counts %s', (_, text, least, most) => {
    expect(examinedIn(text)).toBeGreaterThanOrEqual(least);
    expect(examinedIn(text)).toBeLessThan(most);
  });

  it('examines a limited number of characters of mixed hostile text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...hostilePieces), { minLength: 1, maxLength: 4 }), (some) => {
        expect(examinedIn(repeated(some.join(''), 20_000))).toBeLessThan(20_000 * mostExamined);
      }),
    );
  });

  it('can be paused anywhere without a change of the result', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, step) => {
        const whole = redactText(text);
        expect(withoutPause(redactingText(text, step))).toEqual(whole);
      }),
    );
    fc.assert(
      fc.property(fc.jsonValue(), texts, fc.integer({ min: 1, max: 60 }), (json, text, step) => {
        const value = { json, text, more: [text, { password: text }] };
        expect(withoutPause(redactingJson(value, step))).toEqual(withoutPause(redactingJson(value)));
      }),
    );
  });

  it('is paused about every 8,192 characters, in JSON also at each object', () => {
    const text = repeated('const total = basket.sum(prices);\n', 100_000);
    expect(counted(redactingText(text)).pauses).toBe(12);
    expect(counted(redactingText(text, 50_000)).pauses).toBe(1);
    expect(counted(redactingJson([[], [], { a: {} }])).pauses).toBe(5);
  });

  it('is also paused within a very long word', () => {
    expect(counted(redactingText('a'.repeat(100_000))).pauses).toBe(3);
  });

  it('gives the same result in slices', async () => {
    const long = pieces.join('\n').repeat(20);
    expect(await redactTextInSlices(long)).toEqual(redactText(long));
    expect(await inSlices(redactingJson({ text: [long] }))).toEqual(withoutPause(redactingJson({ text: [long] })));
  });

  it('lets other work run between slices', async () => {
    let isOver = false;
    let ran = 0;
    const other = () => {
      if (isOver) return;
      ran++;
      setImmediate(other);
    };
    setImmediate(other);
    await redactTextInSlices(repeated('password=hunter22 ', 1_000_000));
    isOver = true;
    expect(ran).toBeGreaterThan(1);
  });

  it('finds nothing in redacted text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = redactText(text);
        expect(redactText(once.value)).toEqual({ value: once.value, count: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it('finds secrets in the order of the text, and none that overlap', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const scanner = new SecretScanner(text);
        scanner.advance(text.length);
        let end = 0;
        for (const finding of scanner.findings) {
          expect(finding.start).toBeGreaterThanOrEqual(end);
          expect(finding.end).toBeGreaterThan(finding.start);
          end = finding.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
