import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import { extensionId } from '../../host/editors/git.ts';
import { sessionLink } from '../../state/sessions/sessionLinks.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import type { Store } from '../../state/store/store.ts';

/** A link that opens a session in this edition of VS Code, at the message of a row if one is given. */
export function linkOf(store: Store, key: SessionKey, rowKey: string | undefined): string {
  const { origin, sessionId } = key;
  const target = rowKey === undefined ? {} : { messageId: messageIdOf(store, key, rowKey) };
  const computer = defined({ computerId: store.record(key)?.listEntry.computerId });
  return sessionLink(vscode.env.uriScheme, extensionId, { sessionId, origin, ...computer, ...target });
}

/**
 * The message ID of a row. The row of a message that was sent from here keeps the ID of its outbox entry as its key.
 * Every other key is returned unchanged, even the key of a message that the service doesn't have yet.
 */
export function messageIdOf(store: Store, key: SessionKey, rowKey: string): string {
  const entries = [...(store.record(key)?.entryIdByMessageId ?? [])];
  return entries.find(([, entryId]) => entryId === rowKey)?.[0] ?? rowKey;
}
