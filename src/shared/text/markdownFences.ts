/** An open fence: its length, and whether it encloses Markdown. */
interface Level {
  readonly length: number;
  readonly isMarkdown: boolean;
}

// A line can end with the carriage return of a Windows line break, which `.` doesn't match.
const fence = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/;
const ofMarkdown = /^[ \t]*(?:markdown|md|mdx)\b/i;

/** Whether a text may contain a fence with the language Markdown. Other texts need no search. */
export function mayHaveMarkdownFences(text: string): boolean {
  return /(?:`{3}|~{3})[ \t]*(?:markdown|md)/i.test(text);
}

/**
 * Finds the ends of fenced code blocks with the language Markdown that contain fences of the same length. CommonMark
 * would end such a block at the first fence without an info string. Here, a fence with an info string opens a level,
 * and one without closes it. Every line of the text must be read, in order.
 */
export class MarkdownFences {
  readonly #ends = new Map<number, number>();
  readonly #levels: Level[] = [];
  /** The signs of the outermost open fence. Shorter fences in it are text. */
  #opening = '';
  #start = 0;
  #index = 0;

  read(line: string): void {
    const [, signs, info = ''] = fence.exec(line) ?? [];
    if (signs !== undefined) this.#readFence(signs, info);
    this.#index += 1;
  }

  /**
   * The index of the line that ends each block of Markdown, by the index of the line that opens it. Empty while a fence
   * is open.
   */
  get ends(): ReadonlyMap<number, number> {
    return this.#levels.length > 0 ? new Map() : this.#ends;
  }

  #readFence(signs: string, info: string): void {
    const level = { length: signs.length, isMarkdown: ofMarkdown.test(info) };
    const isOpening = signs.startsWith('~') || !info.includes('`');
    const top = this.#levels.at(-1);
    if (!top) {
      if (!isOpening) return;
      this.#levels.push(level);
      this.#opening = signs;
      this.#start = this.#index;
      return;
    }
    if (!signs.startsWith(this.#opening)) return;
    if (info.trim() !== '') {
      if (top.isMarkdown && isOpening) this.#levels.push(level);
      return;
    }
    if (signs.length < top.length) return;
    this.#levels.pop();
    if (this.#levels.length === 0 && top.isMarkdown) this.#ends.set(this.#start, this.#index);
  }
}
