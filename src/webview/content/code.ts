import { element } from '../dom/element.ts';
import { codeToolbar } from './codeToolbar.ts';
import type { DrawTools } from './renderContext.ts';
import { cutPlain } from './sections.ts';

/** Code up to this length is coloured at once where the frame allows it. */
const smallLength = 4_000;

/**
 * Code with its language, what can be done with it, and colours if the language is known: at once, or when idle. The
 * end of very long code follows when idle, too.
 */
export function drawCode(text: string, language: string | undefined, tools: DrawTools): HTMLElement {
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

function colour(code: HTMLElement, text: string, language: string | undefined, { highlighter, idle }: DrawTools): void {
  if (language === undefined) return;
  highlighter.use(({ canHighlight, isCompiled, highlight }) => {
    if (!canHighlight(text, language)) return;
    const task = { run: () => code.replaceChildren(highlight(text, language)), isWanted: () => true };
    if (text.length <= smallLength && isCompiled(language)) idle.soon(task);
    else idle.later(task);
  });
}
