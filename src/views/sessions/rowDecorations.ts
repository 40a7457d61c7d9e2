import * as vscode from 'vscode';
import { fileSchemes } from '../../host/readOnlyFiles/readOnlyFileSystem.ts';
import type { Disposable } from '../../shared/lifecycle.ts';
import { uriPart } from '../../shared/text.ts';
import type { ChangeLetter, PresenceSign } from '../../state/presentation/describeChanges.ts';
import { type SessionKey, keyText } from '../../state/store/sessionKey.ts';
import { documentPath } from '../../state/work/changes.ts';

const colors: ReadonlyMap<string, string> = new Map<ChangeLetter, string>([
  ['A', 'gitDecoration.addedResourceForeground'],
  ['M', 'gitDecoration.modifiedResourceForeground'],
  ['D', 'gitDecoration.deletedResourceForeground'],
  ['R', 'gitDecoration.renamedResourceForeground'],
]);

/** The URI of a changed file's row, which determines its icon, its letter, and its sign. It names no document. */
export function changedFileUri(path: string, letter: ChangeLetter | undefined, sign: PresenceSign): vscode.Uri {
  const fragment = letter === undefined ? '' : letter + sign;
  return vscode.Uri.from({ scheme: fileSchemes.change, path: documentPath(path), fragment });
}

const unsentScheme = 'lineside-unsent';

/**
 * The URI of the row of a session with unsent messages, whose number is shown at the row's end. It names no document.
 */
export function unsentUri(key: SessionKey, count: number): vscode.Uri {
  return vscode.Uri.from({
    scheme: unsentScheme,
    path: `/${uriPart(keyText(key))}`,
    fragment: String(count),
  });
}

/**
 * Draws the letters and colors of source control on the rows of changed files, with a sign if the change is in the
 * workspace, as a whole or in part. Draws the number of unsent messages on the rows of sessions. Unlike the description
 * of a row, a decoration is never cut off.
 */
export class RowDecorations implements vscode.FileDecorationProvider, Disposable {
  readonly #registration = vscode.window.registerFileDecorationProvider(this);

  provideFileDecoration({ scheme, fragment }: vscode.Uri): vscode.FileDecoration | undefined {
    if (scheme === unsentScheme) {
      const badge = fragment.length > 1 ? '9+' : fragment;
      return new vscode.FileDecoration(badge, undefined, new vscode.ThemeColor('list.warningForeground'));
    }
    const color = scheme === fileSchemes.change ? colors.get(fragment.slice(0, 1)) : undefined;
    return color === undefined
      ? undefined
      : new vscode.FileDecoration(fragment, undefined, new vscode.ThemeColor(color));
  }

  dispose(): void {
    void this.#registration.dispose();
  }
}
