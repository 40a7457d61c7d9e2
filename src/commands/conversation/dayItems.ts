import * as vscode from 'vscode';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';

/** Items of a quick pick, with a heading before the first item of each day. `entries` are sorted by time. */
export function byDay<Entry extends { readonly createdAt: number }, Item extends vscode.QuickPickItem>(
  entries: readonly Entry[],
  itemOf: (entry: Entry) => Item,
): (Item | vscode.QuickPickItem)[] {
  const days = new CalendarDays();
  let before = '';
  return entries.flatMap((entry): (Item | vscode.QuickPickItem)[] => {
    const day = days.nameOf(entry.createdAt);
    if (day === before) return [itemOf(entry)];
    before = day;
    const label = new Date(entry.createdAt).toLocaleDateString(vscode.env.language, { dateStyle: 'full' });
    return [{ label, kind: vscode.QuickPickItemKind.Separator }, itemOf(entry)];
  });
}

/** A time (Unix ms) without its date, in the display language of VS Code. */
export function timeOfDay(timeMs: number): string {
  return new Date(timeMs).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
}
