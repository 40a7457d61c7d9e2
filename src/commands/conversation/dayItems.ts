import * as vscode from 'vscode';
import type { Translate } from '../../shared/text.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';

/** Items of a quick pick, with a heading before the first item of each day. `entries` are sorted by time. */
export function byDay<Entry extends { readonly createdAt: number }, Item extends vscode.QuickPickItem>(
  entries: readonly Entry[],
  { formats }: Translate,
  itemOf: (entry: Entry) => Item,
): (Item | vscode.QuickPickItem)[] {
  const days = new CalendarDays();
  let before = '';
  return entries.flatMap((entry): (Item | vscode.QuickPickItem)[] => {
    const day = days.nameOf(entry.createdAt);
    if (day === before) return [itemOf(entry)];
    before = day;
    const label = formats.date(entry.createdAt, { dateStyle: 'full' });
    return [{ label, kind: vscode.QuickPickItemKind.Separator }, itemOf(entry)];
  });
}
