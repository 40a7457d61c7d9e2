import { findSecretsInSlices } from '../../shared/redaction/redaction.ts';
import { NotAttachable, type PickedContent } from './pickedContent.ts';

/**
 * The maximum number of bytes, or of code units of `parsedData`, to search. Searching more would delay the question
 * whether to attach the content.
 */
const searchedBytes = 256 * 1024;

/**
 * Whether picked content almost certainly contains a secret: in its first 256 KB, or in the first 262,144 code units of
 * the `parsedData` that is sent with it. Images aren't searched. Runs in slices (R50).
 * @throws NotAttachable if the content can't be read.
 */
export async function containsSecret(content: PickedContent): Promise<boolean> {
  if (content.mediaType.startsWith('image/')) return false;
  return (
    (await isAnyCertain(await startOf(content))) ||
    (content.parsedData !== undefined && (await isAnyCertain(content.parsedData.slice(0, searchedBytes))))
  );
}

async function isAnyCertain(text: string): Promise<boolean> {
  const findings = await findSecretsInSlices(text);
  return findings.some(({ isCertain }) => isCertain);
}

/**
 * The start of the content as text. Bytes that aren't UTF-8 are replaced.
 * @throws NotAttachable if the content can't be read.
 */
async function startOf(content: PickedContent): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = searchedBytes;
  try {
    for await (const piece of content.read()) {
      text += decoder.decode(piece.subarray(0, left), { stream: true });
      left -= piece.byteLength;
      if (left <= 0) break;
    }
  } catch (cause) {
    throw new NotAttachable('unreadable', content.name, undefined, cause);
  }
  return text;
}

/**
 * The paths of the files in a Git diff, without duplicates. A file whose content the diff doesn't show, such as a
 * binary one, is included only if it was renamed.
 */
export function pathsInDiff(diff: string): readonly string[] {
  const paths = new Set<string>();
  for (let at = 0; at >= 0 && at < diff.length; at = diff.indexOf('\n', at) + 1 || -1) {
    const isHeader = diff.startsWith('+++ ', at) || diff.startsWith('--- ', at) || diff.startsWith('rename ', at);
    if (!isHeader) continue;
    const line = /^(?:\+\+\+|---|rename (?:from|to)) "?([^\n\t"]{1,4000})/.exec(diff.slice(at, at + 4_100));
    if (line?.[1] !== undefined && line[1] !== '/dev/null') paths.add(line[1].replace(/^[a-z]\//, ''));
  }
  return [...paths];
}
