import type { Disposable } from '../../shared/lifecycle.ts';
import { element } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { Strings } from '../strings.ts';

/** A word that may be a file path, and its index in the text. */
interface PathToken {
  readonly at: number;
  readonly path: string;
}

/** Longer text isn't searched, because it isn't prose. */
const maxTextLength = 20_000;
const maxPathLength = 300;

const wordPattern = /[^\s"'`()<>[\]{}|,;*?=]+/g;
const lineSuffix = /(?::\d{1,7}(?::\d{1,7})?|#L\d{1,7}(?:C\d{1,7})?(?:-L?\d{1,7}(?:C\d{1,7})?)?)$/;
const drive = /^[A-Za-z]:(?=[\\/])/;
const nameWithEnding = /^[\p{L}\p{N}_@.+-]*\.[A-Za-z]\w{0,9}$/u;
const segment = /^[\p{L}\p{N}_@.+~-]+$/u;

/**
 * The words in the text that look like file paths, such as `src/a.ts:10`. A bare file name only counts with a line
 * number or in code; in prose it is usually just a name.
 */
export function pathTokens(text: string, isCode: boolean): PathToken[] {
  if (text.length > maxTextLength || !text.includes('.')) return [];
  const found: PathToken[] = [];
  for (const match of text.matchAll(wordPattern)) {
    const path = match[0].length > maxPathLength ? '' : match[0].replace(/(?<![.:!])[.:!]+$/, '');
    if (path !== '' && isPath(path, isCode)) found.push({ at: match.index, path });
  }
  return found;
}

function isPath(word: string, isCode: boolean): boolean {
  const suffix = lineSuffix.exec(word)?.[0] ?? '';
  const path = word.slice(0, word.length - suffix.length);
  const parts = path.replace(drive, '').split(/[\\/]/);
  const name = parts.pop() ?? '';
  if (!nameWithEnding.test(name)) return false;
  if (parts.length === 0) return isCode || suffix !== '';
  // The first part of an absolute path is empty.
  return parts.every((part, index) => segment.test(part) || (index === 0 && part === ''));
}

/** Maximum number of paths in one request. */
const batchSize = 100;
const batchDelayMs = 50;
/** Delay after which a missing path is looked up again when it is drawn again. */
const retryMs = 30_000;

/**
 * Turns file paths in text into links if the files exist in the workspace. The host looks up the paths of drawn text in
 * batches. Only missing paths are looked up again.
 */
export class PathLinks implements Disposable {
  readonly #channel: HostChannel;
  readonly #strings: Strings;
  readonly #timer = new Timer();
  readonly #found = new Set<string>();
  readonly #requestedAt = new Map<string, number>();
  /** Text nodes that wait for a lookup, by path. */
  readonly #waiting = new Map<string, Set<Text>>();
  #due = new Set<string>();

  constructor(channel: HostChannel, strings: Strings) {
    this.#channel = channel;
    this.#strings = strings;
  }

  /** The text as a node to draw. Its paths become links now or when the host reports that the files exist. */
  draw(text: string, isCode: boolean): Node {
    const node = document.createTextNode(text);
    const tokens = pathTokens(text, isCode);
    if (tokens.length === 0) return node;
    const holder = document.createDocumentFragment();
    holder.append(node);
    this.#link(node, tokens);
    return holder;
  }

  dispose(): void {
    this.#timer.dispose();
    this.#waiting.clear();
  }

  /** Replaces existing paths with links and looks up the others. */
  #link(node: Text, tokens: readonly PathToken[]): void {
    let rest = node;
    let start = 0;
    for (const { at, path } of tokens) {
      if (!this.#found.has(path)) {
        this.#wait(path, rest);
        continue;
      }
      const link = rest.splitText(at - start);
      rest = link.splitText(path.length);
      start = at + path.length;
      link.replaceWith(this.#linkTo(path));
    }
  }

  #linkTo(path: string): HTMLElement {
    const title = this.#strings.get('openFile', path);
    return element('a', { class: 'path-link', role: 'link', tabindex: 0, title, 'data-path': path }, path);
  }

  #wait(path: string, node: Text): void {
    const now = performance.now();
    const texts = this.#waiting.get(path);
    if (texts) {
      texts.add(node);
      return;
    }
    if (now - (this.#requestedAt.get(path) ?? -retryMs) < retryMs) return;
    this.#requestedAt.set(path, now);
    this.#waiting.set(path, new Set([node]));
    this.#due.add(path);
    if (!this.#timer.isSet) this.#timer.set(batchDelayMs, () => this.#send());
  }

  #send(): void {
    const paths = [...this.#due];
    this.#due = new Set();
    for (let from = 0; from < paths.length; from += batchSize) {
      void this.#lookUp(paths.slice(from, from + batchSize));
    }
  }

  async #lookUp(requested: string[]): Promise<void> {
    const found = (await this.#channel.ask('findPaths', { paths: requested })) ?? [];
    for (const path of found) this.#found.add(path);
    const texts = new Set<Text>();
    for (const path of requested) {
      for (const text of this.#waiting.get(path) ?? []) if (this.#found.has(path)) texts.add(text);
      this.#waiting.delete(path);
    }
    for (const text of texts) {
      const isCode = text.parentElement?.closest('code') !== null;
      this.#link(text, pathTokens(text.data, isCode));
    }
  }
}
