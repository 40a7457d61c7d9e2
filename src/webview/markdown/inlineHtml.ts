import type { MarkdownIt, StateInline, Token } from 'markdown-it';
import { inlineTagPattern, OpenTags } from '../../shared/text/inlineTags.ts';
import { Places } from '../../shared/text/places.ts';

const tag = inlineTagPattern('y');
const lineEnd = /[ \t]{0,99}\n[ \t]{0,99}/y;
/** An image without an address. */
const emptyImage = /!\[[^[\]\n]{0,1000}\]\([ \t]{0,9}(?:<>[ \t]{0,9})?\)/y;

/**
 * Adds `<br>`, comments, and pairs of tags such as `<kbd>`, `<sub>`, and `<u>` without attributes as tokens. All other
 * tags, and those without a counterpart in the same element, stay text, and so do images without an address.
 */
export function addInlineHtml(markdown: MarkdownIt): void {
  const comments = new Comments();
  markdown.inline.ruler.before('autolink', 'htmlTag', readTag);
  markdown.inline.ruler.before('autolink', 'htmlComment', (state, isSilent) => comments.read(state, isSilent));
  markdown.inline.ruler.before('image', 'emptyImage', readEmptyImage);
  markdown.inline.ruler2.before('fragments_join', 'htmlPairs', (state) => pairTags(state.tokens));
}

function readTag(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '<') return false;
  tag.lastIndex = state.pos;
  const [source, slash, name] = tag.exec(state.src) ?? [];
  if (source === undefined || state.pos + source.length > state.posMax) return false;
  if (name === undefined) return readLineBreak(state, state.pos + source.length, isSilent);
  if (!isSilent) {
    const token = state.push('html_tag', name.toLowerCase(), 0);
    token.content = source;
    token.markup = slash ?? '';
  }
  state.pos += source.length;
  return true;
}

/** Reads a `<br>` that ends at `end`, with the end of the line if that follows, so that both are one line break. */
function readLineBreak(state: StateInline, end: number, isSilent: boolean): boolean {
  if (!isSilent) state.push('hardbreak', 'br', 0);
  lineEnd.lastIndex = end;
  const [space = ''] = lineEnd.exec(state.src) ?? [];
  state.pos = Math.min(end + space.length, state.posMax);
  return true;
}

function readEmptyImage(state: StateInline, isSilent: boolean): boolean {
  if (state.src[state.pos] !== '!') return false;
  emptyImage.lastIndex = state.pos;
  const [source] = emptyImage.exec(state.src) ?? [];
  if (source === undefined || state.pos + source.length > state.posMax) return false;
  if (!isSilent) state.pending += source;
  state.pos += source.length;
  return true;
}

class Comments {
  readonly #ends = new WeakMap<StateInline, Places>();

  read(state: StateInline, isSilent: boolean): boolean {
    if (state.src[state.pos] !== '<' || !state.src.startsWith('<!--', state.pos)) return false;
    const ends = this.#ends.get(state) ?? new Places(state.src, /-->/g);
    this.#ends.set(state, ends);
    const end = ends.from(state.pos + 4) + 3;
    if (end > state.posMax) return false;
    if (!isSilent) state.push('comment', '', 0).content = state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  }
}

/** Turns pairs of tags that enclose whole elements into elements, and all other tags into text. */
function pairTags(tokens: readonly Token[]): void {
  const open = [new OpenTags<Token>()];
  for (const token of tokens) {
    if (token.nesting === 1) open.push(new OpenTags<Token>());
    else if (token.nesting === -1) open.pop();
    else if (token.type === 'html_tag' && token.markup === '') open.at(-1)?.add(token);
    else if (token.type === 'html_tag') makeElement(open.at(-1)?.close(token.tag), token);
  }
  for (const token of tokens) if (token.type === 'html_tag') token.type = 'text';
}

function makeElement(opening: Token | undefined, closing: Token): void {
  if (!opening) return;
  opening.nesting = 1;
  opening.type = `${opening.tag}_open`;
  closing.nesting = -1;
  closing.type = `${closing.tag}_close`;
  opening.content = closing.content = '';
}
