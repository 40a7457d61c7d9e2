/**
 * Turns any text into a file name that is valid on all file systems and not hidden. The line range of a selection moves
 * before the extension: `basket.ts#L15-L20` becomes `basket-L15-L20.ts`.
 */
export function fileName(name: string): string {
  const plain = name
    .replace(/^(.*?)(\.[^.#]*)?#(L\d+(?:-L\d+)?)$/s, '$1-$3$2')
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, '_')
    .replace(/^[.\s]+/, '');
  return plain === '' ? 'document' : plain.slice(0, 120);
}
