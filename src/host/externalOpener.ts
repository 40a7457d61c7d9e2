import * as vscode from 'vscode';
import { isExternalAddress } from '../shared/text/externalAddress.ts';

/**
 * `vscode.env` as it behaves: `openExternal` also accepts a string, which it opens unchanged, although the declared
 * type allows only a `vscode.Uri`.
 */
interface ExternalOpener {
  openExternal(address: string | vscode.Uri): Thenable<boolean>;
}

/**
 * Opens an address outside VS Code, unchanged. Before VS Code opens a web address whose domain isn't trusted, it asks
 * the user. Ignores text that isn't an address in the form in which addresses are shown (R3, R5).
 *
 * VS Code gets the address as a string, because a `vscode.Uri` decodes it and no longer distinguishes an encoded slash
 * or ampersand from the character itself.
 */
export async function openExternalAddress(address: string): Promise<void> {
  if (!isExternalAddress(address)) return;
  // `vscode.open` accepts strings only if they are web addresses.
  if (!address.startsWith('mailto:')) await vscode.commands.executeCommand('vscode.open', address);
  else await opener().openExternal(address);
}

function opener(): ExternalOpener {
  return vscode.env;
}
