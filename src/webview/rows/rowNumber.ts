import { setAttribute } from '../element.ts';

/**
 * Says the place of a row, 1 for the first, among `count` and the `olderCount` that come before and are not loaded;
 * where that number is not known, the place among those that are here, and -1 for how many there are.
 */
export function numberRow(node: HTMLElement, place: number, count: number, olderCount: number | undefined): void {
  setAttribute(node, 'aria-posinset', (olderCount ?? 0) + place);
  setAttribute(node, 'aria-setsize', olderCount === undefined ? -1 : olderCount + count);
}
