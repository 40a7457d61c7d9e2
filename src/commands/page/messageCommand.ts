import * as vscode from 'vscode';
import type { SessionKey } from '../../state/store/sessionKey.ts';

/** Runs a public command on the message of a row. The command reports its errors itself. */
export async function runMessageCommand(
  command: 'openMessageAsDocument' | 'showChanges' | 'toggleBookmark' | 'editBookmarkNote',
  { origin, sessionId }: SessionKey,
  rowKey: string,
): Promise<void> {
  const argument = { sessionId, service: origin, messageId: rowKey, webviewSection: 'linesideMessage' };
  await vscode.commands.executeCommand(`lineside.${command}`, argument);
}
