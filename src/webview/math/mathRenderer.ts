/** Draws formulas. It comes as a script of its own, which a page fetches when the first formula is on it. */
export interface MathRenderer {
  /** The formula as MathML elements; undefined where it cannot be read. */
  draw(source: string, isBlock: boolean): MathMLElement | undefined;
}

declare global {
  interface Window {
    /** Where the script leaves the renderer; the page takes it from there at once. */
    linesideMath?: MathRenderer;
  }
}
