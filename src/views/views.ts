import * as vscode from 'vscode';
import { composerSettings, onDidChangePageSettings, readChatFonts, readSettings } from '../host/settings.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { maxPageBytes } from '../shared/protocol/composerProtocol.ts';
import type { Translate } from '../shared/text.ts';
import type { TreeRow } from '../state/sessions/tree.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import { ContextKeyUpdater } from './contextKeyUpdater.ts';
import { ConversationEditors } from './conversation/conversationEditors.ts';
import { ConversationPage, type PageRequest } from './conversation/conversationPage.ts';
import { ConversationView } from './conversation/conversationView.ts';
import { pageWords } from './conversation/pageStrings.ts';
import type { PageSetup } from './conversation/pageUpdates.ts';
import { Navigation } from './navigation.ts';
import { SendProblemCodeActions } from './problemCodeActions.ts';
import { SessionsView } from './sessions/sessionsView.ts';
import { StatusBar } from './statusBar.ts';
import { UsagePages } from './usage/usagePages.ts';
import type { ViewServices } from './viewServices.ts';

/** How long the status bar reports that a page was reloaded. */
const revivedMs = 15_000;

/** Port to the commands room: carries out what conversation pages request. */
export interface PageRequestHandler {
  /** Never rejects: a failure is shown on the page. */
  handle(request: PageRequest, page: ConversationPage): Promise<void>;
}

/** Port to the composer. */
export interface ComposerPort {
  /** The entries of the Attach menu. */
  readonly attachmentMenu: PageSetup['attachmentMenu'];
  /** The error message shown below the composer of a session. */
  problem(key: SessionKey): string | undefined;
}

export interface ViewsOptions {
  readonly services: ViewServices;
  /** The Sessions tree, as registered at activation. */
  readonly treeView: vscode.TreeView<TreeRow>;
  readonly extensionUri: vscode.Uri;
  readonly pageRequests: PageRequestHandler;
  readonly composer: ComposerPort;
}

/** All views of the window. */
export class Views implements Disposable {
  readonly sessions: SessionsView;
  readonly conversation: ConversationView;
  readonly editors: ConversationEditors;
  readonly usage: UsagePages;
  readonly navigation: Navigation;
  readonly #options: ViewsOptions;
  readonly #disposables = new Disposables();

  constructor(options: ViewsOptions) {
    this.#options = options;
    const { services, treeView, extensionUri } = options;
    const { store, sessions, treeOptions, t } = services;
    const own = this.#disposables;
    own.add(new ContextKeyUpdater(store, treeOptions));
    own.add(new SendProblemCodeActions(store, t));
    own.add(new StatusBar(store, sessions, t));
    this.sessions = own.add(new SessionsView(treeView, services));
    const pages = {
      store,
      extensionUri,
      openPage: (webview: vscode.Webview) => this.#openPage(webview),
      watch: (key: SessionKey) => sessions.read(key),
    };
    this.conversation = own.add(new ConversationView(pages));
    this.editors = own.add(new ConversationEditors(pages));
    this.usage = own.add(new UsagePages(extensionUri, services));
    this.navigation = new Navigation(store, this);
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  #openPage(webview: vscode.Webview): ConversationPage {
    const { services, pageRequests, composer } = this.#options;
    const { store, sessions, filters, lifecycle, t, log } = services;
    void lifecycle.ensureStarted();
    return new ConversationPage({
      store,
      webview,
      prepare: (key) => sessions.restoreFromCache(key),
      composerProblem: (key) => composer.problem(key),
      isWhenIdle: () => readSettings().whileRunning === 'whenIdle',
      onRequest: (request, page) => void pageRequests.handle(request, page),
      setup: () => ({ ...pageSetup(t), attachmentMenu: composer.attachmentMenu }),
      onDidChangeSetup: onDidChangePageSettings,
      onRevived: (text) => void vscode.window.setStatusBarMessage(text, revivedMs),
      isFocused: () => vscode.window.state.focused,
      readingOf: (key) => filters.get(key),
      onDidChangeReading: filters.onDidChange,
      t,
      log,
    });
  }
}

/** The settings and strings of a page as they are now. */
function pageSetup(t: Translate): Omit<PageSetup, 'attachmentMenu'> {
  const own = { words: pageWords(t), locale: vscode.env.language, fonts: readChatFonts(), maxPageBytes };
  return { ...own, ...composerSettings(), times: readSettings().times };
}
