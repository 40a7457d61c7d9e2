import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { element, setAttribute } from '../dom/element.ts';
import { listen } from '../dom/listen.ts';
import { FrameTask, Timer } from '../dom/timers.ts';
import type { WindowedList } from '../list/windowedList.ts';
import type { Bookmarks } from './bookmarks.ts';
import { promptLine } from './prompts.ts';
import type { RowTable } from './rowTable.ts';
import type { Strings } from '../strings.ts';
import { type MarkKind, nearestMark, pathOf, placeMarks, type RailMark } from '../rail/railMarks.ts';

/** Minimum interval between two drawings. */
const drawMs = 100;
/** Maximum distance in px between the pointer and the mark that it points to. */
const reachPx = 8;

const words = { bookmark: 'bookmarked', error: 'markError', match: 'markMatch', prompt: 'markPrompt' } as const;

/**
 * The strip next to the scrollbar that shows where in the whole list bookmarks, errors, matches, and prompts are. A
 * click scrolls to the row of a mark. It is hidden from screen readers, because there are commands for each kind.
 */
export class Rail implements Disposable {
  readonly node = element('div', { class: 'rail', 'aria-hidden': 'true', hidden: true });
  readonly #strings: Strings;
  readonly #list: WindowedList;
  readonly #table: RowTable;
  readonly #bookmarks: Bookmarks;
  readonly #disposables = new Disposables();
  readonly #timer = this.#disposables.add(new Timer());
  /** Draws in an animation frame: after a change outside of one, handling a scroll event would force a layout. */
  readonly #frame = this.#disposables.add(new FrameTask(() => this.#draw()));
  /** The kinds with their paths. A later kind is drawn over the earlier ones, and preferred at the same distance. */
  readonly #paths: readonly (readonly [MarkKind, SVGPathElement])[];
  #marks: readonly RailMark[] = [];
  #matchKeys: readonly string[] = [];
  #drawn: readonly unknown[] = [];

  constructor(strings: Strings, list: WindowedList, table: RowTable, bookmarks: Bookmarks) {
    this.#strings = strings;
    this.#list = list;
    this.#table = table;
    this.#bookmarks = bookmarks;
    this.#paths = (['prompt', 'match', 'error', 'bookmark'] as const).map((kind) => [kind, svgNode('path', kind)]);
    const svg = svgNode('svg', 'rail-marks');
    svg.append(...this.#paths.map(([, path]) => path));
    this.node.append(svg);
    listen(this.#disposables, this.node, 'pointermove', (event) => {
      const mark = this.#markAt(event);
      setAttribute(this.node, 'title', mark && this.#describe(mark));
    });
    listen(this.#disposables, this.node, 'mousedown', (event) => {
      // The focus stays where it is.
      event.preventDefault();
      const mark = this.#markAt(event);
      if (mark) list.reveal(mark.key);
    });
  }

  /** Marks the rows that contain matches of a search. */
  showMatches(keys: readonly string[]): void {
    this.#matchKeys = keys;
    this.update();
  }

  /** Call this when the list or the bookmarks may have changed. Draws the marks soon if any of them may have moved. */
  update(): void {
    if (!this.#timer.isSet && this.#inputs().some((input, at) => input !== this.#drawn[at])) {
      this.#timer.set(drawMs, () => this.#frame.request());
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Everything that determines where marks are. */
  #inputs(): readonly unknown[] {
    const { totalPx, viewportPx } = this.#list;
    return [totalPx, viewportPx, this.#table.revision, this.#bookmarks.items, this.#matchKeys];
  }

  #draw(): void {
    this.#drawn = this.#inputs();
    const { totalPx, viewportPx } = this.#list;
    const { promptKeys, errorKeys } = this.#table;
    this.node.hidden = totalPx <= viewportPx;
    const keys = {
      bookmark: this.#bookmarks.items.map(({ key }) => key),
      error: errorKeys,
      match: this.#matchKeys,
      prompt: promptKeys,
    };
    const shareOf = (key: string) => {
      const index = this.#table.indexOf(key);
      return index < 0 ? undefined : this.#list.topPx(index) / totalPx;
    };
    this.#marks = this.#paths.flatMap(([kind, path]) => {
      const marks = this.node.hidden ? [] : placeMarks(kind, keys[kind], shareOf, viewportPx);
      setAttribute(path, 'd', pathOf(marks));
      return marks;
    });
  }

  #markAt({ clientY }: MouseEvent): RailMark | undefined {
    return nearestMark(this.#marks, clientY - this.node.getBoundingClientRect().top, reachPx);
  }

  /** The kind of a mark, with the note of a bookmark or the first line of a prompt or bookmarked message. */
  #describe({ kind, key }: RailMark): string {
    const body = this.#table.body(key);
    const note = kind === 'bookmark' ? (this.#bookmarks.of(key)?.note ?? '') : '';
    const line = note === '' && body && (kind === 'bookmark' || kind === 'prompt') ? promptLine(body) : note;
    const word = this.#strings.get(words[kind]);
    return line === '' ? word : `${word}\n${line}`;
  }
}

function svgNode<K extends 'svg' | 'path'>(tag: K, name: string): SVGElementTagNameMap[K] {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttribute(node, 'class', name);
  return node;
}
