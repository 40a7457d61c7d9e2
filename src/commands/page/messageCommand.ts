import type { SessionKey } from '../../state/store/sessionKey.ts';
import { runSessionCommand } from './sessionCommand.ts';

/** Runs a public command on the message of a row. The command reports its errors itself. */
export async function runMessageCommand(
  command: 'openMessageAsDocument' | 'showChanges' | 'toggleBookmark' | 'editBookmarkNote',
  key: SessionKey,
  rowKey: string,
): Promise<void> {
  await runSessionCommand(command, key, { messageId: rowKey, webviewSection: 'linesideMessage' });
}
