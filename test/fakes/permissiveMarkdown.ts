import MarkdownIt from 'markdown-it';

const renderer = new MarkdownIt({ html: true, linkify: true });

/** The HTML of Markdown in which, unlike in VS Code's tooltips, HTML is kept and addresses become links. */
export function permissiveHtml(markdown: string): string {
  return renderer.render(markdown).trim();
}

/** The tags in HTML other than those of paragraphs, bold text, and line breaks. */
export function otherTags(html: string): readonly string[] {
  return html.match(/<(?!\/?(?:p|strong|br)>)[^>]*>/g) ?? [];
}

/** Escapes a text for HTML. */
export function escapedHtml(text: string): string {
  return renderer.utils.escapeHtml(text);
}
