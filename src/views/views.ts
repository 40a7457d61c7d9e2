import * as vscode from 'vscode';
import { onDidChangePageSettings, readChatFonts, readPageSettings } from '../host/settings.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { maxPageBytes } from '../shared/protocol/pageMessages.ts';
import type { PageSetup } from '../shared/protocol/pageModel.ts';
import type { Translate } from '../shared/text.ts';
import type { TreeRow } from '../state/sessions/sessionTree.ts';
import { ContextKeyUpdater } from './contextKeyUpdater.ts';
import { ConversationEditors, type PageHost } from './conversation/conversationEditors.ts';
import { ConversationPage, type PageRequestPort } from './conversation/conversationPage.ts';
import { ConversationView } from './conversation/conversationView.ts';
import type { PageContext } from './conversation/pageContext.ts';
import type { PageResources } from './conversation/pageResources.ts';
import { translatePageStrings } from './conversation/translatePageStrings.ts';
import { Navigation } from './navigation.ts';
import { SendProblemCodeActions } from './sendProblemCodeActions.ts';
import { SessionsView } from './sessions/sessionsView.ts';
import { StatusBar } from './statusBar.ts';
import { UsagePages } from './usage/usagePages.ts';
import type { ViewServices } from './viewServices.ts';

/** Time for which the status bar shows that a page was reloaded. */
const reloadedMs = 15_000;

/** All views of the window. */
export class Views implements Disposable {
  readonly sessions: SessionsView;
  readonly conversation: ConversationView;
  readonly editors: ConversationEditors;
  readonly usage: UsagePages;
  readonly navigation: Navigation;
  readonly #disposables = new Disposables();

  /** @param treeView the Sessions tree, as registered at activation. */
  constructor(
    services: ViewServices,
    treeView: vscode.TreeView<TreeRow>,
    resources: PageResources,
    pageRequests: PageRequestPort,
  ) {
    const { store, sessions, activeConversation, treeOptions, t } = services;
    const own = this.#disposables;
    own.add(new ContextKeyUpdater(store, treeOptions));
    own.add(new SendProblemCodeActions(store, t));
    own.add(new StatusBar(store, sessions, t));
    this.sessions = own.add(new SessionsView(treeView, services));
    const context = pageContext(services, pageRequests);
    const host: PageHost = {
      store,
      resources,
      activeConversation,
      openPage(webview) {
        void services.lifecycle.start();
        return new ConversationPage(webview, context, pageRequests);
      },
      watch: (key) => sessions.read(key),
    };
    this.editors = own.add(new ConversationEditors(host));
    this.conversation = own.add(new ConversationView(host, this.editors));
    this.usage = own.add(new UsagePages(resources, services));
    this.navigation = new Navigation(store, activeConversation, this);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function pageContext(services: ViewServices, pageRequests: PageRequestPort): PageContext {
  const { store, sessions, filters, t, log } = services;
  return {
    store,
    filters,
    composer: pageRequests,
    t,
    log,
    setup: () => ({ ...pageSetup(t), attachmentMenu: pageRequests.attachmentMenu }),
    onDidChangeSetup: onDidChangePageSettings,
    sessions,
    isFocused: () => vscode.window.state.focused,
    showReloaded: (text) => void vscode.window.setStatusBarMessage(text, reloadedMs),
  };
}

/** The current settings and strings of a page. */
function pageSetup(t: Translate): Omit<PageSetup, 'attachmentMenu'> {
  const own = {
    words: translatePageStrings(t),
    locale: vscode.env.language,
    language: t.formats.language,
    fonts: readChatFonts(),
    maxPageBytes,
  };
  return { ...own, ...readPageSettings() };
}
