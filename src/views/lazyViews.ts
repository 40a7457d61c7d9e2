import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { type FileScheme, fileSchemes, type FileSource, ReadOnlyFileSystem } from '../host/readOnlyFiles/fileSystem.ts';
import type { TreeRow } from '../state/sessions/tree.ts';
import { SessionDrop } from './sessions/sessionDrop.ts';
import { viewIds } from './viewIds.ts';

/** The providers of the views that are registered at activation. */
export interface ViewProviders {
  readonly sessions: vscode.TreeDataProvider<TreeRow>;
  readonly conversation: vscode.WebviewViewProvider;
  readonly editors: vscode.WebviewPanelSerializer;
  readonly usage: vscode.WebviewPanelSerializer;
  readonly files: Readonly<Record<FileScheme, FileSource>>;
}

/** Registers all views at activation, and loads their providers when the first view is shown. */
export class LazyViewRegistrations implements Disposable {
  /** The Sessions tree view. Its provider sets the message, description, and badge. */
  readonly treeView: vscode.TreeView<TreeRow>;
  readonly #providers: () => Promise<ViewProviders>;
  readonly #disposables = new Disposables();
  readonly #treeChanges = this.#disposables.add(new vscode.EventEmitter<TreeRow | TreeRow[] | undefined>());
  #forwarded: ViewProviders | undefined;

  constructor(providers: () => Promise<ViewProviders>) {
    this.#providers = providers;
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
          this.#drawUnlessClosed(view, ({ conversation }) => conversation.resolveWebviewView(view, context, token)),
      }),
    );
    for (const name of ['conversationEditor', 'usage'] as const) this.#registerTabs(name);
    for (const scheme of Object.values(fileSchemes)) {
      own.add(new ReadOnlyFileSystem(scheme, async () => (await providers()).files[scheme]));
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #tree(): vscode.TreeDataProvider<TreeRow> {
    return {
      onDidChangeTreeData: this.#treeChanges.event,
      getChildren: async (row) => (await this.#loadTree()).getChildren(row),
      getTreeItem: async (row) => (await this.#loadTree()).getTreeItem(row),
      getParent: async (row) => (await this.#loadTree()).getParent?.(row),
    };
  }

  async #loadTree(): Promise<vscode.TreeDataProvider<TreeRow>> {
    const providers = await this.#providers();
    const { onDidChangeTreeData } = providers.sessions;
    if (this.#forwarded !== providers && onDidChangeTreeData) {
      this.#disposables.add(onDidChangeTreeData((rows) => this.#treeChanges.fire(rows ?? undefined)));
    }
    this.#forwarded = providers;
    return providers.sessions;
  }

  /** Registers the serializer that restores tabs of one type after a reload. */
  #registerTabs(name: 'conversationEditor' | 'usage'): void {
    const restored = ({ editors, usage }: ViewProviders) => (name === 'usage' ? usage : editors);
    const deserializeWebviewPanel = (panel: vscode.WebviewPanel, state: unknown) =>
      this.#drawUnlessClosed(panel, (providers) => restored(providers).deserializeWebviewPanel(panel, state));
    this.#disposables.add(vscode.window.registerWebviewPanelSerializer(viewIds[name], { deserializeWebviewPanel }));
  }

  /** Calls `draw` unless the view is closed before its provider is loaded. */
  async #drawUnlessClosed(
    view: vscode.WebviewView | vscode.WebviewPanel,
    draw: (providers: ViewProviders) => Thenable<void> | void,
  ): Promise<void> {
    const waiting = new Disposables();
    waiting.add(view.onDidDispose(() => waiting.dispose()));
    const providers = await this.#providers();
    if (!waiting.isDisposed) await draw(providers);
    waiting.dispose();
  }
}
