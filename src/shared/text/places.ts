/**
 * Finds the matches of a pattern in a text. If it is called with rising indexes, it reads the text only once, even if
 * there is no match or the same match is found again.
 */
export class Places {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = 0;
  #next = -1;

  /** `pattern` must be global, and its matches must have a limited length. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The index of the first match at or after `index`; `Infinity` if there is none. */
  from(index: number): number {
    if (index < this.#from || index > this.#next) {
      this.#pattern.lastIndex = index;
      this.#from = index;
      this.#next = this.#pattern.exec(this.#text)?.index ?? Infinity;
    }
    return this.#next;
  }
}
