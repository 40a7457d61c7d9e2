/** Chromium takes milliseconds for each line that a command inserts, and the page stands still meanwhile. */
const mostUndoableLines = 200;

/**
 * Puts text in the place of a part of a field as if it had been typed: Undo takes it back, and the field tells its
 * listeners. The field gets the focus, as the browser edits nothing else. A text of very many lines is put there at once
 * instead, and what was done before it cannot be undone any more.
 */
export function undoableEdit(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  if (text === '' && start === end) return;
  field.focus();
  field.setSelectionRange(start, end);
  const isQuick = text.split('\n', mostUndoableLines + 1).length <= mostUndoableLines;
  const command = text === '' ? 'delete' : 'insertText';
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer edits a field and keeps its undo history
  if (!isQuick || !document.execCommand(command, false, text)) {
    field.setRangeText(text, start, end, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
}
