import * as z from 'zod/mini';

/** An optional field: absent, null or of another type all read as absent (R21). */
export function optional<T extends z.ZodMiniType>(schema: T) {
  const nullAsAbsent = z.pipe(
    z.null(),
    z.transform(() => undefined),
  );
  return z.catch(z.union([nullAsAbsent, z.optional(schema)]), undefined);
}

/** One of the words the spec lists; any other value, also of another type, reads as `unknown` (R21). */
export function wordOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.catch(z.enum([...words, 'unknown'] as const), 'unknown');
}

/** An array of which the items that do not fit are left out. */
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
