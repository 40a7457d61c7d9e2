import * as vscode from 'vscode';

/** One button of a notification and what it does. */
export interface NotificationButton {
  readonly label: string;
  readonly run: () => unknown;
}

/**
 * A notification shows `[text](link)` and backticks as links and code. Whatever comes from a service is shown as it is:
 * brackets that could make a link are pulled apart (R7).
 */
export function plainNotification(text: string): string {
  return text.replace(/\]\(/g, '] (').replaceAll('`', "'");
}

/** Shows an error and resolves when it is gone, after the button's work. */
export async function showError(message: string, ...buttons: readonly NotificationButton[]): Promise<void> {
  await runChosen(buttons, await vscode.window.showErrorMessage(plainNotification(message), ...labels(buttons)));
}

/** Shows something worth knowing and resolves when it is gone, after the button's work. */
export async function showInfo(message: string, ...buttons: readonly NotificationButton[]): Promise<void> {
  await runChosen(buttons, await vscode.window.showInformationMessage(plainNotification(message), ...labels(buttons)));
}

/** Shows something that did not go as it should have and resolves when it is gone, after the button's work. */
export async function showWarning(message: string, ...buttons: readonly NotificationButton[]): Promise<void> {
  await runChosen(buttons, await vscode.window.showWarningMessage(plainNotification(message), ...labels(buttons)));
}

/** Asks before something that cannot be taken back, or that the person may not expect. Resolves to whether to go on. */
export async function confirm(message: string, detail: string, goOn: string): Promise<boolean> {
  const options = { modal: true, detail: plainNotification(detail) };
  return (await vscode.window.showWarningMessage(plainNotification(message), options, goOn)) === goOn;
}

/** Asks which way to go on, the first being the usual one. Resolves to its label; undefined: not at all. */
export async function choose(message: string, detail: string, ways: readonly string[]): Promise<string | undefined> {
  const options = { modal: true, detail: plainNotification(detail) };
  return vscode.window.showWarningMessage(plainNotification(message), options, ...ways);
}

function labels(buttons: readonly NotificationButton[]): string[] {
  return buttons.map((button) => button.label);
}

async function runChosen(buttons: readonly NotificationButton[], label: string | undefined): Promise<void> {
  await buttons.find((button) => button.label === label)?.run();
}
