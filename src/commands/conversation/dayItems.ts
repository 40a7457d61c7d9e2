import * as vscode from 'vscode';
import type { Translate } from '../../shared/text.ts';
import { CalendarDays } from '../../state/conversation/calendarDays.ts';
import { dayStarts } from '../../state/sessions/ages.ts';

/** Items of a quick pick, with a heading before the first item of each day. `entries` are sorted by time. */
export function byDay<Entry extends { readonly createdAt: number }, Item extends vscode.QuickPickItem>(
  entries: readonly Entry[],
  t: Translate,
  itemOf: (entry: Entry) => Item,
): (Item | vscode.QuickPickItem)[] {
  const now = Date.now();
  const days = new CalendarDays();
  const yesterday = days.nameOf(dayStarts(now).yesterday);
  const today = days.nameOf(now);
  const headingOf = (day: string, timeMs: number): string => {
    if (day === today) return t('Today');
    return day === yesterday ? t('Yesterday') : t.formats.date(timeMs, { dateStyle: 'medium' });
  };
  let before = '';
  return entries.flatMap((entry): (Item | vscode.QuickPickItem)[] => {
    const day = days.nameOf(entry.createdAt);
    if (day === before) return [itemOf(entry)];
    before = day;
    return [{ label: headingOf(day, entry.createdAt), kind: vscode.QuickPickItemKind.Separator }, itemOf(entry)];
  });
}
