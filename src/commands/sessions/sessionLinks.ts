import * as vscode from 'vscode';
import { extensionId } from '../../host/editors/extensionId.ts';
import type { SessionKey } from '../../state/store/sessionKey.ts';
import { sessionLink } from '../../state/sessions/links.ts';
import type { Store } from '../../state/store/store.ts';

/** The link to a session, or to the message of one of its rows, for this editor. */
export function linkOf(store: Store, key: SessionKey, rowKey: string | undefined): string {
  const { origin, sessionId } = key;
  const message = rowKey === undefined ? {} : { messageId: messageIdOf(store, key, rowKey) };
  return sessionLink(vscode.env.uriScheme, extensionId, { sessionId, origin, ...message });
}

/** The message a row stands for: one that was sent from here keeps the key it had on its way. */
export function messageIdOf(store: Store, key: SessionKey, rowKey: string): string {
  const entries = [...(store.record(key)?.entryIdByMessageId ?? [])];
  return entries.find(([, entryId]) => entryId === rowKey)?.[0] ?? rowKey;
}
