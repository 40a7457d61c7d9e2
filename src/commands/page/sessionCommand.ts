import * as vscode from 'vscode';
import type { SessionKey } from '../../state/store/sessionKey.ts';

/** The part of a page in which the user ran a command, and further fields of the command's argument. */
interface SessionCommandFields {
  readonly webviewSection: string;
  readonly messageId?: string;
  readonly setting?: string;
}

/** Runs a public command on the session of a page. The command reports its errors itself. */
export async function runSessionCommand(
  command: string,
  { origin, sessionId }: SessionKey,
  fields: SessionCommandFields,
): Promise<void> {
  await vscode.commands.executeCommand(`lineside.${command}`, { sessionId, service: origin, ...fields });
}
