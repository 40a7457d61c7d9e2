import * as vscode from 'vscode';
import { plainNotification, withoutIcons } from './editorText.ts';

/** Work that finishes within this time shows no notification, because the notification would only flash. */
const delayMs = 500;

/** The rejection of work that failed after the user canceled it; `cause` is the failure. */
export class CanceledWork extends Error {
  override readonly name = 'CanceledWork';

  constructor(cause: unknown) {
    super('The user canceled this.', { cause });
  }
}

/**
 * Runs work, and shows a notification with a Cancel button if the work takes longer than {@link delayMs}. `report` sets
 * the text after the title. Rejects with the error of the work.
 * @throws CanceledWork if the work fails after the user canceled it.
 */
export async function withCancel<T>(
  title: string,
  run: (signal: AbortSignal, report: (line: string) => void) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  const progressLine: { line?: string; show?: (line: string) => void } = {};
  const work = run(abort.signal, (line) => {
    progressLine.line = line;
    progressLine.show?.(line);
  });
  if (await isOverWithin(work, delayMs)) return work;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plainNotification(title),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, token) => {
    token.onCancellationRequested(() => abort.abort());
    progressLine.show = (message) => progress.report({ message: plainNotification(message) });
    if (progressLine.line !== undefined) progressLine.show(progressLine.line);
    try {
      return await work;
    } catch (error) {
      throw abort.signal.aborted ? new CanceledWork(error) : error;
    }
  });
}

/** Settles like `work`, but resolves to undefined as soon as the signal is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** Whether work ends within a time, successfully or not. */
export async function isOverWithin(work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
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

/** Runs work that can't be canceled, with a progress message in the status bar. */
export async function whileWorking<T>(title: string, run: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: withoutIcons(title) }, run);
}

/** Runs work that can't be canceled, with a progress bar in a view. */
export async function withViewProgress<T>(viewId: string, run: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: { viewId } }, run);
}
