import { describe, expect, it } from 'vitest';
import { describeUsage, usageCsv } from '../../../../src/state/presentation/describeUsage.ts';
import { fileNameOf } from '../../../../src/state/documents/export.ts';
import {
  type UsageSample,
  cacheShare,
  sameUsage,
  mergeSamples,
  sampleOf,
  tokenCount,
  turnsOf,
  usageIn,
} from '../../../../src/state/store/usage.ts';
import { usageLine } from '../../../../src/state/presentation/describeSession.ts';
import type { TokenUsage } from '../../../../src/api/resources/session.ts';
import { hostile, now, recordOf, sessionOf, t } from '../samples.ts';

const sample = (at: number, isIdle: boolean, inputTokens: number, credits = 0): UsageSample => ({
  at,
  isIdle,
  own: { inputTokens, serviceCredits: credits },
  activeMs: inputTokens * 10,
});

describe('turns', () => {
  it('are measured by the difference between two idle samples', () => {
    const samples = [
      sample(1, true, 100, 0.1),
      sample(2, false, 100, 0.1),
      sample(3, false, 150, 0.2),
      sample(4, true, 180, 0.3),
      sample(5, true, 200, 0.4),
    ];
    expect(turnsOf(samples)).toEqual([
      { startedAt: 2, endedAt: 4, used: { inputTokens: 80, serviceCredits: 0.2 }, activeMs: 800 },
      { startedAt: 5, endedAt: 5, used: { inputTokens: 20, serviceCredits: 0.1 }, activeMs: 200 },
    ]);
  });

  it('are skipped if their start was not observed or nothing was used', () => {
    expect(turnsOf([sample(1, false, 50), sample(2, true, 80)])).toEqual([]);
    expect(turnsOf([sample(1, true, 80), sample(2, false, 80), sample(3, true, 80)])).toEqual([]);
  });

  it('include child sessions if known, and treat a decreased counter as reset', () => {
    const inclusive = { ...sample(2, true, 10), inclusive: { inputTokens: 40 } };
    expect(turnsOf([{ ...sample(1, true, 5), inclusive: { inputTokens: 15 } }, inclusive])[0]?.used).toEqual({
      inputTokens: 25,
      serviceCredits: 0,
    });
    expect(turnsOf([sample(1, true, 90), sample(2, true, 30)])[0]?.used.inputTokens).toBe(30);
  });
});

it('turns compare only counters of the same kind if a response lacks those with child sessions', () => {
  const child = (at: number, own: number, inputTokens: number) => ({
    ...sample(at, true, own),
    inclusive: { inputTokens },
  });
  const usedIn = (...samples: UsageSample[]) => turnsOf(samples).map(({ used }) => used.inputTokens);
  expect(usedIn(child(1, 100, 500), sample(2, true, 100), child(3, 100, 500))).toEqual([]);
  expect(usedIn(child(1, 100, 500), sample(2, true, 110), child(3, 130, 590))).toEqual([10, 20]);
  expect(usedIn(child(1, 100, 500), { ...sample(2, true, 110), inclusive: {} })).toEqual([10]);
  expect(usedIn({ ...child(1, 0, 500), own: {} }, sample(2, true, 110))).toEqual([]);
  const without = { ...child(2, 0, 500), own: {} };
  expect(usedIn({ ...child(1, 0, 0), own: {}, inclusive: {} }, child(2, 50, 80))).toEqual([80]);
  expect(usedIn(sample(1, true, 100), { ...sample(2, true, 0), own: {} }, sample(3, true, 110))).toEqual([10]);
  expect(usedIn(sample(1, true, 100), without, { ...without, inclusive: { inputTokens: 520 } })).toEqual([20]);
});

