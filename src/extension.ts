import { access } from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { registerTools } from './commands/languageModel/registerTools.ts';
import { registerCommands } from './commands/register.ts';
import { Disposables } from './shared/lifecycle.ts';
import { manifestCommands, manifestTools } from './host/manifestCommands.ts';
import { showError } from './host/prompts/notify.ts';
import { reasonOf } from './shared/log.ts';
import { startMarkerFile } from './sync/sessionList/startMarkerName.ts';
import type { PageResources } from './views/conversation/pageResources.ts';
import { LazyViewRegistrations } from './views/lazyViewRegistrations.ts';
import { Lazy } from './shared/lazy.ts';
import type { AppOptions, App } from './app/app.ts';

/** Set by the build: false in the packaged extension. */
declare const isDevelopmentBuild: boolean;

/** The time that the extension host gets to send waiting messages to VS Code. */
const sendDelayMs = 10;
/** The delay before background work begins, so that what activated the extension, such as a command, runs first. */
const resumeDelayMs = 200;

/** The function that `deactivate` runs. This is the only module-level state, because `deactivate` gets no arguments. */
const shutdownHook: { run?: () => Promise<void> } = {};

/**
 * Registers views, commands, language model tools, and the link handler. The rest of the extension is a separate
 * bundle, which is loaded when a view or one of our documents is shown, a command is run, a tool is called, a link is
 * opened, or the last window left something to resume.
 */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Disposables();
  context.subscriptions.push(own);
  const dataFolder = path.join(context.globalStorageUri.fsPath, 'data');
  // Pages are loaded by a small bundle of their own, so that VS Code can load a page while the app loads.
  const resources = new Lazy(async () => {
    const { PageResources } = await import('./views/conversation/pageResources.ts');
    return new PageResources(context.extensionUri);
  });
  const app = new Lazy<App>(() =>
    openApp({ context, dataFolder, treeView: views.treeView, own: new Disposables() }, resources, own),
  );
  const providers = async () => (await app.get()).viewProviders;
  const views: LazyViewRegistrations = own.add(new LazyViewRegistrations(resources, providers));
  const manifest: unknown = context.extension.packageJSON;
  const commands = manifestCommands(manifest);
  own.add(
    registerCommands(commands, async (name, given) => {
      const shown = app.started ? undefined : await (await resources.get()).showBefore(name, given);
      try {
        return await (await app.get()).runCommand(name, given);
      } finally {
        shown?.dispose();
      }
    }),
  );
  own.add(registerTools(manifestTools(manifest), async (...call) => (await app.get()).invokeTool(...call)));
  const handleUri = async (uri: vscode.Uri) => (await app.get()).followLink(uri);
  own.add(vscode.window.registerUriHandler({ handleUri }));
  shutdownHook.run = async () => (await app.started?.catch(() => undefined))?.shutdown();
  void resumeIfNeeded(context, dataFolder, app);
}

/** Writes all unsaved data to disk. VS Code waits a few seconds for that before it stops the extension host. */
export async function deactivate(): Promise<void> {
  await shutdownHook.run?.();
}

/**
 * Loads and creates the app. On failure, disposes whatever was already created, so that a retry starts clean, and shows
 * the error. Rejects with that error.
 */
async function openApp(
  options: Omit<AppOptions, 'resources'>,
  resources: Lazy<PageResources>,
  owner: Disposables,
): Promise<App> {
  try {
    // Running the modules blocks this process, which may not have sent the page to VS Code yet.
    await wait(sendDelayMs);
    const { preloadApp } = await import('./host/bundleCache.ts');
    owner.add(preloadApp(options.context));
    const { createApp } = await import('./app/app.ts');
    owner.add(options.own);
    return createApp({ ...options, resources: await resources.get() });
  } catch (error) {
    options.own.dispose();
    void showLoadError(error);
    throw error;
  }
}

async function resumeIfNeeded(context: vscode.ExtensionContext, dataFolder: string, app: Lazy<App>): Promise<void> {
  const isDevelopment = isDevelopmentBuild && context.extensionMode === vscode.ExtensionMode.Development;
  await wait(resumeDelayMs);
  const hasMarker = await access(path.join(dataFolder, startMarkerFile)).then(
    () => true,
    () => false,
  );
  if (hasMarker || isDevelopment) await (await app.get()).resumeIfNeeded();
}

async function showLoadError(error: unknown): Promise<void> {
  const { t } = vscode.l10n;
  await showError(
    t("Couldn't load Lineside: {0}. Your data wasn't changed. Reload the window to try again.", reasonOf(error)),
    { label: t('Reload Window'), run: () => vscode.commands.executeCommand('workbench.action.reloadWindow') },
  );
}
