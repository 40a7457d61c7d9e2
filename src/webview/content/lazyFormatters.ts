import type { Highlighter } from '../highlight/highlighter.ts';
import type { MathRenderer } from '../math/mathRenderer.ts';
import { Formats } from '../../shared/formats.ts';
import { Timer } from '../dom/timers.ts';
import { fullTime } from '../strings.ts';
import { makeMarkdownParser, type MarkdownParser } from '../markdown/markdownParser.ts';

/** Delay before a script that couldn't be loaded may be requested again. */
const retryMs = 2_000;

/** A separate script that the page loads when it first needs it. */
class PageChunk<T> {
  readonly #file: string;
  readonly #take: () => T | undefined;
  #waiting: ((content: T) => void)[] = [];
  #content: T | undefined;
  #isRequested = false;
  /** Runs for a while after the script couldn't be loaded. */
  readonly #pause = new Timer();

  /** @param take takes the script's content from `window`. */
  constructor(file: string, take: () => T | undefined) {
    this.#file = file;
    this.#take = take;
  }

  /**
   * Calls `act` with the script's content, now or when the script has loaded; never if it can't be loaded. After a
   * failure, calls within `retryMs` do nothing, and a later call loads the script again.
   */
  use(act: (content: T) => void): void {
    if (this.#content) act(this.#content);
    else if (!this.#pause.isSet) {
      this.#waiting.push(act);
      if (!this.#isRequested) this.#load();
      this.#isRequested = true;
    }
  }

  #load(): void {
    const script = document.createElement('script');
    // The content security policy only allows scripts with the page's nonce.
    script.nonce = document.querySelector<HTMLElement>('body > script[nonce]')?.nonce ?? '';
    script.src = `${document.documentElement.dataset['media'] ?? ''}/${this.#file}`;
    const done = () => {
      script.remove();
      this.#content = this.#take();
      const waiting = this.#waiting.splice(0);
      if (this.#content) for (const act of waiting) act(this.#content);
      else this.#pause.set(retryMs, () => (this.#isRequested = false));
    };
    script.addEventListener('load', done);
    script.addEventListener('error', done);
    document.body.append(script);
  }
}

/** Turns text into formatted content. One instance per page. */
export interface Formatters {
  readonly parser: MarkdownParser;
  readonly highlighter: PageChunk<Highlighter>;
  readonly math: PageChunk<MathRenderer>;
}

/** Markdown with elements that are common in messages. */
const sample = 'a **b** `c` [d](https://example.com)\n\n- e\n\n| f |\n|--|\n| g |\n';

/**
 * Creates the formatters, and parses Markdown and formats a date once, which takes about 20 ms in a new page. Doing
 * this while the page waits for its state from the host avoids delaying the conversation.
 */
export function warmFormatters(): Formatters {
  const parser = makeMarkdownParser();
  parser.parse(sample, {});
  new Formats(document.documentElement.lang).date(0, fullTime);
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
