import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** User settings that prevent notifications, prompts, animations, and network requests in a new VS Code instance. */
const quietSettings: Readonly<Record<string, unknown>> = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.welcomePage.walkthroughs.openOnInstall': false,
  'chat.disableAIFeatures': true,
  // Without chat, the secondary side bar would open empty.
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
  'window.commandCenter': false,
  // Progress bars and blinking cursors would be drawn all the time, which slows down everything on a small machine.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'files.hotExit': 'off',
  // Highlighting needs no language server, and each window would start several.
  'js/ts.tsserver.useSyntaxServer': 'always',
  'remote.autoForwardPorts': false,
  // Otherwise, the extension host lists the open files of all processes every few seconds, to find ports. The server
  // build does so even if it forwards none.
  'remote.autoForwardPortsSource': 'output',
};

/** Writes a settings file with the quiet settings and `added`, which takes precedence. */
export async function writeSettings(file: string, added: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quietSettings, ...added }, undefined, 2));
}
