import * as vscode from 'vscode';
import { sectionLabel } from '../state/describeAge.ts';
import type { RowDescription } from '../state/describeSession.ts';
import type { TreeRow } from '../state/sessionTree.ts';
import type { Translate } from '../state/words.ts';

type RowOf<Kind extends TreeRow['kind']> = Extract<TreeRow, { kind: Kind }>;

/** The heading over the sessions of one age. */
export function sectionItem(row: RowOf<'section'>, t: Translate): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(sectionLabel(row.section, t), row.section === 'archived' ? Collapsed : Expanded);
  return Object.assign(item, { id: row.rowId, contextValue: 'section' });
}

/** A session: a click opens its conversation. */
export function sessionItem(row: RowOf<'session'>, description: RowDescription, t: Translate): vscode.TreeItem {
  const item = describedItem(row, description, vscode.TreeItemCollapsibleState.Collapsed);
  return Object.assign(item, { contextValue: 'session', command: openCommand(row, t) });
}

/** A message: a click opens the conversation at it. */
export function messageItem(row: RowOf<'message'>, description: RowDescription, t: Translate): vscode.TreeItem {
  const item = describedItem(row, description, vscode.TreeItemCollapsibleState.None);
  return Object.assign(item, { contextValue: 'message', command: openCommand(row, t, row.messageId) });
}

/** The row that loads one page more. */
export function olderItem(row: RowOf<'older'>, t: Translate): vscode.TreeItem {
  const title = t('Load Older Messages');
  return Object.assign(new vscode.TreeItem(title), {
    id: row.rowId,
    contextValue: 'older',
    iconPath: new vscode.ThemeIcon('fold-down'),
    command: { command: 'sessionDeck.loadOlder', title, arguments: [row] },
  });
}

function describedItem(
  row: TreeRow,
  description: RowDescription,
  collapsibleState: vscode.TreeItemCollapsibleState,
): vscode.TreeItem {
  const color = description.iconColor === undefined ? undefined : new vscode.ThemeColor(description.iconColor);
  return Object.assign(new vscode.TreeItem(description.label, collapsibleState), {
    id: row.rowId,
    description: description.description,
    tooltip: description.tooltip,
    iconPath: new vscode.ThemeIcon(description.icon, color),
    accessibilityInformation: { label: description.spoken },
  });
}

function openCommand(row: RowOf<'session' | 'message'>, t: Translate, messageId?: string): vscode.Command {
  const { sessionId, origin } = row.key;
  const target = { sessionId, service: origin, ...(messageId === undefined ? {} : { messageId }) };
  return { command: 'sessionDeck.openConversation', title: t('Open Conversation'), arguments: [target] };
}