describe('samples', () => {
  it('of several windows are merged without duplicates', () => {
    const [a, b, c] = [sample(1, true, 1), sample(2, true, 2), sample(3, true, 3)];
    expect(
      mergeSamples(
        [
          [a, c],
          [b, sample(2.5, true, 2), c],
        ],
        10,
      ),
    ).toEqual([a, b, c]);
    expect(mergeSamples([[a, b, c]], 2)).toEqual([b, c]);
  });

  it('are in the order of the service, also if the clock of this machine was set back', () => {
    const changed = (at: number, changedAt: number, tokens: number) => ({ ...sample(at, true, tokens), changedAt });
    const [a, b, c] = [changed(1_000, 5, 100), changed(400, 6, 150), changed(600, 7, 160)];
    const merged = mergeSamples([[a, c], [b, c], [b]], 10);
    expect(merged).toEqual([a, b, c]);
    expect(turnsOf(merged).map(({ used }) => used.inputTokens)).toEqual([50, 10]);
    // The time of the service is the same in all of these samples.
    expect(mergeSamples([[changed(500, 5, 110)], [a], [changed(300, 5, 120)]], 10).map(({ at }) => at)).toEqual([
      1_000, 500, 300,
    ]);
    // Samples of earlier versions have no time of the service.
    const old = [sample(900, true, 80), sample(2_000, true, 90)];
    expect(mergeSamples([[a], old], 10)).toEqual([...old, a]);
    expect(mergeSamples([old, [a]], 10)).toEqual([...old, a]);
  });

  it('differ by counters and status, not by time', () => {
    expect(sameUsage(sample(1, true, 1), sample(2, true, 1))).toBe(true);
    expect(sameUsage(sample(1, true, 1), sample(1, false, 1))).toBe(false);
    expect(sameUsage(sample(1, true, 1), { ...sample(1, true, 1), inclusive: { outputTokens: 1 } })).toBe(false);
  });

  it('are undefined for a session without usage', () => {
    expect(sampleOf(sessionOf(), 5)).toBeUndefined();
    const read = sampleOf(sessionOf({ status: 'running', sessionSettings: { tokenUsage: { inputTokens: 3 } } }), 5);
    expect(read).toMatchObject({ at: 5, isIdle: false, own: { inputTokens: 3 } });
  });

  it('are exported as CSV', () => {
    const lines = usageCsv([{ ...sample(0, true, 7, 0.5), inclusive: { inputTokens: 9 } }]).split('\r\n');
    expect(lines).toEqual([
      'time,idle,activeMs,inputTokens,outputTokens,cacheReadTokens,cacheCreationTokens,thinkingTokens,serviceCredits,inclusive.inputTokens,inclusive.outputTokens,inclusive.cacheReadTokens,inclusive.cacheCreationTokens,inclusive.thinkingTokens,inclusive.serviceCredits',
      '1970-01-01T00:00:00.000Z,true,70,7,,,,,0.5,9,,,,,',
      '',
    ]);
  });
});

describe('figures', () => {
  it('include the cache share, if there is input', () => {
    expect(cacheShare({ inputTokens: 10, cacheReadTokens: 85, cacheCreationTokens: 5 })).toBe(0.85);
    expect(cacheShare({ outputTokens: 4 })).toBeUndefined();
  });

  it('of a child session are read from unvalidated data', () => {
    expect(usageIn({ inputTokens: 3, serviceCredits: 'many', other: 1 })).toEqual({ inputTokens: 3 });
    for (const value of [null, 7, 'x', [], { inputTokens: Number.NaN }]) expect(usageIn(value)).toEqual({});
  });

  it('fit on one line of the tooltip', () => {
    const settings = { tokenUsage: { inputTokens: 1_200_000, outputTokens: 300_000, serviceCredits: 7.31 } };
    expect(usageLine(recordOf({ session: sessionOf({ sessionSettings: settings }) }), t)).toMatch(
      /^1.5M tokens, 7.3 credits$/,
    );
    expect(usageLine(recordOf(), t)).toBeUndefined();
    const lineOf = (sessionSettings: object) => usageLine(recordOf({ session: sessionOf({ sessionSettings }) }), t);
    expect(lineOf({ tokenUsage: { inputTokens: 12_345 }, inclusiveTokenUsage: {} })).toBe('12.3K tokens');
    expect(lineOf({ tokenUsage: { serviceCredits: 7 } })).toBe('7 credits');
    expect(lineOf({ tokenUsage: {}, inclusiveTokenUsage: {} })).toBeUndefined();
  });
});

