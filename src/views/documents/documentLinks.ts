import * as vscode from 'vscode';
import type { FilePlace } from '../../host/files/workspacePaths.ts';
import { linkTooltip } from '../../host/prompts/editorText.ts';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { pooled } from '../../shared/pooled.ts';
import { inSlices, Pace } from '../../shared/slices.ts';
import { codeSpans, type Span } from '../../shared/text/codeSpans.ts';
import { fileTarget, type PathToken, pathTokens } from '../../shared/text/filePaths.ts';
import { documentAddress } from '../../state/documents/documentUri.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';

/** Port to the files that agents' paths lead to. */
interface LinkedFiles {
  /**
   * Looks up a path as written; undefined if it leads to no file. `hint`: the tooltip of the link, if there is more to
   * say than the path. `isAmbiguous`: the path can mean several files.
   */
  look(key: SessionKey, text: string): Promise<{ readonly hint?: string; readonly isAmbiguous?: true } | undefined>;
  /** The files that a text can mean, as they are on disk now. */
  find(key: SessionKey, text: string): Promise<readonly FilePlace[]>;
}

/** A link to a file. Its target is known only when it is followed. */
class FileLink extends vscode.DocumentLink {
  readonly key: SessionKey;
  readonly text: string;

  constructor(range: vscode.Range, key: SessionKey, text: string) {
    super(range);
    this.key = key;
    this.text = text;
  }
}

/** The maximum number of links in a document. Further paths stay text. */
const maxLinks = 5_000;
/** The number of paths that are looked up at the same time. */
const atOnce = 16;
/**
 * The number of characters after which the search can pause. They take up to 2 ms, depending on code spans and links.
 */
const pauseAfter = 2_000;
/** VS Code doesn't look for links in longer lines either. */
const maxLineLength = 10_000;

/**
 * The links to files of the workspace in documents of conversations. The text of a document is inert, so its only other
 * links lead to web pages and mail addresses. Which file a text names is determined again when its link is followed.
 */
export class DocumentLinks implements vscode.DocumentLinkProvider<FileLink>, Disposable {
  readonly #files: LinkedFiles;
  readonly #disposables = new Disposables();

  constructor(files: LinkedFiles) {
    this.#files = files;
    const selector = { scheme: fileSchemes.conversation };
    this.#disposables.add(vscode.languages.registerDocumentLinkProvider(selector, this));
  }

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<FileLink[] | undefined> {
    const address = documentAddress(document.uri);
    if (!address) return undefined;
    const { key } = address;
    const isMarkdown = document.languageId === 'markdown';
    const found = await inSlices(findPaths(document, isMarkdown), () => token.isCancellationRequested);
    if (!found) return undefined;
    const texts = [...new Set(found.map(({ path }) => path))];
    const hints = new Map<string, string>();
    await pooled(texts, atOnce, async (text) => {
      if (token.isCancellationRequested) return;
      const file = await this.#files.look(key, text);
      // An ambiguous path isn't a link: VS Code keeps the target of a followed link, so a choice would be final.
      if (file && file.isAmbiguous !== true) hints.set(text, file.hint ?? '');
    });
    if (token.isCancellationRequested) return undefined;
    let last = { line: -1, end: 0 };
    return found.flatMap(({ line, at, length, path }) => {
      const hint = hints.get(path);
      // Of paths that overlap, keep the first. Of those that begin at the same place, the longer one comes first.
      if (hint === undefined || (line === last.line && at < last.end)) return [];
      last = { line, end: at + length };
      const link = new FileLink(new vscode.Range(line, at, line, at + length), key, path);
      if (hint !== '') link.tooltip = linkTooltip(hint);
      return [link];
    });
  }

  async resolveDocumentLink(link: FileLink): Promise<FileLink | undefined> {
    const [place, another] = await this.#files.find(link.key, link.text);
    if (!place || another) return undefined;
    link.target = place.uri.with({ fragment: fragmentOf(place.selection) });
    return link;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

/** The selection in the form in which VS Code's opener reads it: `L3,5-9,2`. */
function fragmentOf(selection: vscode.Range | undefined): string {
  if (!selection) return '';
  const { start, end } = selection;
  const first = `L${start.line + 1},${start.character + 1}`;
  return selection.isEmpty ? first : `${first}-${end.line + 1},${end.character + 1}`;
}

interface PlacedToken extends PathToken {
  readonly line: number;
}

/**
 * A Markdown link that a backslash turned into text, with its target in angle brackets or without. The label can
 * contain brackets, and the target parentheses.
 */
const inertLink =
  /\[((?:[^[\]\n]|\[[^[\]\n]{0,60}\]){1,300})\]\\\((?:\\?<([^<>\n]{1,400})>|((?:[^\s()<>]|\([^\s()<>]{0,60}\)){1,400}))(?:[ \t][^()\n]{0,200})?\)/g;

/**
 * The parts of a document that may be paths, outside of code blocks. Yields from time to time, so that it can pause.
 */
function* findPaths(document: vscode.TextDocument, isMarkdown: boolean): Generator<undefined, readonly PlacedToken[]> {
  const found: PlacedToken[] = [];
  const pace = new Pace(pauseAfter);
  let fence: string | undefined;
  for (let line = 0; line < document.lineCount && found.length < maxLinks; line += 1) {
    const { text } = document.lineAt(line);
    if (pace.isOver(Math.min(text.length, maxLineLength))) yield;
    if (text.length > maxLineLength) continue;
    const mark = isMarkdown ? /^[\s>]{0,20}(`{3,}|~{3,})/.exec(text)?.[1] : undefined;
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      continue;
    }
    if (mark !== undefined) fence = mark;
    else for (const token of tokensOf(text, isMarkdown)) found.push({ ...token, line });
  }
  return found.slice(0, maxLinks);
}

/** The tokens of a line: links in Markdown, code spans, and the text between them. */
function tokensOf(text: string, isMarkdown: boolean): readonly PathToken[] {
  if (!isMarkdown) return pathTokens(text, false);
  const links = text.includes(']\\(') ? linksIn(text) : [];
  const withoutLinks = blanked(text, links);
  const spans = withoutLinks.includes('`') ? codeSpans(withoutLinks) : [];
  const inCode = spans.flatMap(({ start, end }) => {
    const code = withoutLinks.slice(start, end);
    const marks = /^`+/.exec(code)?.[0].length ?? 0;
    return pathTokens(code.slice(marks, -marks), true).map((token) => ({ ...token, at: start + marks + token.at }));
  });
  const between = pathTokens(blanked(withoutLinks, spans), false);
  return [...links.map(({ token }) => token), ...inCode, ...between].sort((a, b) => a.at - b.at || b.length - a.length);
}

interface LinkSpan extends Span {
  readonly token: PathToken;
}

/** The links to files in a line of Markdown. A token has the position of the label and the path of the target. */
function linksIn(text: string): readonly LinkSpan[] {
  return Array.from(text.matchAll(inertLink)).flatMap(
    ({ 0: whole, 1: label = '', 2: angled, 3: plain = '', index }) => {
      const path = fileTarget(angled ?? plain);
      if (path === undefined) return [];
      return [{ start: index, end: index + whole.length, token: { at: index + 1, length: label.length, path } }];
    },
  );
}

/** The text with spaces in place of the spans, which are in order. */
function blanked(text: string, spans: readonly Span[]): string {
  let end = 0;
  const kept = spans.map((span) => {
    const piece = text.slice(end, span.start) + ' '.repeat(span.end - span.start);
    end = span.end;
    return piece;
  });
  return kept.join('') + text.slice(end);
}
