/**
 * The tags without attributes that format a part of a line if they are closed. The page draws no other HTML in a line,
 * except for `<br>` and comments.
 */
const names = ['kbd', 'sub', 'sup', 'u', 'ins', 'b', 'strong', 'i', 'em', 's', 'del'];

/**
 * Creates a pattern for a tag that the page can draw in a line. Its groups are the slash of a closing tag, and the
 * name; `<br>` has no name.
 */
export function inlineTagPattern(flags: 'g' | 'y'): RegExp {
  return new RegExp(`<(?:br[ \\t]*\\/?|(\\/?)(${names.join('|')}))>`, `i${flags}`);
}

/** The opening tags in an element that aren't closed. Linear in the number of tags. */
export class OpenTags<Tag extends { readonly tag: string }> {
  readonly #tags: Tag[] = [];
  /** The number of tags of each name, so that a closing tag without a counterpart needs no search. */
  readonly #counts = new Map<string, number>();

  add(tag: Tag): void {
    this.#tags.push(tag);
    this.#count(tag, 1);
  }

  /** Closes the last open tag with a name and all tags after it. Returns that tag; undefined if there is none. */
  close(name: string): Tag | undefined {
    if ((this.#counts.get(name) ?? 0) === 0) return undefined;
    for (;;) {
      const last = this.#tags.pop();
      if (last) this.#count(last, -1);
      if (last?.tag === name || !last) return last;
    }
  }

  #count({ tag }: Tag, by: 1 | -1): void {
    this.#counts.set(tag, (this.#counts.get(tag) ?? 0) + by);
  }
}
