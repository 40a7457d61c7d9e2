import * as z from 'zod/mini';

/** An optional field. Null and values that don't match `schema` are read as undefined (R21). */
export function optional<T extends z.ZodMiniType>(schema: T) {
  const nullAsAbsent = z.pipe(
    z.null(),
    z.transform(() => undefined),
  );
  return z.catch(z.union([nullAsAbsent, z.optional(schema)]), undefined);
}

const falseValues: ReadonlySet<unknown> = new Set([false, 0, 'false']);

/**
 * A flag that reports an error. Any value except null that doesn't clearly deny an error is read as an error, because
 * what we don't know must not count as success (R54).
 */
export const errorFlag = optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => !falseValues.has(value)),
  ),
);

/** One of the values that the spec lists. Any other value is read as `unknown` (R21). */
export function wordOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.catch(z.enum([...words, 'unknown'] as const), 'unknown');
}

/** An array whose invalid items are dropped. */
export function listOf<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.array(z.unknown()),
    z.transform((values) =>
      values.flatMap((value): z.output<T>[] => {
        const parsed = item.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      }),
    ),
  );
}
