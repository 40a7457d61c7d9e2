import { join } from 'node:path';
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, SilentReporter } from '@vscode/test-electron';
import { chromium, type Browser, type Page } from 'playwright-core';
import { cacheFolder } from './cache.ts';
import type { EditorOptions } from '../run/editor.ts';
import { extensionsToInstall, probeEnvironment } from '../drive/probe.ts';
import { runProgram, startProgram, type RunningProgram } from '../run/programs.ts';
import { writeSettings } from '../run/quietSettings.ts';
import type { EditorVersion } from './vscodeServer.ts';
import { patienceMs } from '../run/patience.ts';

/** The desktop releases of the VS Code versions that the extension is tested with. */
const releases: Readonly<Record<EditorVersion, string>> = { '1.110': '1.110.0', '1.139': '1.139.1' };

/**
 * The path of the desktop VS Code executable: `VSCODE_PATH`, or else a version downloaded by @vscode/test-electron. If
 * the download fails, reports the reason and resolves to undefined.
 */
export async function obtainDesktop(version: EditorVersion, say: (line: string) => void): Promise<string | undefined> {
  const named = process.env['VSCODE_PATH'];
  if (named) return named;
  const release = releases[version];
  try {
    say(`Looking for desktop VS Code ${release}; the first time it is downloaded (150 MB)...`);
    return await downloadAndUnzipVSCode({ version: release, cachePath: cacheFolder, reporter: new SilentReporter() });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    say(`Couldn't download desktop VS Code ${release} (${reason}). Set VSCODE_PATH to use an installed one.`);
    return undefined;
  }
}

/** A desktop VS Code instance with an open debugging port. */
export interface LaunchedDesktop {
  readonly browser: Browser;
  /** The first window's page. */
  readonly page: Page;
  readonly program: RunningProgram;
}

/** Installs the extensions, starts desktop VS Code with the workspace folder, and connects to its window. */
export async function launchDesktop(
  executable: string,
  dataFolder: string,
  options: EditorOptions,
): Promise<LaunchedDesktop> {
  const settingsFile = join(dataFolder, 'User', 'settings.json');
  await writeSettings(settingsFile, options.settings);
  const folders = ['--user-data-dir', dataFolder, '--extensions-dir', join(dataFolder, 'extensions')];
  await installOnDesktop(executable, await extensionsToInstall(options), folders);
  const args = [options.folder, ...folders, '--remote-debugging-port=0', ...desktopArguments(options)];
  const environment = {
    ELECTRON_RUN_AS_NODE: undefined,
    VSCODE_IPC_HOOK_CLI: undefined,
    ...probeEnvironment(dataFolder),
    ...options.environment,
  };
  const program = startProgram(executable, args, { environment });
  try {
    const [, port = ''] = await program.waitForOutput(/DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/, patienceMs);
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { timeout: patienceMs });
    return { browser, page: await workbenchPage(browser), program };
  } catch (error) {
    await program.dispose();
    throw error;
  }
}

/** Arguments that keep a desktop VS Code instance quiet, and those for the options. */
export function desktopArguments(
  options: Pick<EditorOptions, 'workspaceTrust' | 'developmentFolder' | 'testsModule'>,
): string[] {
  const quiet = ['--skip-welcome', '--skip-release-notes', '--disable-updates', '--disable-telemetry', '--disable-gpu'];
  const keyring = process.platform === 'linux' ? ['--no-sandbox', '--password-store=basic'] : [];
  const trust = options.workspaceTrust ? [] : ['--disable-workspace-trust'];
  const source = options.developmentFolder ? [`--extensionDevelopmentPath=${options.developmentFolder}`] : [];
  const tests = options.testsModule ? [`--extensionTestsPath=${options.testsModule}`] : [];
  return [...quiet, ...keyring, ...trust, ...source, ...tests];
}

/** Installs packaged extensions with the command line of desktop VS Code. Rejects with its output if that fails. */
export async function installOnDesktop(
  executable: string,
  vsixes: readonly string[],
  folders: readonly string[],
): Promise<void> {
  if (vsixes.length === 0) return;
  const [cli = executable, ...cliArgs] = resolveCliArgsFromVSCodeExecutablePath(executable, {
    reuseMachineInstall: true,
  });
  const installs = vsixes.flatMap((vsix) => ['--install-extension', vsix]);
  const { code, output } = await runProgram(cli, [...cliArgs, ...folders, ...installs, '--force']);
  if (code !== 0) throw new Error(`Could not install ${vsixes.join(', ')}:\n${output}`);
}

/** The page that shows the workbench. Waits for it if necessary, because the window opens after the debugging port. */
async function workbenchPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (!context) throw new Error('Desktop VS Code offers no window to connect to.');
  const isWorkbench = (page: Page): boolean => page.url().includes('workbench');
  const shown = context.pages().find(isWorkbench);
  return shown ?? context.waitForEvent('page', { predicate: isWorkbench, timeout: patienceMs });
}
