/**
 * Replaces the `vscode` module in unit tests of code that calls the editor: it records what the code asks the editor to
 * do, and returns what the test decides. The real editor is tested in test/e2e.
 *
 *   vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));
 */
import { readFileSync } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Emitter } from '../../src/shared/lifecycle.ts';

type Properties = Readonly<Record<string, { readonly default?: unknown }>>;

/** The settings that a test changed, by their full names. The others have the defaults of the manifest. */
export const configured = new Map<string, unknown>();
const topics = (
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8')) as {
    readonly contributes: { readonly configuration: readonly { readonly properties: Properties }[] };
  }
).contributes.configuration;
const properties: Properties = Object.fromEntries(topics.flatMap((topic) => Object.entries(topic.properties)));

/** The part of VS Code's `Uri` that the code under test uses. */
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

  compareTo(other: Position): number {
    return this.line - other.line || this.character - other.character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position);
  constructor(line: number, character: number, endLine: number, endCharacter: number);
  constructor(start: Position | number, end: Position | number, endLine = 0, endCharacter = 0) {
    const isWritten = typeof start === 'number' || typeof end === 'number';
    this.start = isWritten ? new Position(Number(start), Number(end)) : start;
    this.end = isWritten ? new Position(endLine, endCharacter) : end;
  }

  get isEmpty(): boolean {
    return this.start.compareTo(this.end) === 0;
  }

  contains(position: Position): boolean {
    return this.start.compareTo(position) <= 0 && position.compareTo(this.end) <= 0;
  }

  /** As in VS Code, ranges that touch have an empty one in common. */
  intersection(other: Range): Range | undefined {
    const start = this.start.compareTo(other.start) > 0 ? this.start : other.start;
    const end = this.end.compareTo(other.end) < 0 ? this.end : other.end;
    return start.compareTo(end) > 0 ? undefined : new Range(start, end);
  }
}

export class DocumentLink {
  readonly range: Range;
  readonly target: unknown;

  constructor(range: Range, target: unknown) {
    this.range = range;
    this.target = target;
  }
}

/** The calls of the code under test, in order. Tests clear the list. */
export const recorded: { readonly what: string; readonly args: readonly unknown[] }[] = [];
/**
 * The cancellation token of work. If the work can be canceled and `person.clicks` is `Cancel`, the person clicks Cancel
 * as soon as the work listens for that.
 */
class CancellationToken {
  isCancellationRequested = false;
  readonly #isCancellable: boolean;

  constructor(isCancellable: boolean) {
    this.#isCancellable = isCancellable;
  }

  readonly onCancellationRequested = (cancel: () => void): { dispose(): void } => {
    if (this.#isCancellable && person.clicks === 'Cancel') {
      this.isCancellationRequested = true;
      cancel();
    }
    return { dispose: () => undefined };
  };
}

/** The text on the clipboard. */
export const clipboard = { text: '' };
/**
 * What the person does in the next notifications, dialogs, and pickers: the label of the button or row that they click,
 * the text that they type in pickers, and the labels of the rows whose checkboxes they toggle.
 */
export const person: {
  clicks: string | undefined;
  types?: string | undefined;
  toggles?: readonly string[] | undefined;
} = {
  clicks: undefined,
};

function record(what: string) {
  return (...args: readonly unknown[]): Promise<unknown> => {
    recorded.push({ what, args });
    return Promise.resolve(undefined);
  };
}

/**
 * A notification or dialog, in which the person clicks the button with the label `person.clicks` if it is there, or
 * else closes it.
 */
function ask(what: string) {
  return (...args: readonly unknown[]): Promise<unknown> => {
    recorded.push({ what, args });
    const [, ...buttons] = args;
    return Promise.resolve(buttons.find((button) => person.clicks !== undefined && titleOf(button) === person.clicks));
  };
}

/** The label of a button. Returns anything else, such as the options of a dialog, unchanged. */
function titleOf(button: unknown): unknown {
  return typeof button === 'object' && button !== null && 'title' in button ? button.title : button;
}

/** A picker, in which the person clicks the row with the label `person.clicks`, or else presses Escape. */
class QuickPick {
  title = '';
  value = '';
  placeholder: string | undefined;
  items: readonly { readonly label: string }[] = [];
  activeItems: readonly { readonly label: string }[] = [];
  canSelectMany = false;
  selectedItems: readonly { readonly label: string }[] = [];
  #change: (text: string) => void = () => undefined;
  #accept: () => void = () => undefined;
  #hide: () => void = () => undefined;

