import createMarkdown from 'markdown-it';
import type { MarkdownIt, Token } from 'markdown-it';
import cjkFriendly from 'markdown-it-cjk-friendly';
import { addressText, externalAddress } from '../../shared/text/externalAddress.ts';
import { fileTarget } from '../../shared/text/filePaths.ts';
import { addBlockHtml } from './blockHtml.ts';
import { addDefinitions } from './definitions.ts';
import { addMarkdownFences } from './fences.ts';
import { addFootnotes } from './footnotes.ts';
import { addFormulas } from './formulas.ts';
import { addInlineHtml } from './inlineHtml.ts';
import { addEmptyLinks } from './emptyLinks.ts';
import { addPromptText } from './promptText.ts';
import { addTables } from './tables.ts';
import type { SharedText } from './sharedText.ts';

/** Maximum nesting. Deeper levels don't occur in practice and cost time. */
const maxNesting = 40;

/**
 * Parses Markdown into tokens. HTML stays text, except for comments and a few tags without attributes. Only allowed
 * URLs and paths of files become links.
 */
export interface MarkdownParser {
  /** @param shared describes the whole text. The parser adds the link definitions of each parsed section to it. */
  parse(text: string, shared: SharedText): readonly Token[];
}

/**
 * Creates a parser for CommonMark with tables, strikethrough, formulas, footnotes, and a few HTML tags. Bare URLs
 * become links; words that contain a dot don't.
 */
export function makeMarkdownParser(): MarkdownParser {
  const markdown: MarkdownIt = createMarkdown({ html: false, linkify: true });
  markdown.set({ maxNesting });
  markdown.use(cjkFriendly);
  addFormulas(markdown);
  addTables(markdown);
  addMarkdownFences(markdown);
  addInlineHtml(markdown);
  addBlockHtml(markdown);
  addEmptyLinks(markdown);
  addFootnotes(markdown);
  addDefinitions(markdown);
  addPromptText(markdown);
  markdown.normalizeLink = (href) => externalAddress(href) ?? href;
  // A definition with a path stays text, because the parser can leave out the lines of a definition.
  let isInline = false;
  markdown.core.ruler.before('block', 'blocksBegin', () => void (isInline = false));
  markdown.core.ruler.before('inline', 'inlineBegins', () => void (isInline = true));
  markdown.validateLink = (href) =>
    externalAddress(href) !== undefined || isImage(href) || (isInline && fileTarget(href) !== undefined);
  // The parser would decode the address, so that the link would show a different address from the one that it opens.
  markdown.normalizeLinkText = addressText;
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  // Addresses that begin with two slashes don't become links, because comments and paths can also begin with them.
  markdown.linkify.add('//', null);
  return { parse: (text, shared) => markdown.parse(text, shared) };
}

/** Whether this is the URL of an embedded image. Its bytes are checked when it is drawn. */
function isImage(href: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(href);
}
