import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';
import { type NotificationButton, showInfo } from '../../host/prompts/notify.ts';
import {
  type FinishedTurn,
  FinishedTurns,
  answerOf,
  describeFinished,
  hasFailed,
  isBeingRead,
} from '../../state/sessions/finishedTurns.ts';
import { readSettings } from '../../host/settings.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';

import type { CommandContext } from '../context.ts';
import { notify } from '../commandErrors.ts';
import { linkOf } from '../sessions/messageLinks.ts';

/**
 * Sessions that finish within this time share one notification. The longer time applies while a notification is shown.
 */
const gatherMs = 3_000;
const gatherWhileShownMs = 15_000;
/** A notification waits at most this many times for messages to be read, because the last message may be a question. */
const maxDelays = 5;

/**
 * Shows a notification in one window when agents finish or fail, if the setting `lineside.notifications.whenFinished`
 * allows it and the session isn't muted.
 */
export class FinishedNotifications implements Disposable {
  readonly #context: CommandContext;
  readonly #turns = new FinishedTurns();
  /** The turns of the next notification, by `keyText`, and how often each of them has waited for its messages. */
  readonly #waiting = new Map<string, { readonly turn: FinishedTurn; readonly delays: number }>();
  readonly #disposables = new Disposables();
  #timer: NodeJS.Timeout | undefined;
  #openNotifications = 0;

  constructor(context: CommandContext) {
    this.#context = context;
    const { store } = context;
    this.#disposables.add({ dispose: () => clearTimeout(this.#timer) });
    this.#disposables.add(
      store.onDidChange((change) => {
        if (change.type === 'sessionList') this.#turns.forgetAllBut(store.records);
        if (change.type === 'session') void this.#take(change.key);
      }),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #take(key: SessionKey): Promise<void> {
    const { store, notifications } = this.#context;
    const record = store.record(key);
    const turn = record && !record.listEntry.isTransient ? this.#turns.take(record) : undefined;
    if (!turn || !this.#isEnabled() || record?.listEntry.isMuted) return;
    if (!(await notifications.claim(key, turn.workingAt, turn.idleAt)) || this.#disposables.isDisposed) return;
    this.#waiting.set(keyText(key), { turn, delays: 0 });
    this.#schedule();
  }

  #schedule(): void {
    const waitMs = this.#openNotifications > 0 ? gatherWhileShownMs : gatherMs;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#notify();
    }, waitMs);
  }

  #isEnabled(): boolean {
    const wanted = readSettings().whenFinished;
    return wanted === 'always' || (wanted === 'unfocused' && !vscode.window.state.focused);
  }

  async #notify(): Promise<void> {
    const { store, sessions, systemNotifications, t } = this.#context;
    const finished = [...this.#waiting].flatMap(([text, { turn, delays }]) => {
      const record = store.record(turn.key);
      const isUnknown = record && (isBeingRead(record) || sessions.isBeingChecked(turn.key));
      if (isUnknown && delays < maxDelays && this.#openNotifications === 0) {
        this.#waiting.set(text, { turn, delays: delays + 1 });
        return [];
      }
      this.#waiting.delete(text);
      if (!record) return [];
      return [{ record, workedMs: turn.workedMs, hasFailed: hasFailed(turn, record), answer: answerOf(turn, record) }];
    });
    if (this.#waiting.size > 0) this.#schedule();
    const keys = finished.map(({ record }) => record.listEntry.key);
    const [first] = keys;
    if (!first) return;
    const sentence = describeFinished(finished, t);
    systemNotifications.show(sentence, keys.length === 1 ? linkOf(store, first, undefined) : undefined);
    this.#openNotifications++;
    try {
      await notify(showInfo, this.#context, sentence, ...this.#buttons(keys));
    } finally {
      this.#openNotifications--;
    }
  }

  #buttons(keys: readonly SessionKey[]): NotificationButton[] {
    const { sessionList, navigation, t } = this.#context;
    const [only] = keys;
    if (!only || keys.length > 1) {
      const showSessions = () => vscode.commands.executeCommand('lineside.sessions.focus');
      return [{ label: t('Show Sessions'), run: showSessions }];
    }
    return [
      { label: t('Open'), run: () => navigation.openConversation(only) },
      { label: t('Reply'), run: () => navigation.openConversation(only, undefined, true) },
      { label: t('Mute'), run: () => sessionList.change(only, { isMuted: true }) },
    ];
  }
}
