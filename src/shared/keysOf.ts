/** The keys of a table in their order. Only for tables that have no keys besides those of their type. */
export function keysOf<T extends object>(table: T): readonly (keyof T & string)[];
export function keysOf(table: object): readonly string[] {
  return Object.keys(table);
}
