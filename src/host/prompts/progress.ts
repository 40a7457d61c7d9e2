import * as vscode from 'vscode';

/** What is over sooner needs no word: a notification that comes and goes at once only startles. */
const quietMs = 500;

/**
 * Runs something, and shows a notification that can cancel it where it takes longer than a moment; `report` replaces the
 * line under the title.
 */
export async function withCancel<T>(
  title: string,
  run: (signal: AbortSignal, report: (line: string) => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const told: { line?: string; show?: (line: string) => void } = {};
  const work = run(abort.signal, (line) => {
    told.line = line;
    told.show?.(line);
  });
  if (await isOverWithin(work, quietMs)) return work;
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    token.onCancellationRequested(() => abort.abort());
    told.show = (message) => progress.report({ message });
    if (told.line !== undefined) told.show(told.line);
    return work;
  });
}

async function isOverWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const over = work.then(
    () => true,
    () => true,
  );
  const isOver = await Promise.race([over, late]);
  clearTimeout(timer);
  return isOver;
}

/** Runs something that is best not cancelled halfway, with a word in the status bar. */
export async function whileWorking<T>(title: string, run: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, run);
}
