/** Colours code. It comes as a script of its own, which a page fetches when the first code is on it. */
export interface Highlighter {
  /** Whether `highlight` would do anything for this text. */
  canHighlight(text: string, language: string): boolean;
  /** Whether this language was highlighted before: its first use compiles its grammar, which takes a frame by itself. */
  isCompiled(language: string): boolean;
  /** The text as nodes: plain text and `span` elements with highlight.js's own class names; nothing else. */
  highlight(text: string, language: string): DocumentFragment;
}

declare global {
  interface Window {
    /** Where the script leaves the highlighter; the page takes it from there at once. */
    linesideHighlighter?: Highlighter;
  }
}
