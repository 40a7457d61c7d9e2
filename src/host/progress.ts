import * as vscode from 'vscode';

/** Runs something under a notification that can cancel it. */
export async function withCancel<T>(title: string, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (_progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    return run(abort.signal);
  });
}

/** Runs something that is best not cancelled halfway, with a word in the status bar. */
export async function whileWorking<T>(title: string, run: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, run);
}
