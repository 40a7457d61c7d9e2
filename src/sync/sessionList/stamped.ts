import * as z from 'zod/mini';

/** A value, and the time when it was set, in Unix ms by the clock of the machine that set it. */
export interface Stamped<T> {
  readonly value: T;
  readonly at: number;
}

/** The schema of a {@link Stamped} value. */
export function stamped<T extends z.ZodMiniType>(value: T) {
  return z.object({ value, at: z.number() });
}

/** The one of two copies that was set later. For equal times, every machine picks the same one. */
export function later<T extends { readonly at: number }>(a: T, b: T): T {
  if (a.at !== b.at) return a.at > b.at ? a : b;
  return canonical(a) >= canonical(b) ? a : b;
}

/** The time of a change that is made at `now` (Unix ms); always later than `before`, the time of the previous one. */
export function laterTime(before: number | undefined, now: number): number {
  return Math.max(now, (before ?? 0) + 1);
}

/** Serializes equal values to the same string, regardless of the order of their fields. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
