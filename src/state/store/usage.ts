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

/** What a session had used when it was read: counters the service does not send are absent. */
export interface UsageSample {
  /** Unix ms, our clock. */
  readonly at: number;
  readonly isIdle: boolean;
  readonly own: TokenUsage;
  /** With the children's. */
  readonly inclusive?: TokenUsage | undefined;
  /** How long the agent was at work in all, in ms. */
  readonly activeMs?: number | undefined;
}

/** What one turn used, children included, between two readings at which the agent was idle. */
export interface UsageTurn {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly used: TokenUsage;
  readonly activeMs?: number | undefined;
}

/** The sample of a session as it was read; undefined where it carries no usage. */
export function sampleOf(session: Session, at: number): UsageSample | undefined {
  const { tokenUsage, inclusiveTokenUsage, assistantActiveTimeMs } = session.sessionSettings ?? {};
  if (!tokenUsage && !inclusiveTokenUsage) return undefined;
  return {
    at,
    isIdle: session.status === 'idle',
    own: tokenUsage ?? {},
    inclusive: inclusiveTokenUsage,
    activeMs: assistantActiveTimeMs,
  };
}

/** Whether two samples say the same, at whatever times. */
export function sameUsage(a: UsageSample, b: UsageSample): boolean {
  return (
    a.isIdle === b.isIdle &&
    a.activeMs === b.activeMs &&
    counterNames.every((name) => a.own[name] === b.own[name] && a.inclusive?.[name] === b.inclusive?.[name])
  );
}

/** The samples of several windows as one list, oldest first, without repeats, the newest `most` of them. */
export function mergeSamples(lists: readonly (readonly UsageSample[])[], most: number): UsageSample[] {
  const merged: UsageSample[] = [];
  for (const sample of lists.flat().sort((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (!last || !sameUsage(last, sample)) merged.push(sample);
  }
  return merged.slice(-most);
}

/**
 * The turns that samples show: from a reading at rest to the next one at rest with other counters, whether or not the
 * agent was seen at work in between. A turn whose beginning was not seen is left out.
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
    if (rest) {
      const used = difference(totalOf(sample), totalOf(rest));
      const hasUsed = counterNames.some((name) => (used[name] ?? 0) > 0);
      const activeMs = sample.activeMs === undefined ? undefined : sample.activeMs - (rest.activeMs ?? 0);
      if (hasUsed) turns.push({ startedAt: startedAt ?? sample.at, endedAt: sample.at, used, activeMs });
    }
    rest = sample;
    startedAt = undefined;
  }
  return turns;
}

/** Counters with the children's where the service tells them, else the session's own. */
export function totalOf({ own, inclusive }: Pick<UsageSample, 'own' | 'inclusive'>): TokenUsage {
  return inclusive ?? own;
}

/** All tokens but credits, which are no tokens; thinking is a part of the output. */
export function tokenCount(usage: TokenUsage): number {
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheCreationTokens = 0 } = usage;
  return inputTokens + outputTokens + cacheReadTokens + cacheCreationTokens;
}

/** How much of what the model read came from the cache, 0 to 1; undefined where nothing was read. */
export function cacheShare({
  inputTokens = 0,
  cacheReadTokens = 0,
  cacheCreationTokens = 0,
}: TokenUsage): number | undefined {
  const read = inputTokens + cacheReadTokens + cacheCreationTokens;
  return read > 0 ? cacheReadTokens / read : undefined;
}

/** The counters in a value the specification leaves open (the usage of a child); empty where it holds none. */
export function usageIn(value: unknown): TokenUsage {
  if (typeof value !== 'object' || value === null) return {};
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.fromEntries(
    counterNames.flatMap((name) => {
      const counter = fields.get(name);
      return typeof counter === 'number' && Number.isFinite(counter) ? [[name, counter]] : [];
    }),
  );
}

/** Counters never fall; where one does, the service began anew, and what it says now is what was used. */
function difference(after: TokenUsage, before: TokenUsage): TokenUsage {
  return Object.fromEntries(
    counterNames.flatMap((name) => {
      const [now, then = 0] = [after[name], before[name]];
      if (now === undefined) return [];
      // Credits are fractions: without rounding 0.3 - 0.1 shows as 0.19999999999999998.
      return [[name, Number((now >= then ? now - then : now).toFixed(6))]];
    }),
  );
}
