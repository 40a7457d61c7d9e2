import * as vscode from 'vscode';
import { mediaTypeOf } from './mediaType.ts';

const utf8Bom = [0xef, 0xbb, 0xbf];
const utf16LeBom = [0xff, 0xfe];
const utf16BeBom = [0xfe, 0xff];

/**
 * The decoded text of a file that VS Code doesn't read as UTF-8 because of its byte order mark or the settings (spec
 * 10.12). `sample` is the start of the file. Resolves to undefined if the file is UTF-8 or binary. Rejects if the file
 * can't be read.
 */
export async function textInOtherEncoding(uri: vscode.Uri, sample: Uint8Array): Promise<string | undefined> {
  if (startsWith(sample, utf8Bom)) return undefined;
  const hasUtf16Bom = startsWith(sample, utf16LeBom) || startsWith(sample, utf16BeBom);
  if (!hasUtf16Bom && !hasOtherEncoding(uri, sample)) return undefined;
  return vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Whether settings make VS Code read the file in an encoding other than UTF-8. */
function hasOtherEncoding(uri: vscode.Uri, sample: Uint8Array): boolean {
  const mediaType = mediaTypeOf(sample);
  const isUnknown = mediaType === 'application/octet-stream' && !sample.includes(0);
  const files = vscode.workspace.getConfiguration('files', uri);
  if (!files.get<string>('encoding', 'utf8').startsWith('utf8')) return isUnknown || mediaType === 'text/plain';
  return isUnknown && files.get<boolean>('autoGuessEncoding', false);
}
