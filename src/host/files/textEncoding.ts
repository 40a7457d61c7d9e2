import * as vscode from 'vscode';
import { mediaTypeOf } from './mediaType.ts';

const utf8Mark = [0xef, 0xbb, 0xbf];
const utf16LittleMark = [0xff, 0xfe];
const utf16BigMark = [0xfe, 0xff];

/**
 * The text of a file that the editor would read in another encoding than UTF-8, by its byte order mark or by the
 * settings for that file; undefined where the bytes are UTF-8, or no text, and travel as they are (design, section 6).
 * Rejects where the file cannot be read.
 */
export async function textInOtherEncoding(uri: vscode.Uri, sample: Uint8Array): Promise<string | undefined> {
  if (startsWith(sample, utf8Mark)) return undefined;
  const hasUtf16Mark = startsWith(sample, utf16LittleMark) || startsWith(sample, utf16BigMark);
  if (!hasUtf16Mark && !isReadOtherwise(uri, sample)) return undefined;
  return vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Whether the settings say that what may be a text is not read as UTF-8. */
function isReadOtherwise(uri: vscode.Uri, sample: Uint8Array): boolean {
  const mediaType = mediaTypeOf(sample);
  const isUnclear = mediaType === 'application/octet-stream' && !sample.includes(0);
  const files = vscode.workspace.getConfiguration('files', uri);
  if (!files.get<string>('encoding', 'utf8').startsWith('utf8')) return isUnclear || mediaType === 'text/plain';
  return isUnclear && files.get<boolean>('autoGuessEncoding', false);
}
