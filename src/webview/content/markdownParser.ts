import createMarkdown, { type Env, type MarkdownIt, type Token } from 'markdown-it';
import { isAllowedLink } from './linkPolicy.ts';
import { addMath } from './mathSyntax.ts';

/** Deeper nesting is not parsed as such; nobody writes it, and every level costs. */
const maxNesting = 40;

/** Turns Markdown into tokens; raw HTML stays text, and only links of the policy become links. */
export interface MarkdownParser {
  /** `shared` carries link definitions from one section of a text to those after it. */
  parse(text: string, shared: Env): readonly Token[];
}

/** CommonMark with tables, strikethrough and formulas; bare web addresses become links, words with a dot do not. */
export function makeMarkdownParser(): MarkdownParser {
  const markdown: MarkdownIt = createMarkdown({ html: false, linkify: true, typographer: false });
  markdown.set({ maxNesting });
  addMath(markdown);
  markdown.validateLink = (href) => isAllowedLink(href) || isPicture(href);
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  for (const scheme of ['ftp:', '//']) markdown.linkify.add(scheme, null);
  return { parse: (text, shared) => markdown.parse(text, shared) };
}

/** Pictures inside the text are let through here and judged by their bytes when they are drawn. */
function isPicture(href: string): boolean {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,/i.test(href);
}
