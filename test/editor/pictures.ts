/**
 * `npm run pictures`: media/readme.png, and pictures of the real thing in four themes and two widths of the side bar in
 * test-results/pictures, to be looked at. The demo's seed and clock make them alike from run to run.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryFolder } from './cache.ts';
import { copySampleProject } from './sampleProject.ts';
import { openServerEditor } from './serverEditor.ts';
import { packageExtension } from './vsix.ts';
import type { Workbench } from './workbench.ts';

/** The themes by their ids in VS Code 1.139, each with the class that the workbench then has. */
const themes: Readonly<Record<string, string>> = {
  'Light 2026': 'vs',
  'Light Modern': 'vs',
  'Dark 2026': 'vs-dark',
  'Dark Modern': 'vs-dark',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};
const readmeTheme = 'Dark 2026';
const widthsPx = [250, 600];
const folder = join(repositoryFolder, 'test-results', 'pictures');

/** What the pictures show: the demo's sessions, a conversation, and code with a selection. */
async function setScene(workbench: Workbench): Promise<void> {
  await workbench.runCommand('Session Deck: Try the Demo');
  await workbench.openFile('src/basket.ts');
  await workbench.focusView('Sessions');
  const rows = workbench.treeRows('Sessions');
  await rows.filter({ hasText: 'Fix login redirect loop' }).first().click();
  await workbench.webview().getByRole('article').first().waitFor();
  await workbench.openFile('src/basket.ts');
  await workbench.selectLines(15, 20);
}

async function useTheme(workbench: Workbench, theme: string, kind: string): Promise<void> {
  await workbench.setSetting('workbench.colorTheme', theme);
  // The class of the theme itself: two themes of one kind share the other.
  const named = `[class*="${theme.replace('Default High Contrast', 'hc').toLowerCase().replaceAll(' ', '-')}"]`;
  await workbench.page.locator(`.monaco-workbench.${kind}${named}`).waitFor();
  await workbench
    .webview()
    .locator(`body[data-vscode-theme-id=${JSON.stringify(theme)}]`)
    .waitFor();
}

async function takePictures(workbench: Workbench): Promise<void> {
  await setScene(workbench);
  for (const [theme, kind] of Object.entries(themes)) {
    await useTheme(workbench, theme, kind);
    for (const widthPx of widthsPx) {
      await workbench.resizeSideBar('secondary', widthPx);
      const file = join(folder, `${theme.replaceAll(' ', '-').toLowerCase()}-${widthPx}.png`);
      console.log(await workbench.screenshot(theme, file));
    }
    if (theme !== readmeTheme) continue;
    await workbench.resizeSideBar('secondary', 480);
    console.log(await workbench.screenshot(theme, join(repositoryFolder, 'media', 'readme.png')));
  }
}

await mkdir(folder, { recursive: true });
const { file: vsix } = await packageExtension();
const project = await copySampleProject();
try {
  const editor = await openServerEditor({ version: '1.139', folder: project.folder, vsix, say: console.log });
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
