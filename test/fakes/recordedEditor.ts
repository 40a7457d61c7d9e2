/**
 * Stands in for the `vscode` module in unit tests of code at the border to the editor: it records what the code asks
 * the editor to do, and answers as the test decides. The real editor is tested in test/e2e.
 *
 *   vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));
 */
import { readFileSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Properties = Readonly<Record<string, { readonly default?: unknown }>>;

/** The settings that a test changed, with their prefix. The others have the defaults of the manifest. */
export const configured = new Map<string, unknown>();
const topics = (
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
    readonly contributes: { readonly configuration: readonly { readonly properties: Properties }[] };
  }
).contributes.configuration;
const properties: Properties = Object.fromEntries(topics.flatMap((topic) => Object.entries(topic.properties)));

/** A URI, as far as the code under test uses it. */
export class Uri {
  readonly #url: URL;

  private constructor(url: URL) {
    this.#url = url;
  }

  static parse(text: string): Uri {
    return new Uri(new URL(text));
  }

  static file(path: string): Uri {
    return new Uri(pathToFileURL(path));
  }

  static from(parts: { readonly scheme: string; readonly path: string; readonly query?: string }): Uri {
    const url = new URL(`${parts.scheme}:${parts.path}`);
    if (parts.query !== undefined) url.search = parts.query;
    return new Uri(url);
  }

  static joinPath(uri: Uri, ...parts: readonly string[]): Uri {
    return Uri.file(join(uri.fsPath, ...parts));
  }

  get scheme(): string {
    return this.#url.protocol.slice(0, -1);
  }

  get authority(): string {
    return this.#url.host;
  }

  get path(): string {
    return decodeURIComponent(this.#url.pathname);
  }

  get query(): string {
    return decodeURIComponent(this.#url.search.slice(1));
  }

  get fsPath(): string {
    return fileURLToPath(this.#url);
  }

  toString(): string {
    return this.#url.href;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

/** The calls of the code under test, in order. Tests clear the list. */
export const recorded: { readonly what: string; readonly args: readonly unknown[] }[] = [];
/** The text on the clipboard. */
export const clipboard = { text: '' };
/** The button that the person clicks in the next notifications and dialogs. */
export const person: { clicks: string | undefined } = { clicks: undefined };

function record(what: string) {
  return (...args: readonly unknown[]): Promise<string | undefined> => {
    recorded.push({ what, args });
    return Promise.resolve(person.clicks);
  };
}

export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const DiagnosticSeverity = {};
export const UIKind = { Desktop: 1, Web: 2 } as const;
export const ExtensionKind = { UI: 1, Workspace: 2 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export class TreeItem {
  readonly label: string;

  constructor(label: string) {
    this.label = label;
  }
}

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor extends ThemeIcon {}

export class MarkdownString {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}
export const env = {
  uiKind: UIKind.Desktop as number,
  openExternal: record('openExternal'),
  clipboard: { writeText: record('copy'), readText: () => Promise.resolve(clipboard.text) },
};
export const commands = { executeCommand: record('command') };
export const l10n = { t: (text: string): string => text };
export const window = {
  showErrorMessage: record('error'),
  showInformationMessage: record('information'),
  showWarningMessage: record('warning'),
  createTerminal: (options: object) => {
    void record('terminal')(options);
    return { show: () => undefined };
  },
  tabGroups: { all: [] },
  activeTextEditor: undefined as object | undefined,
  visibleTextEditors: [] as readonly object[],
};
export const workspace = {
  isTrusted: true,
  workspaceFolders: [] as { readonly uri: Uri; readonly name: string }[],
  textDocuments: [],
  getConfiguration: (section: string) => ({
    get: (name: string, usual?: unknown) =>
      configured.get(`${section}.${name}`) ?? properties[`${section}.${name}`]?.default ?? usual,
  }),
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders.find((folder) => uri.toString().startsWith(`${folder.uri.toString()}/`)),
  fs: {
    isWritableFileSystem: (): boolean => true,
    stat: async (uri: Uri) => {
      const [found, link] = [await stat(uri.fsPath), await lstat(uri.fsPath)];
      const type = found.isFile() ? FileType.File : FileType.Directory;
      return { type: link.isSymbolicLink() ? type | FileType.SymbolicLink : type, size: found.size };
    },
  },
};
