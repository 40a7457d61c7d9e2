import * as vscode from 'vscode';
import type { Lazy } from '../shared/lazy.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import {
  type FileScheme,
  fileSchemes,
  type FileSource,
  ReadOnlyFileSystem,
} from '../host/readOnlyFiles/readOnlyFileSystem.ts';
import type { TreeRow } from '../state/sessions/sessionTree.ts';
import type { PageResources } from './conversation/pageResources.ts';
import type { ConversationProvider } from './conversation/pageWebview.ts';
import { dropTypes } from './sessions/dropTypes.ts';
import type { SessionDrop } from './sessions/sessionDrop.ts';
import { viewIds } from './viewIds.ts';

/** The providers of the views that are registered at activation. */
export interface ViewProviders {
  readonly sessions: vscode.TreeDataProvider<TreeRow>;
  readonly conversation: ConversationProvider<vscode.WebviewView>;
  readonly editors: ConversationProvider<vscode.WebviewPanel>;
  readonly usage: vscode.WebviewPanelSerializer;
  readonly drop: SessionDrop;
  readonly files: Readonly<Record<FileScheme, FileSource>>;
}

/**
 * Registers all views at activation, and loads their providers when the first view is shown. Building
 * a webview takes VS Code a while, so conversation pages start to load before their provider does.
 */
export class LazyViewRegistrations implements Disposable {
  /** The Sessions tree view. Its provider sets the message, description, and badge. */
  readonly treeView: vscode.TreeView<TreeRow>;
  readonly #providers: () => Promise<ViewProviders>;
  readonly #resources: Lazy<PageResources>;
  readonly #disposables = new Disposables();
  readonly #treeChanges = this.#disposables.add(new vscode.EventEmitter<TreeRow | TreeRow[] | undefined>());
  #forwarded: ViewProviders | undefined;

  constructor(resources: Lazy<PageResources>, providers: () => Promise<ViewProviders>) {
    this.#resources = resources;
    this.#providers = providers;
    const own = this.#disposables;
    this.treeView = own.add(
      vscode.window.createTreeView(viewIds.sessions, {
        treeDataProvider: this.#tree(),
        showCollapseAll: true,
        canSelectMany: true,
        dragAndDropController: {
          dropMimeTypes: Object.values(dropTypes),
          dragMimeTypes: [],
          handleDrop: async (row, dropped) => (await providers()).drop.handle(row, dropped),
        },
      }),
    );
    own.add(
      vscode.window.registerWebviewViewProvider(viewIds.conversation, {
        resolveWebviewView: async (view, { state }) => {
          const page = (await this.#resources.get()).loadConversation(view.webview, 'view');
          return this.#showUnlessClosed(view, ({ conversation }) => conversation.show(view, page, state));
        },
      }),
    );
    this.#restoreTabs(viewIds.conversationEditor, async (panel, state) => {
      const page = (await this.#resources.get()).loadConversation(panel.webview, 'editor');
      return this.#showUnlessClosed(panel, ({ editors }) => editors.show(panel, page, state));
    });
    this.#restoreTabs(viewIds.usage, (panel, state) =>
      this.#showUnlessClosed(panel, ({ usage }) => usage.deserializeWebviewPanel(panel, state)),
    );
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
      resolveTreeItem: async (item, row, token) =>
        (await (await this.#loadTree()).resolveTreeItem?.(item, row, token)) ?? item,
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
  #restoreTabs(viewType: string, restore: vscode.WebviewPanelSerializer['deserializeWebviewPanel']): void {
    const serializer = { deserializeWebviewPanel: restore };
    this.#disposables.add(vscode.window.registerWebviewPanelSerializer(viewType, serializer));
  }

  /** Calls `show` unless the view is closed before its provider is loaded. */
  async #showUnlessClosed(
    view: vscode.WebviewView | vscode.WebviewPanel,
    show: (providers: ViewProviders) => Thenable<void> | void,
  ): Promise<void> {
    const waiting = new Disposables();
    waiting.add(view.onDidDispose(() => waiting.dispose()));
    const providers = await this.#providers();
    if (!waiting.isDisposed) await show(providers);
    waiting.dispose();
  }
}
