import type { FileChange } from './toolCall.ts';

/** The numbers of lines that a change adds and removes, as far as the call tells. */
export function countChangedLines({ pieces }: FileChange): { readonly added: number; readonly removed: number } {
  const lines = (text: string) => (text === '' ? 0 : text.split('\n').length);
  return {
    added: pieces.reduce((sum, { newText }) => sum + lines(newText), 0),
    removed: pieces.reduce((sum, { oldText }) => sum + lines(oldText), 0),
  };
}
