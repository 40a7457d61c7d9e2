/** Registers the contributions in the manifest. Each command shows a notification; the view shows the setting. */
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  const changes = new vscode.EventEmitter();
  const rows = {
    onDidChangeTreeData: changes.event,
    getChildren: () => [vscode.workspace.getConfiguration().get('sessionDeck.notifications')],
    getTreeItem: (value) => new vscode.TreeItem(`Notifications: ${value}`),
  };
  context.subscriptions.push(
    changes,
    vscode.window.createTreeView('sessionDeck.sessions', { treeDataProvider: rows }),
    vscode.workspace.onDidChangeConfiguration(() => changes.fire()),
    vscode.commands.registerCommand('sessionDeck.refresh', () => {
      changes.fire();
      void vscode.window.showInformationMessage('Former names: refreshed');
    }),
    vscode.commands.registerCommand('sessionDeck.clearFilter', () => {
      void vscode.window.showInformationMessage('Former names: filter cleared');
    }),
  );
}

module.exports = { activate };
