import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** User settings that keep a fresh VS Code from talking, asking and fetching on its own. */
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
  // It would open on the chat that is turned off, and be empty.
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'git.openRepositoryInParentFolders': 'never',
  'window.commandCenter': false,
  'files.hotExit': 'off',
};

/** Writes a settings file: the quiet settings and `added`, which win. */
export async function writeSettings(file: string, added: Readonly<Record<string, unknown>> = {}): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quietSettings, ...added }, undefined, 2));
}
