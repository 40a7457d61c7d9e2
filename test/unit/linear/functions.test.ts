import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryFolder } from '../../../tools/editor/install/cache.ts';
import { knownAttacks, signAttacks, textOf } from '../../linear/attacks.ts';
import { CountedModule, WorkLimitError } from '../../linear/countedWork.ts';
import type * as Highlighting from '../../linear/highlighting.ts';
import type * as TextFunctions from '../../linear/textFunctions.ts';

const counted = await CountedModule.load<typeof TextFunctions>(join(repositoryFolder, 'test/linear/textFunctions.ts'));
const { documentFunctions, hostFunctions, pageFunctions, pausableFunctions } = counted.exports;
const functions = { ...hostFunctions, ...documentFunctions, ...pageFunctions };

const highlighting = CountedModule.load<typeof Highlighting>(join(repositoryFolder, 'test/linear/highlighting.ts'));

/** The shorter length of the texts that are compared. */
const shortLength = 200;
/** Work that may be added for each character, for what depends on where a text is cut. */
const tolerance = 60;

/** Whether a function does at most twice as much work for a text of twice the length. */
function isLinear(name: string, made: (length: number) => string, length = shortLength): boolean {
  const [once, twice] = [made(length), made(2 * length)];
  const run = functions[name] ?? expect.fail(name);
  const work = counted.count(() => run(once));
  const most = (twice.length / once.length) * work + tolerance * length;
  try {
    counted.count(() => run(twice), most);
    return true;
  } catch (error) {
    if (error instanceof WorkLimitError) return false;
    throw error;
  }
}

/** The length of the texts with which pauses are tested, and the most work between two pauses. */
const pausedLength = 150_000;
const mostPausedWork = 400_000;

/** The most work that is done between two pauses. */
function longestStep(work: Iterator<unknown>): number {
  const step = { longest: 0, isLast: false };
  while (!step.isLast) {
    const done = counted.count(() => (step.isLast = work.next().done === true));
    step.longest = Math.max(step.longest, done);
  }
  return step.longest;
}

describe('work on a long text pauses (R50)', () => {
  const attacks = ['blank lines', 'list items', 'quotes of many lines', 'table rows', 'formulas on lines', 'fences'];

  it.each(Object.keys(pausableFunctions))('%s', (name) => {
    const run = pausableFunctions[name] ?? expect.fail(name);
    const long = attacks.map((attack) => {
      const made = knownAttacks[attack] ?? expect.fail(attack);
      return [attack, longestStep(run(made(pausedLength)))] as const;
    });
    expect(long.filter(([, work]) => work > mostPausedWork)).toEqual([]);
  });
});

describe('the work of functions over text of a service is proportional to its length', () => {
  it.each(Object.keys(functions).filter((name) => name !== 'tool: edit'))('%s', (name) => {
    const slow = Object.entries(knownAttacks).filter(([, made]) => !isLinear(name, made));
    expect(slow.map(([attack]) => attack)).toEqual([]);
  });

  it('tool: edit, from the length on at which lines are no longer compared completely', () => {
    for (const attack of ['blank lines', 'lines of spaces', 'table rows']) {
      expect([attack, isLinear('tool: edit', knownAttacks[attack] ?? expect.fail(attack), 9_600)]).toEqual([
        attack,
        true,
      ]);
    }
  });

  it.each([
    ['copy as plain text', 3],
    ['Markdown', 2],
  ] as const)('%s, for every piece of text of up to %d signs', (name, most) => {
    const slow = signAttacks(most).filter((attack) => !isLinear(name, (length) => textOf(attack, length)));
    expect(slow.map(({ piece }) => piece)).toEqual([]);
  });

  it.each([
    ['c', 'a b '],
    ['c', 'a b\n'],
    ['csharp', 'a '],
    ['markdown', '[a]('],
  ])('highlighting of %s, for %j', async (language, piece) => {
    const module = await highlighting;
    const work = [2_000, 4_000].map((length) =>
      module.count(() => module.exports.highlight(language, piece.repeat(length / piece.length))),
    );
    expect(work[1]).toBeLessThan(2.2 * (work[0] ?? 0));
  });

  it('is counted: nested loops, expressions, and searches of strings are found', () => {
    const text = 'a'.repeat(100);
    const work = (run: (text: string) => unknown) => counted.count(() => run(text));
    const { samples } = counted.exports;
    expect(work(samples.loop)).toBeLessThan(250);
    expect(work(samples.nestedLoops)).toBeGreaterThan(5_000);
    expect(work(samples.expression)).toBeGreaterThan(5_000);
    expect(work(samples.searches)).toBeGreaterThan(5_000);
  });
});
