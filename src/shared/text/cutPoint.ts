/**
 * The greatest index up to `most` at which a cut doesn't split a surrogate pair. Can be greater than the text's length.
 */
export function cutPoint(text: string, most: number): number {
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return Math.max(0, isPair ? most - 1 : most);
}
