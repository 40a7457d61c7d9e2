/** Whether two lists contain identical elements in the same order. */
export function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && commonPrefixLength(a, b) === a.length;
}

/** Whether two lists without duplicates contain identical elements, in any order. */
export function sameMembers<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((member) => b.includes(member));
}

/** The number of leading elements that are identical in both lists. */
export function commonPrefixLength(a: readonly unknown[], b: readonly unknown[]): number {
  const shortest = Math.min(a.length, b.length);
  let length = 0;
  while (length < shortest && a[length] === b[length]) length += 1;
  return length;
}

/**
 * Whether two plain data values (strings, numbers, arrays, records) are deeply equal. Undefined members count as
 * absent.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [members, others] = [definedMembers(a), definedMembers(b)];
  return members.size === others.size && [...members].every(([name, value]) => sameValue(value, others.get(name)));
}

function definedMembers(value: object): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(Object.entries(value).filter(([, member]) => member !== undefined));
}
