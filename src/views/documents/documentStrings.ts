import * as vscode from 'vscode';
import type { DocumentWords } from '../../state/markdown/document.ts';
import type { Translate } from '../../shared/text.ts';

/** The strings and time formats of documents, in the display language of VS Code. */
export function documentWords(t: Translate): DocumentWords {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const format = (dateStyle: 'medium' | undefined, timeMs: number): string => {
    const name = dateStyle ?? 'time';
    const known = formats.get(name) ?? new Intl.DateTimeFormat(vscode.env.language, { dateStyle, timeStyle: 'short' });
    formats.set(name, known);
    // The service may send invalid times.
    return Number.isFinite(timeMs) && Math.abs(timeMs) <= 8.64e15 ? known.format(timeMs) : '';
  };
  return { t, time: (timeMs) => format(undefined, timeMs), dateTime: (timeMs) => format('medium', timeMs) };
}
