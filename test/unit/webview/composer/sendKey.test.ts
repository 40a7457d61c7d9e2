import { describe, expect, it } from 'vitest';
import { enterMeans, type KeyPress } from '../../../../src/webview/composer/composerTextField.ts';

const plain: KeyPress = {
  key: 'Enter',
  // oxlint-disable-next-line typescript/no-deprecated -- no newer property identifies an input method's last key press
  keyCode: 13,
  isComposing: false,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
};

describe('enterMeans', () => {
  it.each([
    ['enter', {}, 'send'],
    ['enter', { ctrlKey: true }, 'send'],
    ['enter', { shiftKey: true }, 'newline'],
    ['enter', { altKey: true }, 'newline'],
    ['ctrlEnter', {}, 'newline'],
    ['ctrlEnter', { ctrlKey: true }, 'send'],
    ['ctrlEnter', { metaKey: true }, 'send'],
    ['ctrlEnter', { shiftKey: true, ctrlKey: true }, 'newline'],
    ['enter', { key: 'a', keyCode: 65 }, undefined],
    ['enter', { isComposing: true }, undefined],
    ['enter', { keyCode: 229 }, undefined],
  ] as const)('for the setting %s and the key press %j returns %s', (sendKey, press, meaning) => {
    expect(enterMeans({ ...plain, ...press }, sendKey)).toBe(meaning);
  });
});
