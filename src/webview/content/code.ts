import { withBidiControls } from '../dom/bidiControls.ts';
import { element } from '../dom/element.ts';
import { iconButton } from '../dom/iconButton.ts';
import { defined } from '../../shared/defined.ts';
import { startOfText } from '../../shared/text/cutPoint.ts';
import { icon } from '../icons/icon.ts';
import type { RenderContext } from './renderContext.ts';
import { cutPlain } from './sections.ts';
import { drawTerminal } from './terminal.ts';

/** Copies text to the clipboard and announces that it was copied. */
export function copyText(text: string, { channel, announcer, strings }: RenderContext): void {
  channel.post({ type: 'copy', text });
  announcer.announce(strings.get('copied'));
}

/** The toolbar of a code block. `block` is the element whose lines the toolbar's last button wraps. */
function codeToolbar(
  text: string,
  language: string | undefined,
  block: HTMLElement,
  context: RenderContext,
): HTMLElement {
  const { strings, channel } = context;
  const openPreview = () => channel.post({ type: 'previewDiagram', text });
  return element(
    'div',
    { class: 'code-actions', role: 'toolbar', 'aria-label': strings.get('codeActions') },
    ...(language?.toLowerCase() === 'mermaid'
      ? [iconButton('openPreview', strings.get('openPreview'), openPreview)]
      : []),
    copyButton(text, context),
    iconButton('insert', strings.get('insertCode'), () => channel.post({ type: 'insertCode', text })),
    iconButton('newFile', strings.get('openInNewFile'), () =>
      channel.post({ type: 'newFile', text, ...defined({ language: language?.slice(0, 100) }) }),
    ),
    iconButton('diff', strings.get('compareCode'), () => channel.post({ type: 'compareCode', text })),
    wrapButton(strings.get('wrapLines'), block),
  );
}

/** Shows a check mark after copying, until the pointer or the focus leaves the button. */
function copyButton(text: string, context: RenderContext): HTMLButtonElement {
  const button = iconButton('copy', context.strings.get('copyCode'), () => {
    copyText(text, context);
    button.replaceChildren(icon('check'));
  });
  const restore = () => button.replaceChildren(icon('copy'));
  button.addEventListener('pointerleave', restore);
  button.addEventListener('blur', restore);
  return button;
}

function wrapButton(label: string, block: HTMLElement): HTMLButtonElement {
  const button = iconButton('wordWrap', label, () => {
    button.setAttribute('aria-pressed', String(block.classList.toggle('is-wrapped')));
  });
  button.setAttribute('aria-pressed', String(block.classList.contains('is-wrapped')));
  return button;
}

/** Maximum length of code that is highlighted immediately if the frame still has time for it. */
const smallLength = 4_000;

/** The languages of commands and data. Their lines are wrapped: they can be very long, and alignment rarely matters. */
const wrappedLanguages: ReadonlySet<string | undefined> = new Set(['shellscript', 'json']);

/** The number of characters of output that are searched for paths in one step. */
const outputPiece = 6_000;

/**
 * Draws a code block with its language and toolbar. Code in a known language is highlighted, immediately or when the
 * page is idle, unless it or one of its lines is too long. The rest of very long code is also added when the page is
 * idle. With `isOutput`, the text is the output of a program, which is drawn as in a terminal. The lines of output,
 * commands, and data are wrapped until the user changes that. The Copy button always copies the whole text as it was
 * sent, without a line break at its end.
 */
export function drawCode(
  text: string,
  language: string | undefined,
  context: RenderContext,
  isOutput = false,
): HTMLElement {
  const shown = text.replace(/\n$/, '');
  const code = element('code');
  if (!isOutput) drawPlain(code, shown, context);
  else if (!drawTerminal(code, shown, context)) drawOutput(code, shown, context);
  // Focusable, so that keyboard users can scroll long lines.
  const frame = element('pre', { tabindex: 0 }, code);
  const block = element('div', { class: 'code-block', dir: 'ltr' });
  block.classList.toggle('is-wrapped', isOutput || wrappedLanguages.has(language?.toLowerCase()));
  const bar = element('div', { class: 'code-bar' }, codeToolbar(shown, language, block, context));
  if (language) bar.prepend(element('span', { class: 'code-language' }, startOfText(language, 40)));
  highlightCode(code, shown, language?.toLowerCase(), context);
  block.append(bar, frame);
  return block;
}

function drawPlain(code: HTMLElement, text: string, { idle }: RenderContext): void {
  const [first = '', ...rest] = cutPlain(text);
  code.append(rest.length > 0 ? codePiece(first) : withBidiControls(first));
  for (const piece of rest) idle.later(code, () => code.append(codePiece(piece)));
}

function codePiece(text: string): HTMLElement {
  return element('span', { class: 'code-piece' }, text);
}

/** Like {@link drawPlain}, but paths of files in the workspace become links. */
function drawOutput(code: HTMLElement, text: string, { idle, paths }: RenderContext): void {
  const [first = '', ...rest] = cutPlain(text, outputPiece);
  code.append(paths.draw(first, false));
  for (const piece of rest) idle.later(code, () => code.append(paths.draw(piece, false)));
}

function highlightCode(
  code: HTMLElement,
  text: string,
  language: string | undefined,
  { highlighter, idle }: RenderContext,
): void {
  if (language === undefined) return;
  highlighter.use(({ canHighlight, isCompiled, highlight }) => {
    if (!canHighlight(text, language)) return;
    const task = () => code.replaceChildren(highlight(text, language));
    if (text.length <= smallLength && isCompiled(language)) idle.soon(code, task);
    else idle.later(code, task);
  });
}
