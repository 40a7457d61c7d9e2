/**
 * A name that any file system takes, of one that may hold anything: without separators and other characters no file name
 * may have, and not hidden. The lines of a selection, `basket.ts#L15-L20`, stand before the ending.
 */
export function fileName(name: string): string {
  const plain = name
    .replace(/^(.*?)(\.[^.#]*)?#(L\d+(?:-L\d+)?)$/s, '$1-$3$2')
    .replace(/[\\/:*?"<>|\p{Cc}\p{Cf}]/gu, '_')
    .replace(/^[.\s]+/, '');
  return plain === '' ? 'document' : plain.slice(0, 120);
}
