import type { Disposable } from '../../shared/lifecycle.ts';
import { element } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';

/** A word of a text that may name a file: where it begins, and the word. */
export interface PathToken {
  readonly at: number;
  readonly path: string;
}

/** Longer texts are not searched: they are no prose. */
const maxTextLength = 20_000;
const maxPathLength = 300;

const words = /[^\s"'`()<>[\]{}|,;*?=]+/g;
const lineSuffix = /(?::\d{1,7}(?::\d{1,7})?|#L\d{1,7}(?:C\d{1,7})?(?:-L?\d{1,7}(?:C\d{1,7})?)?)$/;
const drive = /^[A-Za-z]:(?=[\\/])/;
const nameWithEnding = /^[\p{L}\p{N}_@.+-]*\.[A-Za-z]\w{0,9}$/u;
const segment = /^[\p{L}\p{N}_@.+~-]+$/u;

/**
 * The words of a text that look like paths of files, such as `src/a.ts:10`. A bare name counts only with a line, or in
 * code: in prose it is mostly no more than a name.
 */
export function pathTokens(text: string, isCode: boolean): PathToken[] {
  if (text.length > maxTextLength || !text.includes('.')) return [];
  const found: PathToken[] = [];
  for (const match of text.matchAll(words)) {
    const path = match[0].length > maxPathLength ? '' : match[0].replace(/[.:!]+$/, '');
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
  // The first part is empty where the path begins at the root.
  return parts.every((part, index) => segment.test(part) || (index === 0 && part === ''));
}

/** One message asks about at most so many paths. */
const batchSize = 100;
const batchDelayMs = 50;
/** What was not there may be there later: it is asked for again, when it is drawn again, after so long. */
const askAgainMs = 30_000;

/**
 * Makes links of the paths in texts that name a file of the workspace. Only the host can know: it is asked about texts
 * that are drawn, many at a time and not twice for the same path.
 */
export class PathLinks implements Disposable {
  readonly #ask: (paths: string[]) => void;
  readonly #hint: (path: string) => string;
  readonly #timer = new Timer();
  readonly #found = new Set<string>();
  readonly #askedAt = new Map<string, number>();
  /** Texts that wait for an answer, by path. */
  readonly #waiting = new Map<string, Set<Text>>();
  #due = new Set<string>();

  /** @param hint what is shown at a link for a path. */
  constructor(ask: (paths: string[]) => void, hint: (path: string) => string) {
    this.#ask = ask;
    this.#hint = hint;
  }

  /** The text as nodes to be drawn; its paths become links then, or when the host has said that they are there. */
  draw(text: string, isCode: boolean): Node {
    const node = document.createTextNode(text);
    const tokens = pathTokens(text, isCode);
    if (tokens.length === 0) return node;
    const holder = document.createDocumentFragment();
    holder.append(node);
    this.#link(node, tokens);
    return holder;
  }

  /** The host's answer: which of the paths it was asked about are there. */
  answered(asked: readonly string[], found: readonly string[]): void {
    for (const path of found) this.#found.add(path);
    const texts = new Set<Text>();
    for (const path of asked) {
      for (const text of this.#waiting.get(path) ?? []) if (this.#found.has(path)) texts.add(text);
      this.#waiting.delete(path);
    }
    for (const text of texts) {
      const isCode = text.parentElement?.closest('code') !== null;
      this.#link(text, pathTokens(text.data, isCode));
    }
  }

  dispose(): void {
    this.#timer.dispose();
    this.#waiting.clear();
  }

  /** Puts links in place of what was found, and waits for the rest. */
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
    const title = this.#hint(path);
    return element('a', { class: 'path-link', role: 'link', tabindex: 0, title, 'data-path': path }, path);
  }

  #wait(path: string, node: Text): void {
    const now = performance.now();
    const texts = this.#waiting.get(path);
    if (texts) {
      texts.add(node);
      return;
    }
    if (now - (this.#askedAt.get(path) ?? -askAgainMs) < askAgainMs) return;
    this.#askedAt.set(path, now);
    this.#waiting.set(path, new Set([node]));
    this.#due.add(path);
    if (!this.#timer.isSet) this.#timer.set(batchDelayMs, () => this.#send());
  }

  #send(): void {
    const paths = [...this.#due];
    this.#due = new Set();
    for (let from = 0; from < paths.length; from += batchSize) this.#ask(paths.slice(from, from + batchSize));
  }
}
