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
/** The additional work that is tolerated for each character, because some work depends on where a text is cut. */
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

/** The length of the shortest texts with which pauses are tested, and the largest multiple of it. */
const pausedLength = 50_000;
const mostTimes = 16;
/** The most work between two pauses. */
const mostPausedWork = 360_000;
/** The least work on a text that shows whether a function pauses, and the work that a test aims at. */
const leastWork = 3 * mostPausedWork;
const aimedWork = 4 * mostPausedWork;

/** All work, and the most that is done between two pauses. */
function pausedWork(work: Iterator<unknown>): { readonly total: number; readonly longest: number } {
  const sum = { total: 0, longest: 0, isLast: false };
  while (!sum.isLast) {
    const done = counted.count(() => (sum.isLast = work.next().done === true));
    sum.total += done;
    sum.longest = Math.max(sum.longest, done);
  }
  return sum;
}

describe('work on a long text pauses (R50)', () => {
  const attacks = ['blank lines', 'list items', 'quotes of many lines', 'table rows', 'formulas on lines', 'fences'];

  it.each(Object.keys(pausableFunctions))('%s', (name) => {
    const run = pausableFunctions[name] ?? expect.fail(name);
    const wrong = attacks.flatMap((attack) => {
      const made = knownAttacks[attack] ?? expect.fail(attack);
      const short = pausedWork(run(made(pausedLength)));
      const times = Math.min(Math.ceil(aimedWork / short.total), mostTimes);
      const work = short.total >= leastWork ? short : pausedWork(run(made(times * pausedLength)));
      return work.total < leastWork || work.longest > mostPausedWork ? [{ attack, ...work }] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('code in a document, also within a line', () => {
    const run = pausableFunctions['code in a document'] ?? expect.fail();
    const made = knownAttacks['code of two lengths'] ?? expect.fail();
    expect(pausedWork(run(made(200_000))).longest).toBeLessThan(mostPausedWork);
  });

  it.each([
    ...['*[]', '[*]', '[]*', '[*1]', '[1*]', '[1*,2]', '[1,*2]', '[[1]*]', '[*[1],2]', '["a"*]', '[*"a"]', '["A"*,1]'],
    ...['[*"A"]', '[1,*"A"]', '{*}', '{*"a":1}', '{"a"*:1}', '{"a":*1}', '{"a":1*}', '{"a":*"A"}', '{"A"*:1}'],
    ...['*1', '*"a"', '"A"*', '[*a]', '[*'],
  ])('white space in JSON: %s', (json) => {
    const space = ' \t\r\n'.repeat(100_000);
    const text = json.replace('A', 'a'.repeat(20_000)).replace('*', () => space);
    expect(pausedWork(counted.exports.parseText(text)).longest).toBeLessThan(100_000);
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

  it.each(Object.keys(knownAttacks).filter((attack) => attack.startsWith('tags')))(
    'text of a prompt, if it is so long that searches for the start of its line count: %s',
    (attack) => expect(isLinear('text of a prompt', knownAttacks[attack] ?? expect.fail(attack), 6_000)).toBe(true),
  );

  it.each([
    ['terminal output', 'starts of a line that are erased'],
    ['terminal output', 'starts that are erased again'],
    ['terminal output', 'lines that are erased'],
    ['Markdown', 'cells with code before formulas'],
    ['Markdown', 'definitions that no link uses'],
  ])('%s, also for longer texts: %s', (name, attack) => {
    expect(isLinear(name, knownAttacks[attack] ?? expect.fail(attack), 10_000)).toBe(true);
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
