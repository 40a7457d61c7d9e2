import type { Highlighter } from '../highlight/highlighter.ts';
import type { MathRenderer } from '../math/mathRenderer.ts';
import { dateFormat } from '../strings.ts';
import { makeMarkdownParser, type MarkdownParser } from './markdownParser.ts';

/** A script of its own beside the page's, fetched when the first thing is on the page that needs it. */
export class PageChunk<T> {
  readonly #file: string;
  readonly #take: () => T | undefined;
  #waiting: ((content: T) => void)[] = [];
  #content: T | undefined;
  #isAsked = false;

  /** @param take takes what the script has left on the window. */
  constructor(file: string, take: () => T | undefined) {
    this.#file = file;
    this.#take = take;
  }

  /** Hands over what is in it: now, or when it is there; never, where it cannot be fetched. */
  use(act: (content: T) => void): void {
    if (this.#content) {
      act(this.#content);
      return;
    }
    this.#waiting.push(act);
    if (!this.#isAsked) this.#load();
    this.#isAsked = true;
  }

  #load(): void {
    const own = document.querySelector('script[nonce][src]');
    if (!(own instanceof HTMLScriptElement)) return;
    const script = document.createElement('script');
    // The content policy lets in what carries the page's own nonce.
    script.nonce = own.nonce;
    script.src = new URL(this.#file, own.src).href;
    const done = () => {
      script.remove();
      this.#content = this.#take();
      const waiting = this.#waiting.splice(0);
      if (this.#content) for (const act of waiting) act(this.#content);
    };
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    document.body.append(script);
  }
}

/** What turns text into something to look at; the same whatever is shown. */
export interface Formatters {
  readonly parser: MarkdownParser;
  readonly highlighter: PageChunk<Highlighter>;
  readonly math: PageChunk<MathRenderer>;
}

/** A little of what messages are made of. */
const sample = 'a **b** `c` [d](https://example.com)\n\n- e\n\n| f |\n|--|\n| g |\n';

/**
 * Makes the formatters and uses each part once. That, and the first format of a date, costs some 20 ms in a new page;
 * done while the page waits for its first answer, it is not in the way of the first message.
 */
export function warmFormatters(): Formatters {
  const parser = makeMarkdownParser();
  parser.parse(sample, {});
  dateFormat(document.documentElement.lang, { dateStyle: 'full', timeStyle: 'medium' }).format(0);
  const highlighter = new PageChunk('highlight.js', () => {
    const left = window.linesideHighlighter;
    delete window.linesideHighlighter;
    return left;
  });
  const math = new PageChunk('math.js', () => {
    const left = window.linesideMath;
    delete window.linesideMath;
    return left;
  });
  return { parser, highlighter, math };
}
