/** Draws formulas. It is a separate script that the page loads with the first formula. */
export interface MathRenderer {
  /** The formula as MathML; undefined if it can't be parsed, or is nested too deeply. */
  draw(source: string, isBlock: boolean): MathMLElement | undefined;
}

declare global {
  interface Window {
    /** The script sets this when it has loaded; the page then removes it. */
    linesideMath?: MathRenderer;
  }
}
