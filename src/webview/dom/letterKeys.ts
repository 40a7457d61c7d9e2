/**
 * The Latin letter, digit, or sign of a key, in lower case, as in VS Code's key bindings: the one that the layout
 * produces or, if that isn't ASCII (for example with a Cyrillic layout, or Option on macOS), the letter or digit on a
 * US keyboard. For other keys, their name, such as `slash`.
 */
export function letterOf({ key, code }: KeyboardEvent): string {
  return /^[!-~]$/.test(key) ? key.toLowerCase() : code.replace(/^(?:Key|Digit)/, '').toLowerCase();
}
