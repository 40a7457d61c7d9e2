import * as vscode from 'vscode';

/** Runs something under a notification that can cancel it; `report` replaces the line under the title. */
export async function withCancel<T>(
  title: string,
  run: (signal: AbortSignal, report: (line: string) => void) => Promise<T>,
): Promise<T> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    return run(abort.signal, (message) => progress.report({ message }));
  });
}

/** Runs something that is best not cancelled halfway, with a word in the status bar. */
export async function whileWorking<T>(title: string, run: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, run);
}
