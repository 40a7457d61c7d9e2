import { iconButton } from '../dom/iconButton.ts';
import { icon } from '../icons/icon.ts';
import { toolbar } from '../dom/toolbar.ts';
import type { DrawTools } from './renderContext.ts';

/** What can be done with a block of code. `block` is the element that wraps its lines when it is told to. */
export function codeToolbar(
  text: string,
  language: string | undefined,
  block: HTMLElement,
  { words, code }: DrawTools,
): HTMLElement {
  // A diagram is looked at rather than pasted, so there the way to an editor has the word for it.
  const openWord = language?.toLowerCase() === 'mermaid' ? 'openInEditor' : 'openInNewFile';
  return toolbar(words.say('codeActions'), 'code-actions', [
    copyButton(words.say('copyCode'), () => code.copy(text)),
    iconButton('insert', words.say('insertCode'), () => code.insert(text)),
    iconButton('newFile', words.say(openWord), () => code.openInNewFile(text, language)),
    wrapButton(words.say('wrapLines'), block),
  ]);
}

/** Says with a tick that it was done, until the pointer or the focus goes elsewhere. */
function copyButton(label: string, copy: () => void): HTMLButtonElement {
  const button = iconButton('copy', label, () => {
    copy();
    button.replaceChildren(icon('check'));
    button.classList.add('is-done');
  });
  const restore = () => {
    if (!button.classList.contains('is-done')) return;
    button.classList.remove('is-done');
    button.replaceChildren(icon('copy'));
  };
  button.addEventListener('pointerleave', restore);
  button.addEventListener('blur', restore);
  return button;
}

function wrapButton(label: string, block: HTMLElement): HTMLButtonElement {
  const button = iconButton('wordWrap', label, () => {
    button.setAttribute('aria-pressed', String(block.classList.toggle('is-wrapped')));
  });
  button.setAttribute('aria-pressed', 'false');
  return button;
}
