import { dateFormat } from '../strings.ts';
import type { Highlighter } from '../highlight/highlighter.ts';
import type { MathRenderer } from '../math/mathRenderer.ts';
import { makeMarkdownParser, type MarkdownParser } from './markdownParser.ts';
import { PageChunk } from './pageChunk.ts';

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
    const left = window.sessionDeckHighlighter;
    delete window.sessionDeckHighlighter;
    return left;
  });
  const math = new PageChunk('math.js', () => {
    const left = window.sessionDeckMath;
    delete window.sessionDeckMath;
    return left;
  });
  return { parser, highlighter, math };
}
