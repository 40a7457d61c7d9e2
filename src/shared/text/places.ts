/**
 * The places of something in a text. Asked for rising indexes, it reads the text only once, even if there is nothing to
 * find or a place is asked for again.
 */
export class Places {
  readonly #text: string;
  readonly #pattern: RegExp;
  #from = 0;
  #next = -1;

  /** `pattern` is global, and what it matches has a limited length. */
  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** The first place at or after `index`; `Infinity` if there is none. */
  from(index: number): number {
    if (index < this.#from || index > this.#next) {
      this.#pattern.lastIndex = index;
      this.#from = index;
      this.#next = this.#pattern.exec(this.#text)?.index ?? Infinity;
    }
    return this.#next;
  }
}
