import * as vscode from 'vscode';
import { showInfo } from '../../host/prompts/notify.ts';
import { attentionRank, isUnreadSession } from '../../state/sessions/attention.ts';
import { sameSession } from '../../state/store/sessionKey.ts';
import { lastTouched } from '../../state/sessions/sections.ts';
import type { Store } from '../../state/store/store.ts';
import type { Translate } from '../../shared/text.ts';
import type { CommandTable } from '../register.ts';

export interface UnreadParts {
  readonly store: Store;
  readonly t: Translate;
}

/** Going through what was not read yet. */
export function unreadCommands(parts: UnreadParts): CommandTable {
  return { nextUnreadSession: () => openNextUnread(parts) };
}

/** Opens what needs the user most, the latest first; the one on screen is not meant. */
async function openNextUnread({ store, t }: UnreadParts): Promise<void> {
  const unread = store.records
    .filter((record) => isUnreadSession(record) && !sameSession(record.deck.key, store.current))
    .sort((a, b) => attentionRank(a) - attentionRank(b) || lastTouched(b) - lastTouched(a));
  const next = unread[0]?.deck.key;
  if (!next) {
    void showInfo(t('No session is unread.'));
    return;
  }
  const target = { sessionId: next.sessionId, service: next.origin };
  await vscode.commands.executeCommand('sessionDeck.openConversation', target);
}
