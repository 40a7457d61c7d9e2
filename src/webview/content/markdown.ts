import type { Env, Token } from 'markdown-it';
import { element } from '../dom/element.ts';
import type { RenderContext } from './renderContext.ts';
import { divide, type Section } from './sections.ts';
import { tokenNodes } from './tokenNodes.ts';

/** A part that would make more elements than this is shown as it was written. */
const maxTokens = 8_000;

/**
 * Draws Markdown. The beginning of a long text is there at once, the rest follows in idle moments, so no text blocks
 * the page; parts that would cost too much are shown unformatted, and nothing is left out.
 */
export function drawMarkdown(text: string, tools: RenderContext): HTMLElement {
  const root = element('div', { class: 'markdown' });
  const shared = {};
  const [first, ...rest] = divide(text);
  if (first) root.append(drawSection(first, shared, tools));
  for (const section of rest) {
    tools.idle.later({ run: () => root.append(drawSection(section, shared, tools)), isWanted: () => true });
  }
  return root;
}

function drawSection(section: Section, shared: Env, tools: RenderContext): Node {
  if (!section.isFormatted) return plain(section.text);
  const tokens = tools.parser.parse(section.text, shared);
  return countUpTo(tokens, maxTokens) > maxTokens ? plain(section.text) : tokenNodes(tokens, tools);
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
