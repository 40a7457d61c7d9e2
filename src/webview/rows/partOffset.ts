/** So far from the edges of the view a part is well within it, in px. */
const topMarginPx = 16;
const endMarginPx = 24;
/** Of the top of the view, at least so much is taken to be covered. */
const leastCoveredPx = 32;

/**
 * How far below the top of the view a row has to begin for a part of it to be well within the view, of which `coveredPx`
 * at the top are covered; undefined where it is there already.
 */
export function partOffsetPx(view: DOMRect, row: DOMRect, part: DOMRect, coveredPx: number): number | undefined {
  const top = view.top + Math.max(leastCoveredPx, coveredPx) + topMarginPx;
  if (part.top >= top && part.bottom <= view.bottom - endMarginPx) return undefined;
  return Math.round(Math.max(view.height / 3, top - view.top) - (part.top - row.top));
}
