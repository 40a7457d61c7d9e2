/** Highlights code. It is a separate script that the page loads with the first code block that names a language. */
export interface Highlighter {
  /** Whether `highlight` supports this text and language. */
  canHighlight(text: string, language: string): boolean;
  /** Whether this language was used before. Its first use compiles its grammar, which takes a whole frame. */
  isCompiled(language: string): boolean;
  /** The text as text nodes and `span` elements with the class names of highlight.js. */
  highlight(text: string, language: string): DocumentFragment;
}

declare global {
  interface Window {
    /** The script sets this when it has loaded; the page then removes it. */
    linesideHighlighter?: Highlighter;
  }
}
