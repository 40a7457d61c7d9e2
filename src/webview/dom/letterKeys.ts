/**
 * The Latin letter, digit, or sign of a key, in lower case, as in VS Code's key bindings: the one that the layout
 * produces or, if that isn't ASCII (for example with a Cyrillic layout, or Option on macOS), the one on a US keyboard.
 */
export function letterOf({ key, code }: KeyboardEvent): string {
  return /^[!-~]$/.test(key) ? key.toLowerCase() : code.replace(/^Key/, '').toLowerCase();
}
