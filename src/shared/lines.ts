/** The lines of a text, without their line breaks. Much faster for many short lines than splitting at an expression. */
export function linesOf(text: string): readonly string[] {
  return text.replaceAll('\r\n', '\n').split('\n');
}
