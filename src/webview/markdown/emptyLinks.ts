import type { MarkdownIt, StateInline } from 'markdown-it';

const noLabel = /\[\s*\][([]/y;
const noAddress = /\]\(\s*\)/y;

/**
 * Keeps links as text if they would disappear or lose their brackets: those without a label, and those without an
 * address, such as `list[0]()`.
 */
export function addEmptyLinks(markdown: MarkdownIt): void {
  const links = new EmptyLinks();
  markdown.inline.ruler.before('link', 'emptyLink', (...parameters) => links.read(...parameters));
}

class EmptyLinks {
  /** The last index in a text at which the label of a link without an address can end; -1 if there is none. */
  readonly #lastEnds = new WeakMap<StateInline, number>();

  read(state: StateInline, isSilent: boolean): boolean {
    if (state.src[state.pos] !== '[' || !(isAt(noLabel, state, state.pos) || this.#hasNoAddress(state))) return false;
    if (!isSilent) state.pending += '[';
    state.pos += 1;
    return true;
  }

  #hasNoAddress(state: StateInline): boolean {
    const lastEnd = this.#lastEnds.get(state) ?? [...state.src.matchAll(/\]\(\s*\)/g)].at(-1)?.index ?? -1;
    this.#lastEnds.set(state, lastEnd);
    // Finding the end of a label is slow, because labels can be nested.
    if (lastEnd < state.pos) return false;
    const end = state.md.helpers.parseLinkLabel(state, state.pos, true);
    return end >= 0 && isAt(noAddress, state, end);
  }
}

function isAt(pattern: RegExp, { src }: StateInline, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(src);
}