describe('the usage page', () => {
  const words = { t, titleOf: () => undefined };
  it('lists child sessions, and own and inclusive counters', () => {
    const sessionSettings = {
      tokenUsage: { inputTokens: 10 },
      inclusiveTokenUsage: { inputTokens: 15 },
      childInclusiveTokenUsageBySessionId: { [hostile]: { inputTokens: 5 } },
      providerLockTimestamp: '2026-05-20T15:30:00Z',
      assistantActiveTimeMs: 61_000,
    };
    const usage = describeUsage(recordOf({ session: sessionOf({ sessionSettings }) }), [], words);
    expect(usage.tables[0]?.rows[0]).toEqual(['Input', '10', '15']);
    expect(usage.tables[1]?.rows[0]?.slice(1, 3)).toEqual(['5', '–']);
    expect(usage.tables[1]?.rows[0]?.[0]).not.toContain('\u202E');
    expect(usage.facts.map(({ label }) => label)).toEqual([
      'Tokens',
      'Read from cache',
      'Active time',
      'Provider locked',
      'Last refreshed',
    ]);
    expect(usage.charts).toEqual([]);
  });

  it('has own counters instead of missing inclusive ones, and nothing for unknown ones', () => {
    const pageOf = (sessionSettings: object, samples: readonly UsageSample[] = []) =>
      describeUsage(recordOf({ session: sessionOf({ sessionSettings }) }), samples, words);
    const tokensOf = (sessionSettings: object) => pageOf(sessionSettings).facts[0]?.value;
    expect(tokensOf({ tokenUsage: { inputTokens: 12_345 }, inclusiveTokenUsage: {} })).toBe('12,345');
    expect(tokensOf({ tokenUsage: { serviceCredits: 2 } })).toBe('–');
    const inclusive = [1, 2].map((inputTokens) => ({ ...sample(now, true, 0), own: {}, inclusive: { inputTokens } }));
    const [, line] = pageOf({ inclusiveTokenUsage: { inputTokens: 2 } }, [...inclusive, inclusive[0]!]).charts;
    expect(line?.legend).toEqual(['With child sessions']);
    expect(line?.points.map(({ values }) => values)).toEqual([[1], [2], [1]]);
    const mixed = [inclusive[0]!, sample(now, true, 0), inclusive[1]!, inclusive[0]!];
    const charts = pageOf({ inclusiveTokenUsage: { inputTokens: 2 } }, mixed).charts;
    expect(charts.find(({ kind }) => kind === 'line')?.points.map(({ values }) => values)).toEqual([[1], [2], [1]]);
    const credits = [1, 2, 3].map((serviceCredits) => ({ ...sample(now, true, 0), own: { serviceCredits } }));
    const paid = pageOf({ tokenUsage: { serviceCredits: 3 } }, credits);
    expect(paid.charts).toEqual([]);
    expect(paid.facts.find(({ label }) => label === 'Last turn')?.value).toBe('1 credit, 0 s');
  });

  it('explains why it is empty', () => {
    expect(describeUsage(recordOf(), [], words).empty).toBe(
      "This service doesn't report token usage for this session.",
    );
    expect(describeUsage(recordOf({ session: undefined }), [], words).empty).toBe("This session hasn't loaded yet.");
  });

  it('contains charts if there are several samples', () => {
    const sessionSettings = { tokenUsage: { inputTokens: 10 } };
    const samples = [sample(now, true, 1), sample(now + 1, true, 5), sample(now + 2, true, 9)];
    const { charts } = describeUsage(recordOf({ session: sessionOf({ sessionSettings }) }), samples, words);
    expect(charts.map(({ kind, points }) => [kind, points.length])).toEqual([
      ['bars', 2],
      ['line', 3],
    ]);
    for (const { ticks, summary, times } of charts) {
      expect(ticks[0]?.value).toBe(0);
      expect(summary).not.toBe('');
      expect(times.join()).not.toBe('');
    }
  });

  it('draws the tokens with child sessions only if they differ, and says a minute once', () => {
    const lineOf = (changeOf: (own: TokenUsage) => TokenUsage | undefined, laterMs: number) => {
      const samples = [1, 5, 9].map((tokens, place) => {
        const { own, ...rest } = sample(now + (place * laterMs) / 2, true, tokens);
        return { ...rest, own, inclusive: changeOf(own) };
      });
      const record = recordOf({ session: sessionOf({ sessionSettings: { tokenUsage: { inputTokens: 10 } } }) });
      return describeUsage(record, samples, words).charts.find(({ kind }) => kind === 'line');
    };
    const alone = lineOf((own) => own, 2);
    expect(alone?.legend).toEqual(['This session']);
    expect(alone?.points.map(({ values }) => values)).toEqual([[1], [5], [9]]);
    expect(alone?.times).toHaveLength(1);
    const withChildren = lineOf(({ inputTokens = 0 }) => ({ inputTokens: inputTokens + 2 }), 600_000);
    expect(withChildren?.legend).toEqual(['With child sessions', 'This session']);
    expect(withChildren?.points[2]?.values).toEqual([11, 9]);
    expect(withChildren?.times).toHaveLength(2);
  });

  it.each([
    [0, [0, 1, 2]],
    [9, [0, 5, 10]],
    [100, [0, 50, 100]],
    [101, [0, 100, 200]],
    [318_400, [0, 200_000, 400_000]],
  ])('uses round numbers for ticks: %d', (most, ticks) => {
    const sessionSettings = { tokenUsage: { inputTokens: 10 } };
    const samples = [sample(now, true, 0), sample(now + 1, true, most)];
    const { charts } = describeUsage(recordOf({ session: sessionOf({ sessionSettings }) }), samples, words);
    expect(charts.at(-1)?.ticks.map(({ value }) => value)).toEqual(ticks);
  });

  it('shows the usage of the last turn', () => {
    const sessionSettings = { tokenUsage: { inputTokens: 10 } };
    const samples = [sample(now, true, 1), sample(now + 1, true, 5)];
    const { facts } = describeUsage(recordOf({ session: sessionOf({ sessionSettings }) }), samples, words);
    expect(facts.find(({ label }) => label === 'Last turn')?.value).toMatch(/^4 tokens/);
  });

  it('contains no charts for a single sample', () => {
    const sessionSettings = { tokenUsage: { inputTokens: 10 } };
    const one = describeUsage(recordOf({ session: sessionOf({ sessionSettings }) }), [sample(now, true, 1)], words);
    expect(one.charts).toEqual([]);
  });
});

