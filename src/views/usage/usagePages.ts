import * as vscode from 'vscode';
import { showError } from '../../host/prompts/notify.ts';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { reasonOf } from '../../shared/log.ts';
import { pageStateSchema } from '../../shared/protocol/pageMessages.ts';
import { type UsageHostMessage, usagePageMessageSchema } from '../../shared/protocol/usageMessages.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { describeUsage } from '../../state/presentation/describeUsage.ts';
import { type SessionKey, keyText, sameSession } from '../../state/store/sessionKey.ts';
import type { PageResources } from '../conversation/pageResources.ts';
import { viewIds } from '../viewIds.ts';
import type { ViewServices } from '../viewServices.ts';
import { exportUsage } from './exportUsage.ts';

/**
 * Shows token usage in editor tabs, one for each session. A tab is updated while it is visible, and restored after a
 * reload.
 */
export class UsagePages implements vscode.WebviewPanelSerializer, Disposable {
  readonly #resources: PageResources;
  readonly #services: ViewServices;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #disposables = new Disposables();

  constructor(resources: PageResources, services: ViewServices) {
    this.#resources = resources;
    this.#services = services;
  }

  /** Shows the usage of a session in its tab, and opens the tab if necessary. */
  open(key: SessionKey): void {
    const known = this.#panels.get(keyText(key));
    if (known) known.reveal();
    else this.#adopt(vscode.window.createWebviewPanel(viewIds.usage, '', vscode.ViewColumn.Active), key);
  }

  /** Called by VS Code when a tab that was open before a reload first becomes visible. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = pageStateSchema.safeParse(state);
    const { origin, sessionId } = kept.success ? kept.data : {};
    if (origin === undefined || sessionId === undefined) panel.dispose();
    // VS Code restores a hidden tab when it is shown, and its session may have a second tab by then.
    else if (!panel.active && this.#panels.get(keyText({ origin, sessionId }))?.active) panel.dispose();
    else this.#adopt(panel, { origin, sessionId });
    return Promise.resolve();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#panels.clear();
  }

  #adopt(panel: vscode.WebviewPanel, key: SessionKey): void {
    const { store, usage, sessions, lifecycle } = this.#services;
    void lifecycle.start();
    const owned = this.#disposables.add(new Disposables());
    let subscription = sessions.watch(key, false);
    owned.add({ dispose: () => subscription.dispose() });
    const isOurs = (other: SessionKey) => sameSession(key, other);
    const show = () => void this.#show(panel, key);
    owned.add(
      store.onDidChange(
        (change) => (change.type === 'sessionList' || ('key' in change && isOurs(change.key))) && show(),
      ),
    );
    owned.add(usage.onDidChange((other) => isOurs(other) && show()));
    owned.add(
      panel.onDidChangeViewState(() => {
        subscription.dispose();
        if (panel.visible) subscription = sessions.watch(key, false);
      }),
    );
    const page = this.#resources.loadUsage(panel.webview);
    owned.add(page.onDidReceiveMessage((message) => this.#receive(message, panel, key)));
    const previous = this.#panels.get(keyText(key));
    this.#panels.set(keyText(key), panel);
    previous?.dispose();
    panel.onDidDispose(() => {
      if (this.#panels.get(keyText(key)) === panel) this.#panels.delete(keyText(key));
      owned.dispose();
    });
    panel.iconPath = new vscode.ThemeIcon('graph');
    this.#retitle(panel, key);
  }

  #receive(raw: unknown, panel: vscode.WebviewPanel, key: SessionKey): void {
    const { log, t } = this.#services;
    const parsed = usagePageMessageSchema.safeParse(raw);
    if (!parsed.success) {
      log.warn('dropped a message from the usage page that does not match the protocol');
      return;
    }
    switch (parsed.data.type) {
      case 'ready':
        void this.#show(panel, key);
        return;
      case 'exportCsv':
        exportUsage(this.#services, key).catch((error: unknown) => {
          void showError(t("Couldn't write the file."));
          log.error(`could not export the token usage: ${reasonOf(error)}`);
        });
        return;
      case 'failed':
        log.error(`the usage page failed: ${parsed.data.reason}`);
    }
  }

  async #show(panel: vscode.WebviewPanel, key: SessionKey): Promise<void> {
    const { store, usage, t } = this.#services;
    this.#retitle(panel, key);
    const samples = await usage.read(key);
    const record = store.record(key);
    if (!record || this.#panels.get(keyText(key)) !== panel || !panel.visible) return;
    const titleOf = (sessionId: string) => {
      const other = store.record({ origin: key.origin, sessionId });
      return other && sessionTitle(other);
    };
    const message: UsageHostMessage = { type: 'usage', usage: describeUsage(record, samples, { t, titleOf }) };
    await panel.webview.postMessage(message);
  }

  #retitle(panel: vscode.WebviewPanel, key: SessionKey): void {
    const record = this.#services.store.record(key);
    // The tab keeps its title if the session was removed from the list, or if its service isn't connected.
    if (!record && panel.title !== '') return;
    panel.title = this.#services.t('Usage: {0}', record ? sessionTitle(record) : key.sessionId);
  }
}
