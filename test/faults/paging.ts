/**
 * What a service returns of a list: some of its items, and the cursor of the next page if there are more (spec 2.5).
 */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly nextCursor?: string;
}

/** The page after the item whose ID is the cursor, with at most `limit` items; without a cursor, the first page. */
export function pageOf<Item extends { readonly id: string }>(
  list: readonly Item[],
  { cursor, limit = 20 }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Page<Item> {
  const start = cursor === undefined ? 0 : list.findIndex(({ id }) => id === cursor) + 1;
  const items = list.slice(start, start + limit);
  const last = items.at(-1);
  if (!last || start + limit >= list.length) return { items, hasMore: false };
  return { items, hasMore: true, nextCursor: last.id };
}
