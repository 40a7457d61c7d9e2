import * as vscode from 'vscode';
import { mediaTypeOf } from './mediaType.ts';

/**
 * The text of a file that the editor would read in another encoding than UTF-8, by its byte order mark or by the
 * settings for that file; undefined where the bytes are UTF-8, or no text, and travel as they are (design, section 6).
 * Rejects where the file cannot be read.
 */
export async function textInOtherEncoding(uri: vscode.Uri, sample: Uint8Array): Promise<string | undefined> {
  if (!hasUtf16Mark(sample) && !isReadOtherwise(uri, sample)) return undefined;
  return vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
}

function hasUtf16Mark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Whether the settings say that what may be a text is not read as UTF-8. */
function isReadOtherwise(uri: vscode.Uri, sample: Uint8Array): boolean {
  const mediaType = mediaTypeOf(sample);
  const isUnclear = mediaType === 'application/octet-stream' && !sample.includes(0);
  const files = vscode.workspace.getConfiguration('files', uri);
  if (!files.get<string>('encoding', 'utf8').startsWith('utf8')) return isUnclear || mediaType === 'text/plain';
  return isUnclear && files.get<boolean>('autoGuessEncoding', false);
}
