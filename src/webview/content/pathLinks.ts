import type { Disposable } from '../../shared/lifecycle.ts';
import { LruMap } from '../../shared/lruMap.ts';
import type { PageFile } from '../../shared/protocol/pageMessages.ts';
import { maxTargetLength, type PathToken, pathTokens } from '../../shared/text/filePaths.ts';
import { withBidiControls } from '../dom/bidiControls.ts';
import { appendAll, type Child, element } from '../dom/element.ts';
import { Timer } from '../dom/timers.ts';
import type { SessionChannel } from '../sessionChannel.ts';
import type { Strings } from '../strings.ts';
import type { IdleQueue } from './idleQueue.ts';

/** Maximum number of paths in one request. */
const batchSize = 100;
const batchDelayMs = 50;
/** Delay after which a missing path is looked up again when it is drawn again. */
const retryMs = 30_000;
/** Maximum number of links that are created in one step. */
const pieceLinks = 30;
/** After a lookup, links in texts with more characters are created when the page is idle. */
const maxSoonLength = 1_000;
/** Maximum number of texts whose missing paths are looked up again when files change. */
const maxUnlinked = 2_000;
/** Maximum number of paths whose answers are remembered. */
const maxKnown = 10_000;

/**
 * Turns file paths in text, and the labels of Markdown links to files, into links if the files exist in the workspace.
 * The host looks up the paths of drawn text in batches.
 */
export class PathLinks implements Disposable {
  readonly #channel: SessionChannel;
  readonly #strings: Strings;
  readonly #idle: IdleQueue;
  readonly #timer = new Timer();
  /** The files that exist, by their paths as written. */
  readonly #found = new LruMap<string, PageFile>(maxKnown);
  readonly #requestedAt = new LruMap<string, number>(maxKnown);
  /** Text nodes and links that wait for a lookup, by path. */
  readonly #waiting = new Map<string, Set<Text | HTMLElement>>();
  /** Text nodes with missing paths. */
  #unlinked = new Set<Text>();
  #due = new Set<string>();
  /** Answers to questions of an earlier generation are ignored. Paths that are still needed are looked up again. */
  #generation = 0;

  constructor(channel: SessionChannel, strings: Strings, idle: IdleQueue) {
    this.#channel = channel;
    this.#strings = strings;
    this.#idle = idle;
  }

  /**
   * The text as a node to draw. Its paths become links now or when the host reports that the files exist. With
   * `isCode`, a single word can be the name of a file.
   */
  draw(text: string, isCode: boolean): Node {
    return withBidiControls(text, (part) => this.#draw(part, isCode));
  }

  #draw(text: string, isCode: boolean): Node {
    const node = document.createTextNode(text);
    const tokens = pathTokens(text, isCode);
    if (tokens.length === 0) return node;
    const holder = document.createDocumentFragment();
    holder.append(node);
    this.#link(node, tokens);
    return holder;
  }