  onDidAccept(listener: () => void): void {
    this.#accept = listener;
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  onDidTriggerButton(): void {
    // The person clicks no buttons of pickers.
  }

  onDidChangeValue(listener: (text: string) => void): void {
    this.#change = listener;
  }

  show(): void {
    recorded.push({ what: 'picker', args: [this.title, this.items, this.activeItems, this.placeholder] });
    if (person.types !== undefined) {
      this.#change(person.types);
      recorded.push({ what: 'picker', args: [this.title, this.items, this.activeItems, this.placeholder] });
    }
    if (this.canSelectMany) {
      this.#selectMany();
      return;
    }
    const clicked = this.items.find(({ label }) => label === person.clicks);
    if (!clicked) {
      this.#hide();
      return;
    }
    this.activeItems = [clicked];
    this.#accept();
  }

  /** The person toggles checkboxes, and then presses Enter or, without `person.toggles`, Escape. */
  #selectMany(): void {
    if (!person.toggles) {
      this.#hide();
      return;
    }
    for (const label of person.toggles) {
      const others = this.selectedItems.filter((item) => item.label !== label);
      const added = others.length < this.selectedItems.length ? [] : this.items.filter((item) => item.label === label);
      this.selectedItems = [...others, ...added];
    }
    this.#accept();
  }

  dispose(): void {
    // This picker holds nothing to dispose.
  }
}

/** An input box, in which the person types one character and then presses Escape. */
class InputBox {
  title = '';
  prompt = '';
  validationMessage: object | undefined;
  #change: (text: string) => void = () => undefined;
  #hide: () => void = () => undefined;

  onDidAccept(): void {
    // The person doesn't press Enter.
  }

  onDidHide(listener: () => void): void {
    this.#hide = listener;
  }

  onDidTriggerButton(): void {
    // The person clicks no buttons of input boxes.
  }

  onDidChangeValue(listener: (text: string) => void): void {
    this.#change = listener;
  }

  /** Shows the box, and the person types one character. */
  show(): void {
    recorded.push({ what: 'inputBox', args: [this.title, this.prompt, this.validationMessage] });
    this.#change('x');
    recorded.push({ what: 'validation', args: [this.validationMessage] });
    this.#hide();
  }

  dispose(): void {
    // This input box holds nothing to dispose.
  }
}

export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 } as const;
export const QuickInputButtons = { Back: {} } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;
export const ViewColumn = { Active: -1 } as const;
export const ProgressLocation = { Window: 10, Notification: 15 } as const;
export const SymbolKind = { 4: 'Class', 5: 'Method', 11: 'Function', 21: 'EnumMember' } as const;
export const OverviewRulerLane = { Left: 1 } as const;
export const FilePermission = { Readonly: 1 } as const;
export const FileChangeType = { Changed: 1, Created: 2, Deleted: 3 } as const;
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
  uriScheme: 'vscode',
  openExternal: async (uri: Uri): Promise<boolean> => {
    await record('openExternal')(uri);
    return true;
  },
  clipboard: { writeText: record('copy'), readText: () => Promise.resolve(clipboard.text) },
};
export const commands = { executeCommand: record('command') };
/** The extensions of the window, by their IDs. Tests add those that they need. */
export const installed = new Map<string, object>();
export const extensions = { getExtension: (id: string): object | undefined => installed.get(id) };
export const languages = {
  registerDocumentLinkProvider: (..._args: readonly unknown[]) => ({ dispose: () => undefined }),
  setTextDocumentLanguage: record('language'),
  getLanguages: () => Promise.resolve(['markdown', 'plaintext', 'python']),
};
export const l10n = { t: (text: string): string => text };
/** What the editor reports when other editors become visible or active. */
export const editorEvents = new Emitter<object>();
export const window = {
  showErrorMessage: ask('error'),
  showInformationMessage: ask('information'),
  showWarningMessage: ask('warning'),
  showTextDocument: record('document'),
  createQuickPick: () => new QuickPick(),
  createInputBox: () => new InputBox(),
  /** The person selects the row with the label `person.clicks`, or else presses Escape. */
  showQuickPick: (items: readonly { readonly label: string }[], ...more: readonly unknown[]) => {
    recorded.push({ what: 'quickPick', args: [items, ...more] });
    return Promise.resolve(items.find(({ label }) => label === person.clicks));
  },
  /** Runs the work, and cancels it if the person clicks Cancel. */
  withProgress: <T>(
    { title, cancellable = false }: { readonly title: string; readonly cancellable?: boolean },
    run: (progress: object, token: object) => Promise<T>,
  ) => {
    recorded.push({ what: 'progress', args: [title] });
    return run({ report: () => undefined }, new CancellationToken(cancellable));
  },
  /** Tests of panels replace this function. */
  createWebviewPanel: (_viewType: string, title: string, _place: unknown): object => ({ title }),
  createTerminal: (options: object) => {
    void record('terminal')(options);
    return { show: () => undefined };
  },
  createTextEditorDecorationType: (options: object) => {
    void record('decoration')(options);
    return { dispose: () => undefined };
  },
  registerFileDecorationProvider: () => ({ dispose: () => undefined }),
  onDidChangeVisibleTextEditors: editorEvents.event,
  onDidChangeActiveTextEditor: editorEvents.event,
  tabGroups: { all: [] },
  state: { focused: true },
  activeTextEditor: undefined as object | undefined,
  visibleTextEditors: [] as readonly object[],
};
/** The events for files that were created, changed, or deleted. */
export const fileEvents = new Emitter<Uri>();
/** The events for documents whose text has changed. */
export const textEvents = new Emitter<{ readonly document: object }>();
/** The events for documents that were opened. */
export const openEvents = new Emitter<object>();
/** The events for documents that were closed. */
export const closeEvents = new Emitter<object>();
/** The events for documents that were saved. */
export const saveEvents = new Emitter<{ readonly uri: Uri }>();
/** What the editor reports when the user trusts the workspace. */
export const trustEvents = new Emitter<void>();
/** What the editor reports when workspace folders are added or removed. */
export const folderEvents = new Emitter<object>();

