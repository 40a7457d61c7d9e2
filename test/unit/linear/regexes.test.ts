import { describe, expect, it } from 'vitest';
import { regexAttacks, repeatsLittle, textOf } from '../../linear/attacks.ts';
import { CountedRegex } from '../../linear/regexSteps.ts';
import { sourceRegexes } from '../../linear/sourceRegexes.ts';

/** The shorter length of the texts that are compared. */
const length = 250;
/** The additional steps that are tolerated for each character, because some steps depend on where a text is cut. */
const tolerance = 40;

/** Files whose expressions read settings instead of text of a service. */
const exceptions = ['state/templates/placeholders.ts'];

/**
 * The steps of a search: with the flag `g`, for all matches, as when they are replaced; otherwise, for the first one.
 */
function stepsOf(regex: CountedRegex, text: string, isGlobal: boolean, most: number): number {
  let steps = 0;
  for (let from = 0; from <= text.length && steps < most;) {
    const { steps: more, match } = regex.run(text, from, most - steps);
    steps += more;
    if (!match || !isGlobal) break;
    from = match[1] > match[0] ? match[1] : match[1] + 1;
  }
  return steps;
}

describe('every regular expression', () => {
  it('takes at most twice as many steps for a text of twice the length', () => {
    const slow: string[] = [];
    for (const { file, line, source, flags } of sourceRegexes()) {
      if (exceptions.includes(file) || repeatsLittle(source, flags)) continue;
      const regex = new CountedRegex(source, flags);
      for (const attack of regexAttacks(source, flags, 2)) {
        const once = stepsOf(regex, textOf(attack, length), flags.includes('g'), Infinity);
        if (once < tolerance * length) continue;
        const most = 2 * once + tolerance * length;
        if (stepsOf(regex, textOf(attack, 2 * length), flags.includes('g'), most) < most) continue;
        slow.push(`${file}:${line} /${source}/${flags} for ${JSON.stringify(attack)}`);
        break;
      }
    }
    expect(slow).toEqual([]);
  });

  it('is left out only if it repeats nothing more than eight times', () => {
    const expressions = ['a', 'a?', 'a{8}', '(a{2}b?){3}', 'a{9}', 'a*', 'a+?', '(?:a{2,})?', '(?=.*b)'];
    expect(expressions.filter((source) => repeatsLittle(source, ''))).toEqual(expressions.slice(0, 4));
  });

  it('finds the same with the engine that counts as with that of JavaScript', () => {
    for (const { source, flags } of sourceRegexes()) {
      const regex = new CountedRegex(source, flags);
      const native = new RegExp(source, flags.replace('g', ''));
      for (const attack of regexAttacks(source, flags, 1)) {
        const text = textOf(attack, 40);
        native.lastIndex = 0;
        const found = native.exec(text);
        const expected = found ? [found.index, found.index + found[0].length] : undefined;
        expect({ source, text, match: regex.run(text, 0).match }).toEqual({ source, text, match: expected });
      }
    }
  });
});
