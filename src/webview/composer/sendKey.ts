import type { PageSetup } from '../../protocol.ts';

/** What of a key press decides whether it sends. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'
>;

/** Browsers give this key code to presses that an input method handles, also to the one that ends a composition. */
const inputMethodKeyCode = 229;

/**
 * What a press of Enter does: sends, breaks the line, or, for other keys and while an input method composes, nothing
 * of ours. Shift+Enter and Alt+Enter always break the line.
 */
export function enterMeans(press: KeyPress, sendKey: PageSetup['sendKey']): 'send' | 'newline' | undefined {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer tells the press that ends a composition
  if (press.key !== 'Enter' || press.isComposing || press.keyCode === inputMethodKeyCode) return undefined;
  if (press.shiftKey || press.altKey) return 'newline';
  const withModifier = press.ctrlKey || press.metaKey;
  return sendKey === 'enter' || withModifier ? 'send' : 'newline';
}
