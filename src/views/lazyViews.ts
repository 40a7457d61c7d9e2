import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { type FileScheme, fileSchemes, type FileSource, ReadOnlyFileSystem } from '../host/readOnlyFiles/fileSystem.ts';
import type { TreeRow } from '../state/sessions/tree.ts';
import { SessionDrop } from './sessions/sessionDrop.ts';
import { viewIds } from './viewIds.ts';

/** What draws the surfaces that VS Code knows from the start. */
export interface ViewProviders {
  readonly sessions: vscode.TreeDataProvider<TreeRow>;
  readonly conversation: vscode.WebviewViewProvider;
  readonly editors: vscode.WebviewPanelSerializer;
  readonly usage: vscode.WebviewPanelSerializer;
  readonly files: Readonly<Record<FileScheme, FileSource>>;
}

/** Tells VS Code of every surface, so that it finds them; who draws them is asked for when the first one is looked at. */
export class LazyViewRegistrations implements Disposable {
  /** The Sessions tree, for what stands around its rows. */
  readonly treeView: vscode.TreeView<TreeRow>;
  readonly #surfaces: () => Promise<ViewProviders>;
  readonly #disposables = new Disposables();
  readonly #treeChanges = this.#disposables.add(new vscode.EventEmitter<TreeRow | TreeRow[] | undefined>());
  #followed: ViewProviders | undefined;

  constructor(surfaces: () => Promise<ViewProviders>) {
    this.#surfaces = surfaces;
    const own = this.#disposables;
    this.treeView = own.add(
      vscode.window.createTreeView(viewIds.sessions, {
        treeDataProvider: this.#tree(),
        showCollapseAll: true,
        canSelectMany: true,
        dragAndDropController: new SessionDrop(),
      }),
    );
    own.add(
      vscode.window.registerWebviewViewProvider(viewIds.conversation, {
        resolveWebviewView: (view, context, token) =>
          this.#unlessClosed(view, ({ conversation }) => conversation.resolveWebviewView(view, context, token)),
      }),
    );
    for (const name of ['conversationEditor', 'usage'] as const) this.#registerTabs(name);
    for (const scheme of Object.values(fileSchemes)) {
      own.add(new ReadOnlyFileSystem(scheme, async () => (await surfaces()).files[scheme]));
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #tree(): vscode.TreeDataProvider<TreeRow> {
    return {
      onDidChangeTreeData: this.#treeChanges.event,
      getChildren: async (row) => (await this.#followedTree()).getChildren(row),
      getTreeItem: async (row) => (await this.#followedTree()).getTreeItem(row),
      getParent: async (row) => (await this.#followedTree()).getParent?.(row),
    };
  }

  async #followedTree(): Promise<vscode.TreeDataProvider<TreeRow>> {
    const surfaces = await this.#surfaces();
    const { onDidChangeTreeData } = surfaces.sessions;
    if (this.#followed !== surfaces && onDidChangeTreeData) {
      this.#disposables.add(onDidChangeTreeData((rows) => this.#treeChanges.fire(rows ?? undefined)));
    }
    this.#followed = surfaces;
    return surfaces.sessions;
  }

  /** Tabs that were open before a reload come back through these. */
  #registerTabs(name: 'conversationEditor' | 'usage'): void {
    const restored = ({ editors, usage }: ViewProviders) => (name === 'usage' ? usage : editors);
    const deserializeWebviewPanel = (panel: vscode.WebviewPanel, state: unknown) =>
      this.#unlessClosed(panel, (surfaces) => restored(surfaces).deserializeWebviewPanel(panel, state));
    this.#disposables.add(vscode.window.registerWebviewPanelSerializer(viewIds[name], { deserializeWebviewPanel }));
  }

  /** A view may be closed again before anybody is there to draw it. */
  async #unlessClosed(
    view: vscode.WebviewView | vscode.WebviewPanel,
    draw: (surfaces: ViewProviders) => Thenable<void> | void,
  ): Promise<void> {
    const waiting = new Disposables();
    waiting.add(view.onDidDispose(() => waiting.dispose()));
    const surfaces = await this.#surfaces();
    if (!waiting.isDisposed) await draw(surfaces);
    waiting.dispose();
  }
}
