import * as vscode from 'vscode';
import { showWarning } from '../../host/prompts/notify.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { undecidedSentence } from '../../state/presentation/describeOutbox.ts';
import { sessionTitle } from '../../state/store/sessionFacts.ts';
import { needsDecision } from '../../state/store/outboxEntry.ts';
import type { CommandContext } from '../context.ts';

/**
 * Notifies the user once for each message that wasn't sent, or may not have been sent, while the window doesn't have
 * the focus. The conversation, the tree, and the status bar show the message in any case.
 */
export function notifyOfUndecidedMessages({ store, navigation, t }: CommandContext): Disposable {
  const seen = new Set<string>();
  return store.onDidChange((change) => {
    if (change.type !== 'outbox') return;
    const record = store.record(change.key);
    const entry = record?.outbox.find((candidate) => needsDecision(candidate) && !seen.has(candidate.entryId));
    if (!record || !entry) return;
    seen.add(entry.entryId);
    if (vscode.window.state.focused) return;
    void showWarning(`${sessionTitle(record)}: ${undecidedSentence(entry, t)}`, {
      label: t('Open'),
      run: () => navigation.openConversation(change.key),
    });
  });
}
