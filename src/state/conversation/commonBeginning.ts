/** How many elements at the beginning of two lists are the same objects. */
export function commonBeginning(one: readonly unknown[], other: readonly unknown[]): number {
  const shortest = Math.min(one.length, other.length);
  let same = 0;
  while (same < shortest && one[same] === other[same]) same += 1;
  return same;
}
