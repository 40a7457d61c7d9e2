import { startOfText } from '../../shared/text/cutPoint.ts';

/**
 * The maximum number of characters of an image's text that are kept. People don't see the text where the image is
 * shown.
 */
const maxImageLabel = 200;
/** The beginning of an image, with a space: if the rest isn't an image, this can't become one. */
const imageStart = '! [';
const commentStart = '<!--';
const commentEnd = '-->';

/**
 * Removes HTML comments, and the rest of the text after one that isn't closed. A comment that appears when another one
 * is removed is removed, too: each character is read once, and only the end of the result can begin a comment.
 */
export function withoutComments(text: string): string {
  if (!text.includes(commentStart)) return text;
  const kept: string[] = [];
  for (let at = 0; at < text.length;) {
    kept.push(text.charAt(at));
    at += 1;
    if (kept.at(-1) !== '-' || kept.slice(-commentStart.length).join('') !== commentStart) continue;
    kept.length -= commentStart.length;
    const end = text.indexOf(commentEnd, at);
    at = end < 0 ? text.length : end + commentEnd.length;
  }
  return kept.join('');
}

/** An open bracket: its index in the pieces of the result, and the length of the result up to its end. */
interface OpenBracket {
  readonly piece: number;
  readonly length: number;
}

/** The target of a link, which can contain parentheses but no nested ones, and the label of a reference. */
const linkTarget = /\([^()[\]]*(?:\([^()[\]]*\)[^()[\]]*)*\)/y;
const reference = /\[[^[\]]*\]/y;
/** A link's address, and its title, which isn't visible in rendered Markdown. */
const addressAndTitle = /^(<[^<>]*>|\S*)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?$/;

/**
 * Replaces Markdown's images with `(image: text)` and its links with `text (address)`, including nested ones. What
 * remains of their syntax is separated by a space, so that it can't become a link or an image together with other text.
 * Linear: a target is read up to the next bracket only, and a piece of the result is removed at most once.
 */
export function withoutLinks(text: string): string {
  const links = new LinkRemoval(text);
  return text.includes('[') || text.includes('](') ? links.run() : text;
}

class LinkRemoval {
  readonly #text: string;
  readonly #pieces: string[] = [];
  readonly #open: OpenBracket[] = [];
  #length = 0;

  constructor(text: string) {
    this.#text = text;
  }

  run(): string {
    const text = this.#text;
    const brackets = /[[\]]/g;
    let at = 0;
    for (let found = brackets.exec(text); found; found = brackets.exec(text)) {
      const isImage = found[0] === '[' && found.index > at && text.charAt(found.index - 1) === '!';
      this.#push(text.slice(at, isImage ? found.index - 1 : found.index));
      at = found.index + 1;
      if (found[0] === ']') at = this.#close(at);
      else this.#begin(isImage ? imageStart : '[');
      brackets.lastIndex = at;
    }
    this.#push(text.slice(at));
    return this.#pieces.join('');
  }

  #push(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  #begin(piece: string): void {
    this.#open.push({ piece: this.#pieces.length, length: this.#length + piece.length });
    this.#push(piece);
  }

  /** Handles a closing bracket before `at`. Returns the index after what belongs to it. */
  #close(at: number): number {
    const open = this.#open.pop();
    const target = partAt(linkTarget, this.#text, at);
    const [, address] = addressAndTitle.exec(target.slice(1, -1).trim()) ?? [];
    const isLink = target !== '' && address !== undefined;
    if (open && this.#pieces[open.piece] === imageStart) {
      const end = isLink ? target : partAt(reference, this.#text, at);
      if (end !== '') {
        this.#endImage(open);
        return at + end.length;
      }
    } else if (open && isLink && !this.#isCode(open, address)) {
      this.#pieces[open.piece] = '';
      this.#push(address === '' ? '' : ` (${address.replace(/^<|>$/g, '')})`);
      return at + target.length;
    }
    this.#push(this.#text.charAt(at) === '(' ? '] ' : ']');
    return at;
  }

  /** Ends an image: shortens its text, which is in the pieces since the bracket, to the maximum length. */
  #endImage(open: OpenBracket): void {
    let last = '';
    while (this.#length - open.length > maxImageLabel) {
      last = this.#pieces.pop() ?? '';
      this.#length -= last.length;
    }
    const most = maxImageLabel - (this.#length - open.length);
    if (last !== '') this.#push(`${startOfText(last, most)}…`);
    const isEmpty = this.#length === open.length;
    this.#pieces[open.piece] = isEmpty ? '(image' : '(image: ';
    this.#push(')');
  }

  /** Whether brackets and parentheses look like code: `handlers[name](event)`. */
  #isCode({ piece }: OpenBracket, address: string): boolean {
    return /[\w)\]]$/.test(this.#pieces[piece - 1] ?? '') && !/[:/]/.test(address);
  }
}

/** The part of a text that matches a sticky pattern at an index; empty if there is none. */
function partAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
