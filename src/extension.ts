import { access } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { registerCommands } from './commands/register.ts';
import { Disposables } from './shared/lifecycle.ts';
import { manifestCommands } from './host/manifestCommands.ts';
import { showError } from './host/prompts/notify.ts';
import { reasonOf } from './shared/log.ts';
import { startMarkerFile } from './sync/sessionList/startMarkerName.ts';
import { LazyViewRegistrations } from './views/lazyViews.ts';
import { Lazy } from './shared/lazy.ts';
import type { AppOptions, App } from './app/app.ts';

/** Set by the build: false in what is packaged. */
declare const isDevelopmentBuild: boolean;

/** The editor calls `deactivate` without saying for what: the one thing that has to be kept outside a function. */
const ending: { stopWriting?: () => Promise<void> } = {};

/**
 * Tells VS Code what there is, and looks whether the last window left something. Everything behind it is a bundle of its
 * own, loaded when somebody looks, runs a command, or something was left.
 */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Disposables();
  context.subscriptions.push(own);
  const dataFolder = path.join(context.globalStorageUri.fsPath, 'data');
  const app = new Lazy<App>(() =>
    openApp({ context, dataFolder, treeView: surfaces.treeView, own: new Disposables() }, own),
  );
  const surfaces: LazyViewRegistrations = own.add(new LazyViewRegistrations(async () => (await app.get()).surfaces));
  const commands = manifestCommands(context.extension.packageJSON);
  own.add(registerCommands(commands, async (name, given) => (await app.get()).runCommand(name, given)));
  const handleUri = async (uri: vscode.Uri) => (await app.get()).followLink(uri);
  own.add(vscode.window.registerUriHandler({ handleUri }));
  ending.stopWriting = async () => (await app.started?.catch(() => undefined))?.stopWriting();
  void startIfDue(context, dataFolder, app);
}

/** Writes what is not on disk yet; the editor waits for it before it ends the window's extensions. */
export async function deactivate(): Promise<void> {
  await ending.stopWriting?.();
}

/** What was opened until something failed is let go of again, so that the next try begins at the beginning. */
async function openApp(place: AppOptions, owner: Disposables): Promise<App> {
  try {
    const { createApp } = await import('./app/app.ts');
    owner.add(place.own);
    return createApp(place);
  } catch (error) {
    place.own.dispose();
    void tellNotLoaded(error);
    throw error;
  }
}

async function startIfDue(context: vscode.ExtensionContext, dataFolder: string, app: Lazy<App>): Promise<void> {
  const isDevelopment = isDevelopmentBuild && context.extensionMode === vscode.ExtensionMode.Development;
  const isLeft = await access(path.join(dataFolder, startMarkerFile)).then(
    () => true,
    () => false,
  );
  if (isLeft || isDevelopment) await (await app.get()).startIfDue();
}

async function tellNotLoaded(error: unknown): Promise<void> {
  const { t } = vscode.l10n;
  await showError(
    t('Lineside could not be loaded: {0}. Nothing was changed; reload the window to try again.', reasonOf(error)),
    { label: t('Reload Window'), run: () => vscode.commands.executeCommand('workbench.action.reloadWindow') },
  );
}
