import type { DocumentWords } from '../../state/documents/document.ts';
import type { Translate } from '../../shared/text.ts';

/** The strings and time formats of documents, in the display language of VS Code. */
export function documentWords(t: Translate): DocumentWords {
  return { t, time: (timeMs) => t.formats.time(timeMs), dateTime: (timeMs) => t.formats.dateTime(timeMs) };
}