describe('a file name', () => {
  it.each([
    ['Fix login / logout', 'Fix login - logout'],
    ['../../etc/passwd', 'etc-passwd'],
    ['...', 'session'],
    ['a:b*c?', 'a-b-c'],
  ])('of %j', (title, name) => expect(fileNameOf(title)).toBe(name));
});

describe('counters that the service leaves out', () => {
  it('are absent from a sample', () => {
    const sessionSettings = { inclusiveTokenUsage: { inputTokens: 3 }, assistantActiveTimeMs: 7 };
    expect(sampleOf(sessionOf({ status: 'running', updatedAt: 4, sessionSettings }), 5)).toEqual({
      at: 5,
      changedAt: 4,
      isIdle: false,
      own: {},
      inclusive: { inputTokens: 3 },
      activeMs: 7,
    });
    expect(sampleOf(sessionOf({ sessionSettings: { tokenUsage: { inputTokens: 1 } } }), 5)).toMatchObject({
      isIdle: true,
      own: { inputTokens: 1 },
    });
  });

  it('count as none', () => {
    expect(tokenCount({})).toBe(0);
    expect(tokenCount({ thinkingTokens: 9, serviceCredits: 9 })).toBe(0);
    const all = { inputTokens: 1, outputTokens: 20, cacheReadTokens: 300, cacheCreationTokens: 4_000 };
    expect(tokenCount(all)).toBe(4_321);
    for (const [name, value] of Object.entries(all)) expect(tokenCount({ [name]: value })).toBe(value);
    expect(cacheShare({})).toBeUndefined();
    expect([cacheShare({ inputTokens: 1 }), cacheShare({ cacheReadTokens: 1 })]).toEqual([0, 1]);
    expect(cacheShare({ inputTokens: 1, cacheReadTokens: 2, cacheCreationTokens: 5 })).toBe(0.25);
  });

  it('have increased from none in a turn', () => {
    const before: UsageSample = { at: 1, isIdle: true, own: { inputTokens: 5 } };
    const after: UsageSample = { at: 2, isIdle: true, own: { inputTokens: 5, outputTokens: 1 }, activeMs: 30 };
    expect(turnsOf([before, after])).toEqual([
      { startedAt: 2, endedAt: 2, used: { inputTokens: 0, outputTokens: 1 }, activeMs: 30 },
    ]);
    expect(turnsOf([{ ...after, at: 0 }, before])).toEqual([]);
    const reset: UsageSample = { at: 3, isIdle: true, own: { inputTokens: 7 }, activeMs: 20 };
    expect(turnsOf([after, reset])[0]?.activeMs).toBe(20);
    const rested: UsageSample = { at: 3, isIdle: true, own: { inputTokens: 6 } };
    expect(turnsOf([after, rested])).toEqual([
      { startedAt: 3, endedAt: 3, used: { inputTokens: 1 }, activeMs: undefined },
    ]);
  });

  it('and fractions of credits are rounded to six digits', () => {
    expect(turnsOf([sample(1, true, 1, 0), sample(2, true, 1, 0.12345649)])[0]?.used.serviceCredits).toBe(0.123456);
  });
});
