/** Joins two texts as paragraphs. If one of them is empty, returns the other one. */
export function paragraphs(first: string, second: string): string {
  return [first, second].filter((part) => part !== '').join('\n\n');
}
