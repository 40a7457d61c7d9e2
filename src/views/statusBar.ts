import * as vscode from 'vscode';
import { DelayedTask } from '../shared/delayedTask.ts';
import { sameValue } from '../shared/equality.ts';
import { type Disposable, Disposables } from '../shared/lifecycle.ts';
import { describeStatusBar } from '../state/presentation/describeStatusBar.ts';
import { type SessionKey, sameSession } from '../state/store/sessionKey.ts';
import type { Store } from '../state/store/store.ts';
import type { Translate } from '../shared/text.ts';
import type { SessionSubscriber } from './ports.ts';

/** Changes within this time are drawn together, because each drawing looks at all sessions. */
const drawAfterMs = 20;

/**
 * The item `lineside.status`: the status of the current session, and the numbers of sessions that are running or need
 * the user. Next to such numbers, an idle status is left out, and so is a running one that they include. A click runs
 * the command that fits what the item shows.
 */
export class StatusBar implements Disposable {
  readonly #item: vscode.StatusBarItem;
  readonly #store: Store;
  readonly #sessions: SessionSubscriber;
  readonly #t: Translate;
  readonly #disposables = new Disposables();
  readonly #drawing = this.#disposables.add(new DelayedTask(drawAfterMs, () => this.#draw()));
  #drawn: ReturnType<typeof describeStatusBar>;
  #watched: { readonly key: SessionKey; readonly handle: Disposable } | undefined;

  constructor(store: Store, sessions: SessionSubscriber, t: Translate) {
    this.#store = store;
    this.#sessions = sessions;
    this.#t = t;
    this.#item = vscode.window.createStatusBarItem('lineside.status', vscode.StatusBarAlignment.Right, 100);
    this.#item.name = t('Lineside Status');
    this.#disposables.add(this.#item);
    this.#disposables.add({ dispose: () => this.#watched?.handle.dispose() });
    this.#disposables.add(
      store.onDidChange(({ type }) => {
        if (type === 'messages' || type === 'draft') return;
        this.#watchCurrent();
        this.#drawing.request();
      }),
    );
    this.#draw();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /**
   * Watches the current session only after its first refresh in this window, so that opening a window sends no
   * requests.
   */
  #watchCurrent(): void {
    const { current } = this.#store;
    const record = current && this.#store.record(current);
    const wanted = record?.asOf !== undefined && !record.isRemembered ? current : undefined;
    if (sameSession(wanted, this.#watched?.key)) return;
    this.#watched?.handle.dispose();
    this.#watched = undefined;
    if (wanted) this.#watched = { key: wanted, handle: this.#sessions.watch(wanted, false) };
  }

  #draw(): void {
    const { connection, connections, current, records } = this.#store;
    const record = current && this.#store.record(current);
    const others = connections.filter((other) => other !== connection);
    const description = describeStatusBar(connection, record, records, Date.now(), this.#t, others);
    // VS Code draws the item again each time a property is set.
    if (sameValue(description, this.#drawn)) return;
    this.#drawn = description;
    if (!description) {
      this.#item.hide();
      return;
    }
    this.#item.text = description.text;
    this.#item.tooltip = description.tooltip;
    this.#item.accessibilityInformation = { label: description.spoken };
    const { command, service, text } = description;
    this.#item.command = {
      command: `lineside.${command}`,
      title: text,
      ...(service !== undefined && { arguments: [{ service }] }),
    };
    this.#item.backgroundColor =
      description.severity && new vscode.ThemeColor(`statusBarItem.${description.severity}Background`);
    this.#item.show();
  }
}
