import type { PausableWork } from '../../shared/slices.ts';
import type { FileChange, FilePiece } from '../tools/toolCall.ts';
import { maxTextLength, TextSearch, TooLargeError, unixText, withBreaks } from './textSearch.ts';

/** The text of a file before and after the agent's changes, as far as its calls contain it. */
export interface ChangeTexts {
  readonly before: string;
  readonly after: string;
}

/** The line between two parts of a file that don't touch. */
const gapLine = '⋯';

/** A part of the file. A side is undefined where the part doesn't exist. */
interface Section {
  before: string | undefined;
  after: string | undefined;
}

/**
 * The texts of a file before and after changes, which are in the order in which the agent made them. If a call wrote
 * the whole file, later changes are applied to that text; otherwise, the replaced pieces are separated by a line with
 * `⋯`. Undefined if the calls don't contain text, or if it is binary or longer than a million characters, which VS Code
 * can't compare in a reasonable time. Has pauses.
 */
export function* changeTexts(changes: readonly FileChange[]): PausableWork<ChangeTexts | undefined> {
  try {
    return yield* appliedChanges(changes, new TextSearch());
  } catch (error) {
    if (error instanceof TooLargeError) return undefined;
    throw error;
  }
}

function* appliedChanges(changes: readonly FileChange[], search: TextSearch): PausableWork<ChangeTexts | undefined> {
  const pieces = changes.flatMap((change) => change.pieces);
  const length = pieces.reduce((sum, { oldText, newText }) => sum + Math.max(oldText.length, newText.length), 0);
  if (pieces.length === 0 || length > maxTextLength) return undefined;
  if (pieces.some(({ oldText, newText }) => oldText.includes('\0') || newText.includes('\0'))) return undefined;
  const sections: Section[] = [];
  let whole: Section | undefined;
  for (const change of changes) {
    for (const [index, piece] of change.pieces.entries()) {
      const isWhole = change.isWhole || (change.change === 'created' && index === 0);
      if (isWhole && change.change !== 'deleted') {
        const known: Section = whole ?? addTo(sections, piece.oldText === '' ? undefined : piece.oldText);
        known.after = piece.newText;
        whole = known;
        continue;
      }
      const applied = whole && (yield* replaced(whole.after ?? '', piece, search));
      if (whole && applied !== undefined) whole.after = applied;
      else addTo(sections, piece.oldText).after = piece.newText;
    }
    if (change.change !== 'deleted') continue;
    for (const section of sections) section.after = undefined;
    whole = undefined;
  }
  return { before: joined(sections.map(({ before }) => before)), after: joined(sections.map(({ after }) => after)) };
}

function addTo(sections: Section[], before: string | undefined): Section {
  const section: Section = { before, after: undefined };
  sections.push(section);
  return section;
}

/**
 * The text with a piece replaced; undefined if the number of occurrences of the old text differs from the one that the
 * piece requires, which is one by default. Agents read and write line breaks of either kind, so the breaks of the text
 * decide.
 */
function* replaced(text: string, piece: FilePiece, search: TextSearch): PausableWork<string | undefined> {
  const found = yield* search.replaced(text, piece);
  if (found !== undefined || !(text.includes('\r\n') || piece.oldText.includes('\r\n'))) return found;
  const hasUnixBreaks = /(?<!\r)\n/.test(text);
  const breaks = text.includes('\r\n') && !hasUnixBreaks ? '\r\n' : '\n';
  const oldText = yield* withBreaks(piece.oldText, breaks);
  const own = { ...piece, oldText, newText: yield* withBreaks(piece.newText, breaks) };
  // A text with line breaks of both kinds is converted to one kind before it is compared, and keeps that kind.
  return yield* search.replaced(hasUnixBreaks ? yield* unixText(text) : text, own);
}

function joined(texts: readonly (string | undefined)[]): string {
  const known = texts.filter((text) => text !== undefined);
  return known
    .map((text, index) => {
      if (index === known.length - 1) return text;
      return `${text === '' || text.endsWith('\n') ? text : `${text}\n`}${gapLine}\n`;
    })
    .join('');
}
