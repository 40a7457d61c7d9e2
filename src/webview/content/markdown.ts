import type { Env, Token } from 'markdown-it';
import { element } from '../dom/element.ts';
import type { RenderContext } from './renderContext.ts';
import { divide, type Section } from './sections.ts';
import { tokenNodes } from './tokenNodes.ts';

/** A section with more tokens than this is shown as source. */
const maxTokens = 8_000;

/**
 * Draws Markdown. The start of a long text appears immediately and the rest when the page is idle, so that no text
 * blocks the page. Sections that would take too long are shown unformatted; nothing is left out.
 */
export function drawMarkdown(text: string, context: RenderContext): HTMLElement {
  const root = element('div', { class: 'markdown' });
  const shared = {};
  const [first, ...rest] = divide(text);
  if (first) root.append(drawSection(first, shared, context));
  for (const section of rest) {
    context.idle.later(() => root.append(drawSection(section, shared, context)));
  }
  return root;
}

function drawSection(section: Section, shared: Env, context: RenderContext): Node {
  if (!section.isFormatted) return plain(section.text);
  const tokens = context.parser.parse(section.text, shared);
  return countUpTo(tokens, maxTokens) > maxTokens ? plain(section.text) : tokenNodes(tokens, context);
}

function plain(text: string): HTMLElement {
  return element('div', { class: 'plain', dir: 'auto' }, text);
}

function countUpTo(tokens: readonly Token[], limit: number): number {
  let count = 0;
  for (const token of tokens) {
    count += 1 + (token.children?.length ?? 0);
    if (count > limit) break;
  }
  return count;
}
