/**
 * `npm run pictures`: takes media/readme.png, and screenshots of the extension in six themes and two side bar widths
 * for review in test-results/pictures. The demo and the time zone make the screenshots the same in every run, except
 * for the minutes.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { treeRow } from '../../test/e2e/journey/pointing.ts';
import { conversationOf } from '../../test/e2e/journey/sessionSteps.ts';
import { repositoryFolder } from './install/cache.ts';
import { copySampleProject } from './sampleProject.ts';
import { openServerEditor } from './run/serverEditor.ts';
import { packageExtension } from './vsix.ts';
import { click } from './drive/act.ts';
import type { Workbench } from './drive/workbench.ts';

/** The theme IDs in VS Code 1.139, each with the class that the workbench gets. */
const themes: Readonly<Record<string, string>> = {
  'Light 2026': 'vs',
  'Light Modern': 'vs',
  'Dark 2026': 'vs-dark',
  'Dark Modern': 'vs-dark',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};
const readmeTheme = 'Dark 2026';
const sessionTitle = "Reject fruits that aren't on sale";
const widthsPx = [250, 600];
const folder = join(repositoryFolder, 'test-results', 'pictures');

/** Opens the content of the screenshots: the demo's main session with one of its edits, and the code that was sent. */
async function setScene(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Lineside: Try the Demo');
  await workbench.focusView('lineside.sessions');
  await treeRow(workbench, sessionTitle).and(workbench.page.locator('.selected')).waitFor();
  const work = workbench.webview();
  await click(work.getByRole('button', { name: 'Edited 2 files' }));
  await click(work.getByRole('button', { name: 'Edited src/basket.ts' }));
  await workbench.openFile('src/basket.ts');
  await workbench.selectLines(15, 20);
}

/** The time zone in which it is about 3 PM, so that the demo's recent sessions are all from today. */
function afternoon(): string {
  const ahead = 15 - new Date().getUTCHours();
  const offset = ahead > 14 ? ahead - 24 : ahead;
  // The signs of these zones are reversed.
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

async function useTheme(workbench: Workbench, theme: string, kind: string): Promise<void> {
  await workbench.setSetting('workbench.colorTheme', theme);
  await workbench.page.locator(`.monaco-workbench.${kind}`).waitFor();
  await workbench
    .webview()
    .locator(`body[data-vscode-theme-id=${JSON.stringify(theme)}]`)
    .waitFor();
}

/** Waits until elements that were highlighted under the pointer have faded. */
async function settle(workbench: Workbench): Promise<void> {
  await workbench.page.locator('.monaco-sash.hover, .monaco-sash.active').waitFor({ state: 'detached' });
  await workbench.page.locator('.editor-instance .scrollbar.visible').first().waitFor({ state: 'detached' });
}

async function takePicture(workbench: Workbench, widthPx: number, file: string): Promise<void> {
  await workbench.resizeSideBar('secondary', widthPx);
  await settle(workbench);
  console.log(await workbench.screenshot(file, file));
}

/** Takes screenshots of the usage page and of the first two steps of Edit Session Settings, on top of the scene. */
async function takeFlowPictures(workbench: Workbench, name: string): Promise<void> {
  const { quickInput } = workbench;
  const take = async (what: string) => {
    console.log(await workbench.screenshot(name, join(folder, `${name}-${what}.png`)));
  };
  await workbench.runCommand('Lineside: Show Token Usage');
  await workbench
    .webview({ place: 'editor' })
    .getByRole('region', { name: /^Turns/ })
    .getByRole('row')
    .nth(1)
    .waitFor();
  await take('usage');
  await workbench.runCommand('Lineside: Edit Session Settings...');
  await quickInput.rows.nth(1).waitFor();
  await take('settings');
  await quickInput.pick('Model');
  await quickInput.widget.getByPlaceholder(/, or enter /).waitFor();
  await take('settings-model');
  await quickInput.cancel();
  await workbench.runCommand('View: Close Editor');
}

/** Runs a complete turn. Token usage is recorded for a turn only if both its start and its end are observed. */
async function takeTurn(workbench: Workbench): Promise<void> {
  const { composer, say } = conversationOf(workbench);
  await say('Do both tests still pass?');
  const row = treeRow(workbench, sessionTitle);
  await row.locator('.codicon-sync').waitFor();
  await row.locator('.codicon-sync').waitFor({ state: 'detached' });
  await composer.blur();
}

async function takePictures(workbench: Workbench): Promise<void> {
  const nameOf = (theme: string) => theme.replaceAll(' ', '-').toLowerCase();
  await setScene(workbench);
  for (const [theme, kind] of Object.entries(themes)) {
    await useTheme(workbench, theme, kind);
    for (const widthPx of widthsPx) {
      await takePicture(workbench, widthPx, join(folder, `${nameOf(theme)}-${widthPx}.png`));
    }
    if (theme === readmeTheme) await takePicture(workbench, 480, join(repositoryFolder, 'media', 'readme.png'));
  }
  await takeTurn(workbench);
  for (const [theme, kind] of Object.entries(themes)) {
    await useTheme(workbench, theme, kind);
    await takeFlowPictures(workbench, nameOf(theme));
  }
}

const settings = {
  'window.title': '${rootName}',
  'editor.minimap.enabled': false,
  // Without animations, because a picker is transparent while it fades in.
  'workbench.reduceMotion': 'on',
};
process.env['TZ'] = afternoon();
await mkdir(folder, { recursive: true });
const { file: vsix } = await packageExtension();
const project = await copySampleProject();
try {
  const editor = await openServerEditor({ version: '1.139', folder: project.folder, vsix, settings, say: console.log });
  try {
    const workbench = await editor.openWindow();
    await takePictures(workbench).catch(async (error: unknown) => {
      await workbench.screenshot('failed pictures');
      throw error;
    });
  } finally {
    await editor.dispose();
  }
} finally {
  await project.dispose();
}
