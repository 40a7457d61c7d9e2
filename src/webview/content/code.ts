import type { Announcer } from '../dom/announcer.ts';
import { element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { toolbar } from '../dom/toolbar.ts';
import type { HostChannel } from '../hostChannel.ts';
import { icon } from '../icons/icon.ts';
import type { Words } from '../strings.ts';
import type { CodeActions, RenderContext } from './renderContext.ts';
import { cutPlain } from './sections.ts';

/** What can be done with a block of code. `block` is the element that wraps its lines when it is told to. */
export function codeToolbar(
  text: string,
  language: string | undefined,
  block: HTMLElement,
  { words, code }: RenderContext,
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

/** Code up to this length is coloured at once where the frame allows it. */
const smallLength = 4_000;

/**
 * Code with its language, what can be done with it, and colours if the language is known: at once, or when idle. The
 * end of very long code follows when idle, too.
 */
export function drawCode(text: string, language: string | undefined, tools: RenderContext): HTMLElement {
  const shown = text.replace(/\n$/, '');
  const [first = '', ...rest] = cutPlain(shown);
  const code = element('code', {}, rest.length > 0 ? element('span', { class: 'code-piece' }, first) : first);
  for (const piece of rest) {
    const append = () => code.append(element('span', { class: 'code-piece' }, piece));
    tools.idle.later({ run: append, isWanted: () => true });
  }
  // A focus stop, or people without a mouse could not see the ends of long lines.
  const frame = element('pre', { tabindex: 0 }, code);
  const block = element('div', { class: 'code-block', dir: 'ltr' });
  const bar = element('div', { class: 'code-bar' }, codeToolbar(shown, language, block, tools));
  if (language) bar.prepend(element('span', { class: 'code-language' }, language.slice(0, 40)));
  colour(code, shown, language?.toLowerCase(), tools);
  block.append(bar, frame);
  return block;
}

function colour(
  code: HTMLElement,
  text: string,
  language: string | undefined,
  { highlighter, idle }: RenderContext,
): void {
  if (language === undefined) return;
  highlighter.use(({ canHighlight, isCompiled, highlight }) => {
    if (!canHighlight(text, language)) return;
    const task = { run: () => code.replaceChildren(highlight(text, language)), isWanted: () => true };
    if (text.length <= smallLength && isCompiled(language)) idle.soon(task);
    else idle.later(task);
  });
}

/** What can be done with code; the host does it. */
export function codeActions({ post }: HostChannel, announcer: Announcer, words: Words): CodeActions {
  return {
    copy: (text) => {
      post({ type: 'copy', text });
      announcer.announce(words.say('copied'));
    },
    insert: (text) => post({ type: 'insertCode', text }),
    openInNewFile: (text, language) =>
      post({ type: 'newFile', text, ...(language === undefined ? {} : { language: language.slice(0, 100) }) }),
  };
}

/** What can be done with pictures and files of a message. */
export function fileActions({ post }: HostChannel): RenderContext['files'] {
  return {
    openPicture: (part) => post({ type: 'openPicture', ...part }),
    save: (part) => post({ type: 'saveFile', ...part }),
  };
}
