import * as vscode from 'vscode';
import { type Disposable, Disposables, type Event } from '../../shared/lifecycle.ts';
import type { Log } from '../../shared/log.ts';
import { pageStateSchema } from '../../shared/protocol/pageMessages.ts';
import { type UsageHostMessage, usagePageMessageSchema } from '../../shared/protocol/usageMessages.ts';
import { sessionTitle } from '../../state/presentation/session.ts';
import { type UsageWords, describeUsage } from '../../state/presentation/usage.ts';
import { type SessionKey, keyText, sameSession } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';
import type { UsageSample } from '../../state/store/usage.ts';
import type { Translate } from '../../shared/text.ts';
import { pageHtml, pageOptions } from '../conversation/pageResources.ts';
import { viewIds } from '../viewIds.ts';

/** The readings kept of sessions. */
export interface UsageHistory {
  read(key: SessionKey): Promise<readonly UsageSample[]>;
  readonly onDidChange: Event<SessionKey>;
}

export interface UsagePagesOptions {
  readonly store: Store;
  readonly extensionUri: vscode.Uri;
  readonly usage: UsageHistory;
  readonly watch: (key: SessionKey, wantsMessages: boolean) => Disposable;
  readonly exportUsage: (key: SessionKey) => Promise<void>;
  readonly onFirstLook: () => void;
  readonly t: Translate;
  readonly log: Log;
}

/** What sessions used, in editor tabs: one for each session, up to date while visible, restored after a reload. */
export class UsagePages implements vscode.WebviewPanelSerializer, Disposable {
  readonly #options: UsagePagesOptions;
  readonly #panels = new Map<string, vscode.WebviewPanel>();
  readonly #disposables = new Disposables();

  constructor(options: UsagePagesOptions) {
    this.#options = options;
  }

  /** Shows the usage of a session in its tab; opens the tab where there is none. */
  open(key: SessionKey): void {
    const known = this.#panels.get(keyText(key));
    if (known) known.reveal();
    else this.#adopt(vscode.window.createWebviewPanel(viewIds.usage, '', vscode.ViewColumn.Active), key);
  }

  /** Called by the editor for each tab that was open before a reload. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const kept = pageStateSchema.safeParse(state);
    const { origin, sessionId } = kept.success ? kept.data : {};
    if (origin === undefined || sessionId === undefined) panel.dispose();
    else this.#adopt(panel, { origin, sessionId });
    return Promise.resolve();
  }

  dispose(): void {
    this.#disposables.dispose();
    this.#panels.clear();
  }

  #adopt(panel: vscode.WebviewPanel, key: SessionKey): void {
    const { store, extensionUri, usage, watch, onFirstLook, t } = this.#options;
    onFirstLook();
    const owned = this.#disposables.add(new Disposables());
    let watching = watch(key, false);
    owned.add({ dispose: () => watching.dispose() });
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
        watching.dispose();
        if (panel.visible) watching = watch(key, false);
      }),
    );
    owned.add(panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message, panel, key)));
    this.#panels.set(keyText(key), panel);
    panel.onDidDispose(() => {
      this.#panels.delete(keyText(key));
      owned.dispose();
    });
    panel.iconPath = new vscode.ThemeIcon('graph');
    panel.webview.options = pageOptions(extensionUri);
    panel.webview.html = pageHtml(panel.webview, extensionUri, 'editor', 'usage', t('Token usage'));
    this.#retitle(panel, key);
  }

  #receive(raw: unknown, panel: vscode.WebviewPanel, key: SessionKey): void {
    const { exportUsage, log } = this.#options;
    const parsed = usagePageMessageSchema.safeParse(raw);
    if (!parsed.success) {
      log.warn('the usage page posted something that is not in the protocol; it was dropped');
      return;
    }
    switch (parsed.data.type) {
      case 'ready':
        void this.#show(panel, key);
        return;
      case 'exportCsv':
        exportUsage(key).catch((error: unknown) => {
          void vscode.window.showErrorMessage(this.#options.t('The file could not be written.'));
          log.error(`the usage could not be exported: ${error instanceof Error ? error.message : 'unknown'}`);
        });
        return;
      case 'failed':
        log.error(`the usage page failed: ${parsed.data.reason}`);
    }
  }

  async #show(panel: vscode.WebviewPanel, key: SessionKey): Promise<void> {
    const { store, usage, t } = this.#options;
    this.#retitle(panel, key);
    const samples = await usage.read(key);
    const record = store.record(key);
    if (!record || !this.#panels.has(keyText(key)) || !panel.visible) return;
    const titleOf = (sessionId: string) => {
      const other = store.record({ origin: key.origin, sessionId });
      return other && sessionTitle(other);
    };
    const words = { ...numberWords(vscode.env.language), t, titleOf };
    const message: UsageHostMessage = { type: 'usage', usage: describeUsage(record, samples, words) };
    await panel.webview.postMessage(message);
  }

  #retitle(panel: vscode.WebviewPanel, key: SessionKey): void {
    const record = this.#options.store.record(key);
    // One whose service is not the one in use now keeps the title it had.
    if (!record && panel.title !== '') return;
    panel.title = this.#options.t('Usage: {0}', record ? sessionTitle(record) : key.sessionId);
  }
}

/** How numbers and times are written in a language. */
function numberWords(locale: string): Omit<UsageWords, 't' | 'titleOf'> {
  const dateTimes = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    number: (value) => value.toLocaleString(locale, { maximumFractionDigits: 4 }),
    shortNumber: (value) => value.toLocaleString(locale, { notation: 'compact', maximumFractionDigits: 1 }),
    dateTime: (timeMs) => dateTimes.format(timeMs),
    timeRange: (fromMs, toMs) => dateTimes.formatRange(fromMs, toMs),
  };
}
