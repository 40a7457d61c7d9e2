/**
 * Calls `handle` for all items, `atOnce` of them at the same time. Resolves to the results in the order of the items.
 * Rejects with the first error.
 */
export async function pooled<T, R>(items: readonly T[], atOnce: number, handle: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  const work = async (): Promise<void> => {
    for (const [place, item] of entries) results[place] = await handle(item);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  return results;
}
