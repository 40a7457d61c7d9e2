import type { PageRow } from '../../shared/protocol/pageModel.ts';
import { element, setAttribute, setText } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { Words } from '../strings.ts';

/** Over the beginning of the list, in one line: the prompt that what is read belongs to. A press goes there. */
export class StickyPrompt {
  readonly node = element('button', { type: 'button', class: 'sticky-prompt', hidden: true });
  readonly #words: Words;
  readonly #text = element('bdi', { class: 'sticky-text' });
  #key: string | undefined;

  constructor(words: Words, goTo: (key: string) => void) {
    this.#words = words;
    this.node.append(icon('comment'), this.#text);
    this.node.addEventListener('click', () => {
      if (this.#key !== undefined) goTo(this.#key);
    });
  }

  /** Shows a prompt, or nothing. */
  show(row: PageRow | undefined): void {
    const line = row && promptLine(row);
    this.#key = row?.key;
    const isHidden = line === undefined || line === '';
    if (this.node.hidden !== isHidden) this.node.hidden = isHidden;
    if (isHidden) return;
    setText(this.#text, line);
    setAttribute(this.node, 'title', line);
    setAttribute(this.node, 'aria-label', this.#words.say('currentPrompt', line));
  }
}

/** The first words of a prompt, in one line and without the marks that such a line does not draw. */
export function promptLine({ blocks }: PageRow): string {
  for (const block of blocks) {
    if (block.type !== 'markdown') continue;
    const line = block.text
      .slice(0, 2_000)
      .split('\n')
      .find((part) => part.trim() !== '');
    if (line !== undefined) return withoutMarks(line).slice(0, 200);
  }
  return '';
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*+]\s+)+/, '')
    .replace(/(\*\*|`)(?=\S)(.+?)\1/g, '$2')
    .trim();
}
