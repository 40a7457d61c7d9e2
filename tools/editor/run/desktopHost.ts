import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { bundleSuite } from '../drive/extensionHost.ts';
import type { HostTestResult } from '../drive/hostTests.ts';
import { desktopArguments, installOnDesktop } from '../install/desktop.ts';
import { writeSettings } from './quietSettings.ts';

/** A suite to run in desktop VS Code. */
export interface DesktopRun {
  /** The path of the desktop VS Code executable. */
  readonly executable: string;
  /** A TypeScript module that exports `tests`, of type HostTests. It may import `vscode`. */
  readonly suite: string;
  /** The workspace folder to open. */
  readonly folder: string;
  /** The packaged extension to install. */
  readonly vsix: string;
}

/**
 * Runs a suite inside the extension host of desktop VS Code with `runTests` of @vscode/test-electron, and resolves to
 * its results. Rejects if VS Code ends before the suite does. Doesn't use the extensions, settings, or windows of the
 * user.
 */
export async function runOnDesktop({ executable, suite, folder, vsix }: DesktopRun): Promise<HostTestResult[]> {
  // macOS limits the length of socket paths in the user data folder.
  const own = await mkdtemp(join(tmpdir(), 'ls-'));
  try {
    const folders = ['--user-data-dir', join(own, 'data'), '--extensions-dir', join(own, 'extensions')];
    await writeSettings(join(own, 'data', 'User', 'settings.json'));
    await installOnDesktop(executable, [vsix], folders);
    const reportFile = join(own, 'report.json');
    const developmentFolder = join(own, 'suite');
    const ended = await runTests({
      vscodeExecutablePath: executable,
      reuseMachineInstall: true,
      extensionDevelopmentPath: developmentFolder,
      extensionTestsPath: await bundleSuite(suite, developmentFolder, reportFile),
      extensionTestsEnv: { ELECTRON_RUN_AS_NODE: undefined, VSCODE_IPC_HOOK_CLI: undefined },
      launchArgs: [folder, ...folders, ...desktopArguments({})],
    }).catch((error: unknown) => error);
    if (!existsSync(reportFile)) throw new Error(`VS Code ended before the tests did: ${String(ended)}`);
    return JSON.parse(await readFile(reportFile, 'utf8')) as HostTestResult[];
  } finally {
    await rm(own, { recursive: true, force: true, maxRetries: 5 });
  }
}
