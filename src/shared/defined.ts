/** `T`, with each member that can be undefined made optional. */
type Defined<T extends object> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Returns a copy of an object without its undefined members, as `exactOptionalPropertyTypes` requires. */
export function defined<T extends object>(members: T): Defined<T>;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
