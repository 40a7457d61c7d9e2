import * as vscode from 'vscode';
import type { PageOlder } from '../../shared/protocol/pageModel.ts';
import type { RowDescription, SessionDescription } from '../../state/presentation/describeSession.ts';
import { sectionLabel } from '../../state/presentation/describeTree.ts';
import type { ChangedFileDescription, ChangesDescription } from '../../state/presentation/describeChanges.ts';
import {
  type ChangedFileRow,
  type ChangesRow,
  type MessageRow,
  type MoreSessionsRow,
  type SectionRow,
  type SessionRow,
  sessionsPerPage,
  type TreeRow,
} from '../../state/sessions/sessionTree.ts';
import { literalTooltip } from './literalTooltip.ts';
import { changedFileUri, unsentUri } from './rowDecorations.ts';
import type { Translate } from '../../shared/text.ts';

/** The heading of a group of sessions. */
export function sectionItem(row: SectionRow, t: Translate): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    sectionLabel(row.section, t),
    row.section.kind === 'archived' ? Collapsed : Expanded,
  );
  return Object.assign(item, { id: row.rowId, contextValue: `section ${row.section.kind}` });
}

/** The row of a session; a click opens its conversation. `flags` is the `contextValue` for `when` clauses. */
export function sessionItem(
  row: SessionRow,
  description: SessionDescription,
  flags: string,
  t: Translate,
): vscode.TreeItem {
  const item = describedItem(row, description, vscode.TreeItemCollapsibleState.Collapsed);
  const { unsentCount = 0 } = description;
  return Object.assign(item, {
    contextValue: flags,
    command: openCommand(t('Open Conversation')),
    ...(unsentCount > 0 && { resourceUri: unsentUri(row.key, unsentCount) }),
  });
}

/** The row of a message; a click opens the conversation at that message. */
export function messageItem(row: MessageRow, description: RowDescription, t: Translate): vscode.TreeItem {
  const item = describedItem(row, description, vscode.TreeItemCollapsibleState.None);
  const tooltip = literalTooltip(description.tooltip);
  return Object.assign(item, { tooltip, contextValue: 'message', command: openCommand(t('Open Conversation')) });
}

/** The last row of a section that has `hiddenCount` more sessions. */
export function moreSessionsItem(row: MoreSessionsRow, hiddenCount: number, t: Translate): vscode.TreeItem {
  const title =
    hiddenCount > sessionsPerPage
      ? t('Show {0} of {1} More Sessions', sessionsPerPage, hiddenCount)
      : t({ one: 'Show 1 More Session', other: 'Show {0} More Sessions' }, hiddenCount);
  return showMoreItem(row, title);
}

/** The last row below a session, which loads older messages, and says if they are being loaded or can't be. */
export function olderItem(
  row: Extract<TreeRow, { kind: 'older' }>,
  older: PageOlder | undefined,
  t: Translate,
): vscode.TreeItem {
  const isIdle = older?.state === 'more' || !older?.label;
  return showMoreItem(row, isIdle ? t('Load Older Messages') : older.label);
}

/** The row after the child sessions of a session, which shows more of them. */
export function moreChildrenItem(row: Extract<TreeRow, { kind: 'moreChildren' }>, t: Translate): vscode.TreeItem {
  return showMoreItem(row, t('Show More Child Sessions'));
}

function showMoreItem({ rowId }: TreeRow, title: string): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(title), {
    id: rowId,
    contextValue: 'more',
    iconPath: new vscode.ThemeIcon('fold-down'),
    command: openCommand(title),
  });
}

/** The row above the changed files of a session. */
export function changesItem(
  row: ChangesRow,
  { description, tooltip, spoken }: ChangesDescription,
  t: Translate,
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(t('Changes'), vscode.TreeItemCollapsibleState.Collapsed), {
    id: row.rowId,
    description,
    tooltip,
    // Without a label, screen readers would get the tooltip, which doesn't name the row.
    accessibilityInformation: { label: spoken },
    contextValue: 'changes',
    iconPath: new vscode.ThemeIcon('diff-multiple'),
  });
}

/** The row of a changed file; a click opens the change. */
export function changedFileItem(
  row: ChangedFileRow,
  { label, description, tooltip, spoken, letter, sign }: ChangedFileDescription,
  t: Translate,
): vscode.TreeItem {
  return Object.assign(new vscode.TreeItem(label), {
    id: row.rowId,
    description,
    tooltip,
    contextValue: 'change',
    iconPath: vscode.ThemeIcon.File,
    resourceUri: changedFileUri(row.path, letter, sign),
    accessibilityInformation: { label: spoken },
    command: openCommand(t('Show Changes')),
  });
}

function describedItem(
  row: TreeRow,
  description: SessionDescription,
  collapsibleState: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const color = description.iconColor === undefined ? undefined : new vscode.ThemeColor(description.iconColor);
  return Object.assign(new vscode.TreeItem(description.label, collapsibleState), {
    id: row.rowId,
    description: description.description,
    iconPath: new vscode.ThemeIcon(description.icon, color),
    accessibilityInformation: { label: description.spoken },
  });
}

/**
 * The command that a click on a row runs. It has no argument and reads the selection, because VS Code forgets the
 * argument as soon as it asks for the row again, and a click on the row that it still shows would do nothing.
 */
function openCommand(title: string): vscode.Command {
  return { command: 'lineside.openRow', title };
}