const configurationChanges = new Emitter<{ affectsConfiguration(name: string): boolean }>();

/** Changes a setting, as a user does. */
export function configure(name: string, value: unknown): void {
  configured.set(name, value);
  configurationChanges.fire({ affectsConfiguration: (section) => `${name}.`.startsWith(`${section}.`) });
}

export const workspace = {
  isTrusted: true,
  createFileSystemWatcher: () => ({
    onDidCreate: fileEvents.event,
    onDidDelete: fileEvents.event,
    onDidChange: fileEvents.event,
    dispose: () => undefined,
  }),
  onDidChangeWorkspaceFolders: folderEvents.event,
  onDidChangeTextDocument: textEvents.event,
  onDidOpenTextDocument: openEvents.event,
  onDidCloseTextDocument: closeEvents.event,
  onDidSaveTextDocument: saveEvents.event,
  onDidGrantWorkspaceTrust: trustEvents.event,
  workspaceFolders: [] as { readonly uri: Uri; readonly name: string }[],
  textDocuments: [],
  openTextDocument: record('open') as (given: object) => Promise<unknown>,
  getConfiguration: (section: string) => ({
    get: (name: string, usual?: unknown) =>
      configured.get(`${section}.${name}`) ?? properties[`${section}.${name}`]?.default ?? usual,
  }),
  onDidChangeConfiguration: configurationChanges.event,
  decode: (bytes: Uint8Array) => {
    const encoding = configured.get('files.encoding');
    return Promise.resolve(new TextDecoder(typeof encoding === 'string' ? encoding : 'utf8').decode(bytes));
  },
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders.find((folder) => `${uri.toString()}/`.startsWith(`${folder.uri.toString()}/`)),
  fs: {
    isWritableFileSystem: (): boolean => true,
    stat: async (uri: Uri): Promise<{ type: number; size: number; mtime?: number }> => {
      const [found, link] = [await stat(uri.fsPath), await lstat(uri.fsPath)];
      const type = found.isFile() ? FileType.File : FileType.Directory;
      return {
        type: link.isSymbolicLink() ? type | FileType.SymbolicLink : type,
        size: found.size,
        mtime: found.mtimeMs,
      };
    },
    readFile: (uri: Uri) => readFile(uri.fsPath),
    readDirectory: async (uri: Uri): Promise<[string, number][]> => {
      const entries = await readdir(uri.fsPath, { withFileTypes: true });
      return entries.map((entry) => {
        if (entry.isSymbolicLink()) return [entry.name, FileType.SymbolicLink];
        return [entry.name, entry.isDirectory() ? FileType.Directory : FileType.File];
      });
    },
  },
};
