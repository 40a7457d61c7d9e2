import * as vscode from 'vscode';
import { plainNotification } from './editorText.ts';

/** A button of a notification and its action. If the action fails, the function that shows the notification rejects. */
export interface NotificationButton {
  readonly label: string;
  readonly run: () => unknown;
}

/** Shows an error. Resolves when it is dismissed or the action of its button has finished. */
export async function showError(message: string, ...buttons: readonly NotificationButton[]): Promise<void> {
  await runChosen(buttons, await vscode.window.showErrorMessage(plainNotification(message), ...labels(buttons)));
}

/** Shows information. Resolves when it is dismissed or the action of its button has finished. */
export async function showInfo(message: string, ...buttons: readonly NotificationButton[]): Promise<void> {
  await runChosen(buttons, await vscode.window.showInformationMessage(plainNotification(message), ...labels(buttons)));
}

/** Shows a warning. Resolves when it is dismissed or the action of its button has finished. */
export async function showWarning(message: string, ...buttons: readonly NotificationButton[]): Promise<void> {
  await runChosen(buttons, await vscode.window.showWarningMessage(plainNotification(message), ...labels(buttons)));
}

/** Asks for confirmation in a modal dialog. Resolves to whether the user confirmed. */
export async function confirm(message: string, detail: string, confirmLabel: string): Promise<boolean> {
  const options = { modal: true, detail: plainNotification(detail) };
  return (await vscode.window.showWarningMessage(plainNotification(message), options, confirmLabel)) === confirmLabel;
}

/**
 * Like {@link confirm}, for a question that the user doesn't expect, for example because a language model causes it. A
 * key that was meant for something else must not confirm: the default button, which Enter presses, refuses, and so does
 * Escape. VS Code places the button for Escape last and never makes it the default, so the dialog has **Cancel** in
 * addition to the two buttons.
 *
 * The dialog shows `detail` unchanged. VS Code draws the detail of a modal dialog as plain text, so links and code in
 * it aren't escaped.
 */
export async function confirmUnexpected(
  message: string,
  detail: string,
  refuseLabel: string,
  confirmLabel: string,
): Promise<boolean> {
  const options = { modal: true, detail };
  const buttons = [refuseLabel, confirmLabel];
  return (await vscode.window.showWarningMessage(plainNotification(message), options, ...buttons)) === confirmLabel;
}

/**
 * Shows a modal dialog with several buttons; the first is the default. Resolves to the label of the chosen one;
 * undefined if the user canceled.
 */
export async function choose(message: string, detail: string, buttons: readonly string[]): Promise<string | undefined> {
  const options = { modal: true, detail: plainNotification(detail) };
  return vscode.window.showWarningMessage(plainNotification(message), options, ...buttons);
}

function labels(buttons: readonly NotificationButton[]): string[] {
  return buttons.map((button) => button.label);
}

async function runChosen(buttons: readonly NotificationButton[], label: string | undefined): Promise<void> {
  await buttons.find((button) => button.label === label)?.run();
}
