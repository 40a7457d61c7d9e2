/** The smallest index at or after `least` at which a cut doesn't split a surrogate pair. Not negative. */
export function startPoint(text: string, least: number): number {
  const isPair = least > 0 && /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(least - 1, least + 1));
  return Math.max(0, isPair ? least + 1 : least);
}

/**
 * The greatest index up to `most` at which a cut doesn't split a surrogate pair. Can be greater than the text's length.
 */
export function cutPoint(text: string, most: number): number {
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return Math.max(0, isPair ? most - 1 : most);
}

/** The start of a text, up to `most` UTF-16 code units, or one less so that no surrogate pair is split. */
export function startOfText(text: string, most: number): string {
  return text.slice(0, cutPoint(text, most));
}
