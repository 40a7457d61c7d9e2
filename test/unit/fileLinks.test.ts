import type { Token } from 'markdown-it';
import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { type FilePlace, findInWorkspace } from '../../src/host/files/workspacePaths.ts';
import { fileTarget, type PathToken, pathTokens } from '../../src/shared/text/filePaths.ts';
import { documentUri } from '../../src/state/documents/documentUri.ts';
import { inertingMarkdown } from '../../src/state/markdown/inert.ts';
import { DocumentLinks } from '../../src/views/documents/documentLinks.ts';
import { makeMarkdownParser } from '../../src/webview/markdown/markdownParser.ts';
import { exampleFiles, type LinkForm, readLinkForms, roots } from './shared/text/linkForms.ts';
import { openFolder, played } from './host/files/playedWorkspace.ts';
import { withoutPause } from '../../src/shared/slices.ts';
import { key } from './state/samples.ts';

vi.mock('vscode', () => import('./host/files/playedWorkspace.ts'));

const parser = makeMarkdownParser();
/** Files outside the workspace, and files to which a special name on Windows or a part of a path could lead. */
const otherFiles = [
  ...[
    'file:///etc/passwd',
    'file:///.ssh/id_rsa',
    'file:///work/secret.ts',
    'file://host/share/a.ts',
    'file:///c:/secret.ts',
    `${roots.others}/src/none`,
  ],
  ...['CON', 'NUL.txt', 'src/none', 'src/COM1.ts', 'src/a.ts:hidden.txt', 'src/a.ts.'].map(
    (name) => `${roots.windows}/${name}`,
  ),
];

/** The systems on which an example has its meaning. */
function systemsOf({ form }: LinkForm, example: string): readonly (keyof typeof roots)[] {
  if (form.includes('Windows')) return ['windows'];
  return example.includes('/work/') ? ['others'] : ['windows', 'others'];
}

/** What a place is called in the tables. */
function described({ uri, selection }: Pick<FilePlace, 'uri' | 'selection'>): string {
  const path = uri.toString(true).replace(/^.*?\/work\/shop\//, '');
  if (!selection) return `\`${path}\``;
  const { start, end } = selection;
  const [from, to] = [start, end].map(({ line, character }) => `${line + 1}, column ${character + 1}`);
  if (selection.isEmpty) return `\`${path}\`, line ${start.character === 0 ? start.line + 1 : from}`;
  if (end.character === 1_000_000) return `\`${path}\`, lines ${start.line + 1} to ${end.line + 1}`;
  return `\`${path}\`, line ${from} to line ${to}`;
}

/** What the page would ask the host for, in each text. Of tokens that overlap, the longer one comes first. */
function tokensOnPage(tokens: readonly Token[]): readonly (readonly PathToken[])[] {
  let isInLink = false;
  return tokens.flatMap((token) => {
    const target = token.type === 'link_open' ? token.attrGet('href') : token.type === 'image' && token.attrGet('src');
    if (token.type === 'link_open' || token.type === 'link_close') isInLink = token.type === 'link_open';
    if (typeof target === 'string') return [[{ at: 0, length: 1, path: fileTarget(target) ?? '' }]];
    if (token.children) return tokensOnPage(token.children);
    const isText = token.type === 'text' || token.type === 'code_inline';
    return isText && !isInLink ? [pathTokens(token.content, token.type === 'code_inline')] : [];
  });
}

async function openedFromPage(text: string): Promise<readonly string[]> {
  const opened = new Set<string>();
  for (const tokens of tokensOnPage(parser.parse(text, { isPrompt: false, footnotes: new Map() }))) {
    let end = 0;
    for (const { at, length, path } of tokens) {
      const [place] = at < end ? [] : await findInWorkspace(path);
      if (!place) continue;
      end = at + length;
      opened.add(described(place));
    }
  }
  return [...opened];
}

async function openedFromDocument(text: string): Promise<readonly string[]> {
  const lines = withoutPause(inertingMarkdown(text)).split('\n');
  const uri = documentUri({ key, shows: { part: 1 } }, 'A conversation');
  const lineAt = (line: number) => ({ text: lines[line] });
  const document: unknown = { uri, languageId: 'markdown', lineCount: lines.length, lineAt };
  const find = (_: unknown, path: string) => findInWorkspace(path);
  const links = new DocumentLinks({
    look: async (_, path) => ((await findInWorkspace(path))[0] ? {} : undefined),
    find,
  });
  const token: unknown = { isCancellationRequested: false };
  const found = await links.provideDocumentLinks(document as vscode.TextDocument, token as vscode.CancellationToken);
  const places = await Promise.all((found ?? []).map((link) => find(link.key, link.text)));
  links.dispose();
  return [...new Set(places.flat().map(described))];
}

function open(system: keyof typeof roots): void {
  openFolder(roots[system], ...exampleFiles.map((file) => `${roots[system]}/${file}`), ...otherFiles);
}

const casesOf = (name: 'links' | 'no-links') =>
  readLinkForms(name).flatMap((row) =>
    row.examples.flatMap((example) => systemsOf(row, example).map((system) => [example, system, row.opens] as const)),
  );

describe('a link to a file, in each form that docs/content.md lists', () => {
  it.each(casesOf('links'))('%s, on %s, opens %s', async (example, system, opens) => {
    open(system);
    expect(await openedFromPage(example)).toEqual([opens]);
    expect(await openedFromDocument(example)).toEqual([opens]);
  });

  it('includes every file of the examples', () => {
    const opened = readLinkForms('links').map(({ opens }) => /^`([^`]+)`/.exec(opens)?.[1]);
    expect(exampleFiles.filter((file) => !opened.includes(file))).toEqual([]);
  });
});

describe('a text that is no link to a file', () => {
  it.each(casesOf('no-links'))(
    '%s, on %s, opens nothing, and nothing outside is looked for (R5)',
    async (example, system) => {
      open(system);
      expect(await openedFromPage(example)).toEqual([]);
      expect(await openedFromDocument(example)).toEqual([]);
      expect(played.asked.filter((uri) => !uri.startsWith(`${roots[system]}/`))).toEqual([]);
      expect(played.asked.filter((uri) => otherFiles.includes(uri))).toEqual([]);
    },
  );
});
