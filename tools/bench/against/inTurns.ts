/**
 * The items in the order of this run (1-based). Every second run has the reverse order, so that no item is always
 * measured right after the same one.
 */
export function inTurns<T>(items: readonly T[], run: number): readonly T[] {
  return run % 2 === 1 ? items : items.toReversed();
}

/**
 * Opens something for each item, one after the other, and disposes of all of it after `use` or an error. Resolves to
 * the result of `use`.
 */
export async function withEach<Item, Opened extends { dispose(): Promise<void> }, Result>(
  items: readonly Item[],
  open: (item: Item) => Promise<Opened>,
  use: (opened: readonly Opened[]) => Promise<Result>,
): Promise<Result> {
  const opened: Opened[] = [];
  try {
    for (const item of items) opened.push(await open(item));
    return await use(opened);
  } finally {
    for (const one of opened) await one.dispose();
  }
}
