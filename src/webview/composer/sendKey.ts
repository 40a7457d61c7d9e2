import type { ComposerSettings } from '../../shared/protocol/composerProtocol.ts';

/** What of a key press decides whether it sends. */
export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'
>;

/** Browsers give this key code to presses that an input method handles, also to the one that ends a composition. */
const inputMethodKeyCode = 229;

/** Whether an input method handles this press: it composes, or this press ends the composition. */
export function isComposing(press: Pick<KeyPress, 'isComposing' | 'keyCode'>): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing newer tells the press that ends a composition
  return press.isComposing || press.keyCode === inputMethodKeyCode;
}

/**
 * What a press of Enter does: sends, breaks the line, or, for other keys and while an input method composes, nothing
 * of ours. Shift+Enter and Alt+Enter always break the line.
 */
export function enterMeans(press: KeyPress, sendKey: ComposerSettings['sendKey']): 'send' | 'newline' | undefined {
  if (press.key !== 'Enter' || isComposing(press)) return undefined;
  if (press.shiftKey || press.altKey) return 'newline';
  const withModifier = press.ctrlKey || press.metaKey;
  return sendKey === 'enter' || withModifier ? 'send' : 'newline';
}
