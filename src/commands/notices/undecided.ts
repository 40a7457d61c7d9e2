import * as vscode from 'vscode';
import { showWarning } from '../../host/prompts/notify.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { undecidedSentence } from '../../state/presentation/describeOutbox.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { needsDecision, type OutboxEntry } from '../../state/store/outboxEntry.ts';
import { type SessionKey, sameSession } from '../../state/store/sessionKey.ts';
import type { CommandContext } from '../context.ts';

/**
 * Notifies the user once for each message that wasn't sent, or may not have been sent: in the window that learns of it
 * first, unless that window has the focus. The conversation, the tree, and the status bar show the message in any case.
 */
export function notifyOfUndecidedMessages(context: CommandContext): Disposable {
  const { store, notifications } = context;
  /** The sessions of the messages that this window has seen needing a decision, by the IDs of their entries. */
  const seen = new Map<string, SessionKey>();
  const forgetGone = (key: SessionKey, outbox: readonly OutboxEntry[]) => {
    for (const [entryId, seenKey] of seen) {
      if (!sameSession(seenKey, key) || outbox.some((entry) => entry.entryId === entryId)) continue;
      seen.delete(entryId);
      void notifications.releaseMessage(key, entryId);
    }
  };
  return store.onDidChange((change) => {
    const record = change.type === 'outbox' ? store.record(change.key) : undefined;
    if (!record) return;
    const { key } = record.listEntry;
    forgetGone(key, record.outbox);
    for (const entry of record.outbox) {
      if (!needsDecision(entry) || seen.has(entry.entryId)) continue;
      seen.set(entry.entryId, key);
      void notify(context, key, entry);
    }
  });
}

async function notify(
  { store, navigation, notifications, t }: CommandContext,
  key: SessionKey,
  entry: OutboxEntry,
): Promise<void> {
  if (!(await notifications.claimMessage(key, entry.entryId)) || vscode.window.state.focused) return;
  const record = store.record(key);
  if (!record) return;
  await showWarning(`${sessionTitle(record)}: ${undecidedSentence(entry, t)}`, {
    label: t('Open'),
    run: () => navigation.openConversation(key),
  });
}