  /**
   * Returns the element of a link to a file, to which the caller adds the label. Unless the file is known to exist, the
   * element is text with a tooltip. A lookup may later replace it with another element that has the same content.
   */
  drawLink(target: string): HTMLElement {
    const link = this.#element(target);
    if (!this.#found.get(target)) this.#wait(target, link);
    return link;
  }

  /**
   * Looks up the drawn paths again. Call this when files have been created, renamed, or deleted, or when paths lead to
   * other files than before.
   */
  refresh(): void {
    this.#generation += 1;
    this.#found.clear();
    this.#requestedAt.clear();
    for (const link of document.querySelectorAll<HTMLElement>('[data-path]')) {
      this.#wait(link.dataset['path'] ?? '', link);
    }
    const texts = [...this.#unlinked].filter((text) => text.isConnected);
    this.#unlinked = new Set();
    for (const text of texts) this.#linkSoon(text);
  }

  /** Forgets the drawn paths. Call this before another session is drawn: the same paths can mean other files there. */
  forget(): void {
    this.#generation += 1;
    this.#found.clear();
    this.#requestedAt.clear();
    this.#waiting.clear();
    this.#unlinked.clear();
    this.#due.clear();
  }

  dispose(): void {
    this.#timer.dispose();
    this.#waiting.clear();
  }

  #linkSoon(text: Text): void {
    const link = () => {
      const code = text.parentElement?.closest('code');
      // In a block of output, unlike in inline code, a single word isn't the name of a file.
      this.#link(text, pathTokens(text.data, code !== null && code?.closest('pre') === null));
    };
    if (text.length > maxSoonLength) this.#idle.later(text, link);
    else this.#idle.soon(text, link);
  }

  /** Turns the paths of existing files into links, and looks up the other paths. */
  #link(node: Text, tokens: readonly PathToken[]): void {
    let rest = node;
    let start = 0;
    let count = 0;
    for (const { at, length, path } of tokens) {
      if (at < start) continue;
      if (!this.#found.get(path)) {
        this.#wait(path, rest);
        continue;
      }
      if (count === pieceLinks) {
        const { length: restLength } = rest;
        this.#idle.later(rest, () => {
          // If a lookup has linked paths in the rest in the meantime, it has handled all of the rest.
          if (rest.length === restLength) this.#link(rest, shifted(tokens, start));
        });
        return;
      }
      const link = rest.splitText(at - start);
      rest = link.splitText(length);
      start = at + length;
      count += 1;
      link.replaceWith(this.#element(path, [link.data]));
    }
  }

  /** A link or, if the file isn't known to exist, text with a tooltip. */
  #element(path: string, content: Iterable<Child> = []): HTMLElement {
    const file = this.#found.get(path);
    const about = { title: file ? (file.hint ?? this.#strings.get('openFile', path)) : this.#missing(path) };
    // For VS Code's context menu.
    const context = JSON.stringify({ webviewSection: 'linesideFile', path });
    const attributes = { ...about, 'data-path': path };
    const made = file
      ? element('a', { class: 'path-link', role: 'link', tabindex: 0, ...attributes, 'data-vscode-context': context })
      : element('span', { class: 'path-text', ...attributes });
    appendAll(made, content);
    return made;
  }

  #missing(path: string): string {
    return this.#strings.get('fileNotHere', path);
  }

  #wait(path: string, node: Text | HTMLElement): void {
    if (path.length > maxTargetLength) return;
    const now = performance.now();
    const waiting = this.#waiting.get(path);
    if (waiting) {
      waiting.add(node);
      return;
    }
    if (now - (this.#requestedAt.get(path) ?? -retryMs) < retryMs) {
      this.#keep(node);
      return;
    }
    this.#requestedAt.set(path, now);
    this.#waiting.set(path, new Set([node]));
    this.#ask([path]);
  }

  #ask(paths: readonly string[]): void {
    for (const path of paths) this.#due.add(path);
    if (!this.#timer.isSet) this.#timer.set(batchDelayMs, () => this.#send());
  }

  #keep(node: Text | HTMLElement): void {
    if (!(node instanceof Text)) return;
    if (this.#unlinked.size >= maxUnlinked) this.#dropOldUnlinked();
    this.#unlinked.add(node);
  }

  /**
   * From the older half of the texts, removes those that are no longer in the document, and more if that isn't enough.
   * Keeps the newer half, whose texts may not be in the document yet.
   */
  #dropOldUnlinked(): void {
    const texts = [...this.#unlinked];
    const older = texts.slice(0, maxUnlinked / 2).filter((text) => text.isConnected);
    this.#unlinked = new Set([...older.slice(-maxUnlinked / 4), ...texts.slice(maxUnlinked / 2)]);
  }

  #send(): void {
    const paths = [...this.#due];
    this.#due = new Set();
    for (let from = 0; from < paths.length; from += batchSize) {
      void this.#lookUp(paths.slice(from, from + batchSize));
    }
  }

  async #lookUp(requested: string[]): Promise<void> {
    const generation = this.#generation;
    const found = (await this.#channel.ask('findPaths', { paths: requested })) ?? [];
    if (generation !== this.#generation) {
      this.#ask(requested.filter((path) => this.#waiting.has(path)));
      return;
    }
    for (const file of found) this.#found.set(file.path, file);
    const texts = new Set<Text>();
    for (const path of requested) {
      for (const node of this.#waiting.get(path) ?? []) {
        if (node instanceof HTMLElement) this.#idle.soon(node, () => this.#update(node, path));
        else if (this.#found.get(path)) texts.add(node);
        else this.#keep(node);
      }
      this.#waiting.delete(path);
    }
    for (const text of texts) this.#linkSoon(text);
  }

  /** Replaces a link whose file is missing with text, and text whose file exists with a link. */
  #update(link: HTMLElement, path: string): void {
    if (link instanceof HTMLAnchorElement === (this.#found.get(path) !== undefined)) return;
    link.replaceWith(this.#element(path, [...link.childNodes]));
  }
}

/** The tokens at and after `start`, with positions relative to `start`. */
function shifted(tokens: readonly PathToken[], start: number): readonly PathToken[] {
  return tokens.filter(({ at }) => at >= start).map((token) => ({ ...token, at: token.at - start }));
}
