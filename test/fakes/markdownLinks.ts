/** What VS Code makes of Markdown: the links in the editor, and what a preview links, loads, or draws. */
import MarkdownIt from 'markdown-it';
import {
  createLanguageService,
  githubSlugifier,
  type ILogger,
  type IWorkspace,
  LogLevel,
} from 'vscode-markdown-languageservice';
import { htmlElements } from '../../src/state/markdown/htmlElements.ts';

const parser = new MarkdownIt({ html: true, linkify: true });
parser.linkify.set({ fuzzyLink: false });
parser.validateLink = () => true;

const noEvent = () => ({ dispose: () => undefined });
const workspace: IWorkspace = {
  workspaceFolders: [],
  onDidChangeMarkdownDocument: noEvent,
  onDidCreateMarkdownDocument: noEvent,
  onDidDeleteMarkdownDocument: noEvent,
  getAllMarkdownDocuments: () => Promise.resolve([]),
  hasMarkdownDocument: () => false,
  openMarkdownDocument: () => Promise.resolve(undefined),
  stat: () => Promise.resolve(undefined),
  readDirectory: () => Promise.resolve([]),
};
const logger: ILogger = { level: LogLevel.Off, log: () => undefined };
const service = createLanguageService({
  workspace,
  logger,
  parser: {
    slugifier: githubSlugifier,
    tokenize: (document) => Promise.resolve(tokensOf(document.getText())),
  },
});
const token = { isCancellationRequested: false, onCancellationRequested: noEvent };

type ITextDocument = Parameters<ReturnType<typeof createLanguageService>['getDocumentLinks']>[0];
type Position = ReturnType<ITextDocument['positionAt']>;

/** A text as the Markdown extension gets it. */
class TextDocument implements ITextDocument {
  static #count = 0;
  // The language service caches its results by URI.
  readonly uri = `lineside://test/${TextDocument.#count++}.md`;
  readonly version = 1;
  readonly #text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ index, 0: end }) => index + end.length)];
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  getText(range?: { readonly start: Position; readonly end: Position }): string {
    return range ? this.#text.slice(this.offsetAt(range.start), this.offsetAt(range.end)) : this.#text;
  }

  positionAt(offset: number): Position {
    const after = this.#starts.findIndex((start) => start > offset);
    const line = after < 0 ? this.#starts.length - 1 : after - 1;
    return { line, character: offset - (this.#starts[line] ?? 0) };
  }

  offsetAt({ line, character }: Position): number {
    return Math.min((this.#starts[line] ?? this.#text.length) + character, this.#text.length);
  }
}

/** The latest document. The language service caches the links of a document by its URI. */
let latest = new TextDocument('');

function documentOf(markdown: string): TextDocument {
  if (latest.getText() !== markdown) latest = new TextDocument(markdown);
  return latest;
}

/**
 * The targets of links that VS Code's editor finds in a Markdown document: those that its Markdown extension's own code
 * finds, and `file://` in any text, as its link detector finds it. Web addresses in text, which the detector finds too,
 * are left out. A link without a target is `internal`.
 */
export async function editorLinks(markdown: string): Promise<string[]> {
  const links = await linksOf(documentOf(markdown));
  const found = links.map(({ target }) => target ?? 'internal');
  return [...found, ...Array.from(markdown.matchAll(/file:\/\/\S*/gi), ([text]) => text)];
}

/**
 * The contents of the hovers that VS Code shows for links, as JSON. VS Code would load an image in a hover.
 */
export async function editorHovers(markdown: string): Promise<string[]> {
  const document = documentOf(markdown);
  const links = await linksOf(document);
  const hovers = await Promise.all(links.map(({ range }) => service.getHover(document, range.start, token)));
  return hovers.flatMap((hover) => (hover ? [JSON.stringify(hover.contents)] : []));
}

/** The extension's code throws for some texts, for which VS Code shows no links. */
function linksOf(document: TextDocument) {
  return service.getDocumentLinks(document, token).catch(() => []);
}

/**
 * What a Markdown preview would show of a document apart from text and from links to web pages and mail addresses:
 * targets of other links, images, tags, formulas, and diagrams.
 */
export function previewLinks(markdown: string): string[] {
  const tokens = tokensOf(markdown).flatMap((block) => [block, ...(block.children ?? [])]);
  // VS Code's Mermaid extension also draws `:::` containers, which are paragraphs here. Unlike `^` in a regular
  // expression, Markdown doesn't begin a line after U+2028.
  const paragraphs = tokens.filter((_, index) => tokens[index - 1]?.type === 'paragraph_open');
  const containers = paragraphs.flatMap(({ content }) => content.match(/(?<![^\n])[ \t]*:{3,}.*/g) ?? []);
  return [...tokens.flatMap(acting), ...containers];
}

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

function acting(token: Token): string[] {
  const { type, content, info } = token;
  if (type === 'link_open') return [String(token.attrGet('href'))].filter((target) => !leadsOut(target));
  if (type === 'image' || type === 'html_block') return [`${type} ${content}`];
  if (type === 'html_inline') return isElement(content) ? [content] : [];
  return type === 'fence' && /mermaid|math/i.test(info.trim().split(/\s+/, 1)[0] ?? '') ? [info] : [];
}

/** Whether a tag is more than an unknown element without attributes, such as the one in `Array<string>`. */
function isElement(tag: string): boolean {
  const [, name = ''] = /^<\/?([a-z][a-z0-9-]*)\s*>$/i.exec(tag) ?? [];
  return name === '' || htmlElements.has(name.toLowerCase());
}

/** Whether a target is a web page or a mail address. */
export function leadsOut(target: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(target);
}

let parsed: { readonly markdown: string; readonly tokens: Token[] } = { markdown: '', tokens: [] };

/** What VS Code's Markdown extension parses a document into. Parses the latest document only once. */
export function tokensOf(markdown: string): Token[] {
  if (parsed.markdown !== markdown) parsed = { markdown, tokens: parser.parse(withoutFrontMatter(markdown), {}) };
  return parsed.tokens;
}

function withoutFrontMatter(markdown: string): string {
  const [whole = ''] = /^---\n[^]*?\n---(?:\n|$)/.exec(markdown) ?? [];
  return whole.replace(/[^\n]/g, '') + markdown.slice(whole.length);
}
