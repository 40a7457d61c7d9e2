import { dateFormat } from '../words.ts';
import { makeHighlighter, type Highlighter } from './highlighter.ts';
import { MathLoader } from './mathLoader.ts';
import { makeMarkdownParser, type MarkdownParser } from './markdownParser.ts';

/** What turns text into something to look at; the same whatever is shown. */
export interface Formatters {
  readonly parser: MarkdownParser;
  readonly highlighter: Highlighter;
  readonly math: MathLoader;
}

/** A little of what messages are made of. */
const sample = 'a **b** `c` [d](https://example.com)\n\n- e\n\n| f |\n|--|\n| g |\n';

/**
 * Makes the formatters and uses each part once. That, and the first format of a date, costs some 20 ms in a new page;
 * done while the page waits for its first answer, it is not in the way of the first message.
 */
export function warmFormatters(): Formatters {
  const parser = makeMarkdownParser();
  const highlighter = makeHighlighter();
  parser.parse(sample, {});
  dateFormat(document.documentElement.lang, { dateStyle: 'full', timeStyle: 'medium' }).format(0);
  return { parser, highlighter, math: new MathLoader() };
}
