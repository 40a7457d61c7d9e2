import type { PageBookmark } from '../../shared/protocol/pageModel.ts';
import { element } from '../dom/element.ts';
import { icon } from '../icons/icon.ts';
import type { Strings } from '../strings.ts';

/** The bookmarks of the session, as the host sent them: in the order of the messages. */
export class Bookmarks {
  #items: readonly PageBookmark[] = [];
  #byKey: ReadonlyMap<string, PageBookmark> = new Map();

  get items(): readonly PageBookmark[] {
    return this.#items;
  }

  /** The bookmark of a row's message; undefined if it has none. */
  of(key: string): PageBookmark | undefined {
    return this.#byKey.get(key);
  }

  /** Replaces the bookmarks. Returns the keys of the rows that had a bookmark before or have one now. */
  replace(items: readonly PageBookmark[]): readonly string[] {
    const before = [...this.#byKey.keys()];
    this.#items = items;
    this.#byKey = new Map(items.map((item) => [item.key, item]));
    return [...before, ...this.#byKey.keys()];
  }

  /** What screen readers say after the name of a bookmarked message; undefined if the message has no bookmark. */
  describe(key: string, strings: Strings): string | undefined {
    const bookmark = this.of(key);
    return bookmark && (bookmark.note === '' ? strings.get('bookmarked') : strings.get('bookmark', bookmark.note));
  }

  /** The mark in the header of a row, with the note of the bookmark as the tooltip; empty if there is no bookmark. */
  mark(key: string, strings: Strings): HTMLElement[] {
    const bookmark = this.of(key);
    if (!bookmark) return [];
    const name = strings.get('bookmarked');
    const title = bookmark.note || name;
    return [element('span', { class: 'row-bookmark', role: 'img', 'aria-label': name, title }, icon('bookmark'))];
  }
}
