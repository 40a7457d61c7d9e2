import type { Token } from 'markdown-it';
import { element } from '../dom/element.ts';
import { readFootnotes, type SharedText } from '../markdown/sharedText.ts';
import type { RenderContext } from './renderContext.ts';
import { drawCode } from './code.ts';
import { cutPlain, divide, type Section } from './sections.ts';
import { languageOf, tokenNodes } from './tokenNodes.ts';

/** A section with more tokens than this is shown as source. */
const maxTokens = 8_000;
/** The number of characters of unformatted text that are searched for paths in one step. */
const pathPiece = 6_000;

/**
 * Draws Markdown. The start of a long text appears immediately and the rest when the page is idle, so that no text
 * blocks the page. Sections that would take too long are shown unformatted; nothing is left out. `isPrompt` says
 * whether a person wrote the text.
 */
export function drawMarkdown(text: string, isPrompt: boolean, context: RenderContext): HTMLElement {
  const root = element('div', { class: 'markdown' });
  const shared = { isPrompt, footnotes: readFootnotes(text), references: {} };
  const sections = divide(text);
  for (const [index, section] of sections.entries()) {
    const own = { ...shared, isContinued: index < sections.length - 1 };
    const draw = () => root.append(drawSection(section, own, context));
    if (index === 0) draw();
    else context.idle.later(root, draw);
  }
  return root;
}

function drawSection(section: Section, shared: SharedText, context: RenderContext): Node {
  const { fence } = section;
  if (fence) return drawCode(fence.code, languageOf(fence.info), context);
  if (!section.isFormatted) return plain(section.text, context);
  const tokens = context.parser.parse(section.text, shared);
  return count(tokens) > maxTokens ? plain(section.text, context) : tokenNodes(tokens, context);
}

function plain(text: string, { paths }: RenderContext): HTMLElement {
  const pieces = cutPlain(text, pathPiece).map((piece) => paths.draw(piece, false));
  return element('div', { class: 'plain', dir: 'auto' }, ...pieces);
}

function count(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { children }) => sum + 1 + (children?.length ?? 0), 0);
}
