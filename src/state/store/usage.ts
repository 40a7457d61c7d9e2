import { defined } from '../../shared/defined.ts';
import { sameValue } from '../../shared/equality.ts';
import type { Session, TokenUsage } from '../../api/resources/session.ts';

/** The six counters of spec 2.3, in the order in which they are shown. */
export const counterNames = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheCreationTokens',
  'thinkingTokens',
  'serviceCredits',
] as const satisfies readonly (keyof TokenUsage)[];
export type CounterName = (typeof counterNames)[number];
/** The disjoint counters of tokens. Thinking tokens are part of the output. */
export const tokenCounters = counterNames.slice(0, 4);

/** The token usage of a session at a point in time. Counters that the service doesn't send are absent. */
export interface UsageSample {
  /** In Unix ms, by this machine's clock. */
  readonly at: number;
  /** The session's `updatedAt`, in Unix ms by the service's clock; absent in samples of earlier versions. */
  readonly changedAt?: number | undefined;
  readonly isIdle: boolean;
  readonly own: TokenUsage;
  /** Including child sessions. */
  readonly inclusive?: TokenUsage | undefined;
  /** Total working time of the agent, in ms. */
  readonly activeMs?: number | undefined;
}

/**
 * The usage of a turn, between two samples at which the agent was idle. `used` is the increase of the counters that
 * {@link totalOf} returns, or of the session's own counters if one of the samples doesn't include child sessions. The
 * times are in Unix ms, by this machine's clock; see {@link turnsOf}.
 */
export interface UsageTurn {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly used: TokenUsage;
  readonly activeMs?: number | undefined;
}

/** Creates a usage sample of a session; undefined if the session has no usage. */
export function sampleOf(session: Session, at: number): UsageSample | undefined {
  const { tokenUsage, inclusiveTokenUsage, assistantActiveTimeMs } = session.sessionSettings ?? {};
  if (!tokenUsage && !inclusiveTokenUsage) return undefined;
  return {
    at,
    changedAt: session.updatedAt,
    isIdle: session.status === 'idle',
    own: tokenUsage ?? {},
    inclusive: inclusiveTokenUsage,
    activeMs: assistantActiveTimeMs,
  };
}

/** Whether two samples are equal except for their times. */
export function sameUsage(a: UsageSample, b: UsageSample): boolean {
  return (
    a.isIdle === b.isIdle &&
    a.activeMs === b.activeMs &&
    sameValue(a.own, b.own) &&
    sameValue(a.inclusive ?? {}, b.inclusive ?? {})
  );
}

/**
 * Merges the samples of several windows, oldest first by the service's clock, because this machine's clock can be set
 * back. Samples without a time of the service come first. Drops samples that repeat the previous one, and returns at
 * most the newest `most` samples.
 */
export function mergeSamples(lists: readonly (readonly UsageSample[])[], most: number): UsageSample[] {
  const merged: UsageSample[] = [];
  for (const sample of lists.flat().sort(compareSamples)) {
    const last = merged.at(-1);
    if (!last || !sameUsage(last, sample)) merged.push(sample);
  }
  return merged.slice(-most);
}

function compareSamples(a: UsageSample, b: UsageSample): number {
  if (a.changedAt === undefined && b.changedAt === undefined) return a.at - b.at;
  if (a.changedAt === undefined || b.changedAt === undefined) return a.changedAt === undefined ? -1 : 1;
  // Of samples with the same time of the service, the one with more tokens is newer, because counters only grow.
  return a.changedAt - b.changedAt || tokenCount(totalOf(a)) - tokenCount(totalOf(b)) || a.at - b.at;
}

/**
 * Derives turns from samples: a turn extends from an idle sample to the next idle sample with higher counters, even if
 * the agent wasn't seen working in between. Its `startedAt` is the time of the first sample in between; without one, it
 * equals `endedAt`. A turn that isn't preceded by an idle sample is skipped.
 */
export function turnsOf(samples: readonly UsageSample[]): UsageTurn[] {
  const turns: UsageTurn[] = [];
  let rest: UsageSample | undefined;
  let startedAt: number | undefined;
  for (const sample of samples) {
    if (!sample.isIdle) {
      startedAt ??= sample.at;
      continue;
    }
    // A response without counters says nothing about the work since the last one with counters.
    if (rest && hasAnyCounters(rest) && !hasAnyCounters(sample)) continue;
    if (rest) {
      const used = difference(sample, rest);
      const hasUsed = counterNames.some((name) => (used[name] ?? 0) > 0);
      const activeMs = sample.activeMs === undefined ? undefined : increase(sample.activeMs, rest.activeMs);
      if (hasUsed) turns.push({ startedAt: startedAt ?? sample.at, endedAt: sample.at, used, activeMs });
    }
    rest = sample;
    startedAt = undefined;
  }
  return turns;
}

/** Each counter that includes child sessions or, if the service doesn't send it, the session's own counter. */
export function totalOf({ own, inclusive }: Pick<UsageSample, 'own' | 'inclusive'>): TokenUsage {
  return countersOf((name) => inclusive?.[name] ?? own[name]);
}

/** The total number of tokens, without credits. Counters that aren't known count as 0. */
export function tokenCount(usage: TokenUsage): number {
  return tokenCounters.reduce((sum, name) => sum + (usage[name] ?? 0), 0);
}

/** Whether any number of tokens is known. */
export function hasTokens(usage: TokenUsage): boolean {
  return tokenCounters.some((name) => usage[name] !== undefined);
}

/** The fraction of input tokens that came from the cache, from 0 to 1; undefined if there is no input. */
export function cacheShare({
  inputTokens = 0,
  cacheReadTokens = 0,
  cacheCreationTokens = 0,
}: TokenUsage): number | undefined {
  const read = inputTokens + cacheReadTokens + cacheCreationTokens;
  return read > 0 ? cacheReadTokens / read : undefined;
}

/** The counters in a value of unspecified shape (the usage of a child session); empty if it contains none. */
export function usageIn(value: unknown): TokenUsage {
  if (typeof value !== 'object' || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  return countersOf((name) => {
    const counter = fields.get(name);
    return typeof counter === 'number' && Number.isFinite(counter) ? counter : undefined;
  });
}

function countersOf(valueOf: (name: CounterName) => number | undefined): TokenUsage {
  return defined(Object.fromEntries(counterNames.map((name) => [name, valueOf(name)])));
}

/** The increase of a counter. If it decreased, it was reset, so its new value is the increase. */
function increase(now: number, then = 0): number {
  return now >= then ? now - then : now;
}

/**
 * The increase of each counter. Counters that include child sessions aren't compared with those that don't, because the
 * difference would count earlier turns again.
 */
function difference(after: UsageSample, before: UsageSample): TokenUsage {
  const isSameKind = !hasAnyCounters(before) || hasCounters(after.inclusive) === hasCounters(before.inclusive);
  if (!isSameKind && !hasCounters(before.own)) return {};
  const [now, then] = isSameKind ? [totalOf(after), totalOf(before)] : [after.own, before.own];
  return countersOf((name) => {
    const counter = now[name];
    // Credits can be fractions, whose differences aren't exact: 0.3 - 0.1 is 0.19999999999999998.
    return counter === undefined ? undefined : Number(increase(counter, then[name]).toFixed(6));
  });
}

function hasAnyCounters({ own, inclusive }: UsageSample): boolean {
  return hasCounters(own) || hasCounters(inclusive);
}

function hasCounters(usage: TokenUsage = {}): boolean {
  return counterNames.some((name) => usage[name] !== undefined);
}
