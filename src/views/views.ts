import * as vscode from 'vscode';
import { maxPageBytes } from '../shared/protocol/pageMessages.ts';
import type { ComposerSettings, PageSetup } from '../shared/protocol/pageModel.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { onDidChangePageSettings, readChatFonts } from '../host/settings.ts';
import type { Log } from '../shared/log.ts';
import type { SessionKey } from '../state/store/sessionKey.ts';
import type { TreeRow } from '../state/sessions/tree.ts';
import type { Store } from '../state/store/store.ts';
import type { Translate } from '../shared/text.ts';
import { ContextKeyUpdater } from './contextKeyUpdater.ts';
import { ConversationEditors } from './conversation/conversationEditors.ts';
import { ConversationPage } from './conversation/conversationPage.ts';
import { ConversationView, type PageHost } from './conversation/conversationView.ts';
import type { PageContext, PageRequestPort } from './conversation/pageContext.ts';
import { translatePageStrings } from './conversation/pageStrings.ts';
import { SendProblemCodeActions } from './problemCodeActions.ts';
import type { ConversationFilters } from './conversation/filters.ts';
import { type Arranging, SessionsView } from './sessions/sessionsView.ts';
import { StatusBar } from './statusBar.ts';
import { type UsageHistory, UsagePages } from './usage/usagePages.ts';

/** How long the status bar shows that a page was reloaded. */
const reloadedMs = 15_000;

export interface ViewsOptions {
  /** Where the rows of the Sessions tree are shown. */
  readonly treeView: vscode.TreeView<TreeRow>;
  readonly store: Store;
  readonly extensionUri: vscode.Uri;
  readonly arranging: Arranging;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
  /** Somebody reads a conversation on screen: it is watched, and marked as read. */
  readonly read: (key: SessionKey) => Disposable;
  readonly showGuests: (parent: SessionKey, childIds: readonly string[]) => void;
  readonly loadOlder: (key: SessionKey) => Promise<void>;
  /** Brings what is known of a session from earlier windows into the store. */
  readonly prepare: (key: SessionKey) => Promise<void>;
  readonly usage: UsageHistory;
  readonly exportUsage: (key: SessionKey) => Promise<void>;
  readonly requests: PageRequestPort;
  readonly composerSettings: () => Omit<ComposerSettings, 'maxPageBytes'>;
  readonly times: () => PageSetup['times'];
  readonly readings: ConversationFilters;
  /** Somebody looks: what is kept has to be read now. */
  readonly onFirstLook: () => void;
  readonly t: Translate;
  readonly log: Log;
}

/** Every surface of the window, put together once. */
export class Views implements Disposable {
  readonly sessions: SessionsView;
  readonly conversation: ConversationView;
  readonly editors: ConversationEditors;
  readonly usage: UsagePages;
  readonly #disposables = new Disposables();

  constructor(options: ViewsOptions) {
    const { store, extensionUri, watch, t } = options;
    const own = this.#disposables;
    const context = pageContext(options);
    own.add(new ContextKeyUpdater(store, options.arranging));
    own.add(new SendProblemCodeActions(store, t));
    own.add(new StatusBar({ store, watch, now: Date.now, t }));
    this.sessions = own.add(new SessionsView({ ...options, now: Date.now }));
    const host: PageHost = {
      store,
      extensionUri,
      openPage(webview) {
        options.onFirstLook();
        return new ConversationPage(webview, context);
      },
      watch: (key) => options.read(key),
    };
    this.conversation = own.add(new ConversationView(host));
    this.editors = own.add(new ConversationEditors(host));
    this.usage = own.add(new UsagePages(options));
  }

  /** The page the person is at: of the active editor tab, else the one in the side bar. */
  get activePage(): ConversationPage | undefined {
    return this.editors.activePage ?? this.conversation.page;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function pageContext(options: ViewsOptions): PageContext {
  const { store, readings, requests, t, log } = options;
  return {
    store,
    filters: readings,
    requests,
    t,
    log,
    setup: () => pageSetup(options),
    onDidChangeSetup: onDidChangePageSettings,
    prepare: (key) => options.prepare(key),
    isFocused: () => vscode.window.state.focused,
    showReloaded: (text) => void vscode.window.setStatusBarMessage(text, reloadedMs),
  };
}

/** The current strings and settings of the page. */
function pageSetup({ composerSettings, times, t }: ViewsOptions): PageSetup {
  const own = { words: translatePageStrings(t), locale: vscode.env.language, fonts: readChatFonts(), maxPageBytes };
  return { ...own, ...composerSettings(), times: times() };
}
