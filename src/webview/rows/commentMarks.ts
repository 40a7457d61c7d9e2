import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import type { PageComment } from '../../shared/protocol/pageModel.ts';
import type { CommentStrip } from '../composer/commentStrip.ts';
import { sameValue } from '../../shared/equality.ts';
import { RowRanges } from '../content/rowRanges.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { ConversationRows } from './conversationRows.ts';
import { mayContain, rangesOf } from '../content/quotes.ts';

const markName = 'lineside-comment';

/** The part of a comment that determines its mark. */
type Mark = Pick<PageComment, 'commentId' | 'key' | 'quote' | 'offset'>;

/** Marks the commented parts of the mounted messages without changing their nodes. */
export class CommentMarks implements Disposable {
  readonly #rows: ConversationRows;
  readonly #strip: CommentStrip;
  readonly #channel: SessionChannel;
  readonly #disposables = new Disposables();
  #marks: readonly Mark[] = [];
  readonly #ranges: RowRanges<ReadonlyMap<string, readonly Range[]>>;
  /** The IDs of the comments whose quotes weren't found in their messages when these were last searched. */
  readonly #outdated = new Set<string>();
  /** The comment to scroll to once its message is mounted. */
  #wantedId: string | undefined;

  constructor(rows: ConversationRows, strip: CommentStrip, channel: SessionChannel) {
    this.#rows = rows;
    this.#ranges = this.#disposables.add(
      new RowRanges<ReadonlyMap<string, readonly Range[]>>(rows.scroller, () => this.#mark()),
    );
    this.#strip = strip;
    this.#channel = channel;
    this.#disposables.add(strip.onDidChange(() => this.#show(strip.comments)));
    this.#disposables.add(strip.onDidReveal((comment) => this.#reveal(comment)));
    this.#disposables.add({ dispose: () => this.#show([]) });
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Marks these comments, including those in rows that are mounted later. */
  #show(comments: readonly PageComment[]): void {
    const marks = comments.map(({ commentId, key, quote, offset }) => ({ commentId, key, quote, offset }));
    if (sameValue(marks, this.#marks)) return;
    this.#marks = marks;
    if (marks.length === 0) {
      this.#ranges.stop();
      this.#outdated.clear();
      CSS.highlights.delete(markName);
      return;
    }
    this.#ranges.restart();
    this.#mark();
  }

  /**
   * Scrolls to the commented part, and focuses its message. The host loads or shows a message that the page doesn't
   * have.
   */
  #reveal({ commentId, key, messageId }: PageComment): void {
    this.#wantedId = commentId;
    if (this.#rows.indexOf(key) >= 0) this.#rows.reveal(key);
    else this.#channel.post({ type: 'revealMessage', messageId });
    this.#ranges.request();
  }

  #mark(): void {
    const highlight = Object.assign(new Highlight(), { priority: -1 });
    for (const row of this.#rows.scroller.querySelectorAll<HTMLElement>('article[data-key]')) {
      const { key = '' } = row.dataset;
      const marks = this.#marks.filter((mark) => mark.key === key);
      const body = row.querySelector('.row-body');
      if (marks.length === 0 || !body) continue;
      const found = this.#ranges.in(row, () => this.#find(key, body, marks));
      for (const range of [...found.values()].flat()) highlight.add(range);
      this.#goTo(key, found);
    }
    if (this.#marks.length > 0) CSS.highlights.set(markName, highlight);
    this.#strip.showOutdated(this.#outdated);
  }

  #find(key: string, body: Element, marks: readonly Mark[]): ReadonlyMap<string, readonly Range[]> {
    const content = this.#rows.body(key);
    const found = marks.map((mark) => [mark.commentId, rangesOf(body, mark)] as const);
    for (const [index, [commentId, ranges]] of found.entries()) {
      const isThere = ranges.length > 0 || !content || mayContain(content, marks[index]?.quote ?? '');
      if (isThere) this.#outdated.delete(commentId);
      else this.#outdated.add(commentId);
    }
    return new Map(found);
  }

  #goTo(key: string, found: ReadonlyMap<string, readonly Range[]>): void {
    if (this.#wantedId === undefined || !found.has(this.#wantedId)) return;
    const [range] = found.get(this.#wantedId) ?? [];
    this.#wantedId = undefined;
    if (range) this.#rows.revealRange(key, range, 0);
    // If the user moved the focus out of the strip while the message was being loaded, the focus stays where it is.
    if (this.#strip.node.contains(document.activeElement)) this.#rows.mounted(key)?.focus({ preventScroll: true });
  }
}
