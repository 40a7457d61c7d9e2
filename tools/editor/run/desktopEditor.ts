import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchDesktop } from '../install/desktop.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { quickInputOf } from '../drive/quickInput.ts';
import { workbenchOf, workbenchShown } from '../drive/workbench.ts';

/** Starts the desktop VS Code instance at `executable`, and controls its window through its debugging port. */
export async function openDesktopEditor(executable: string, options: EditorOptions): Promise<Editor> {
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'lineside-editor-')));
  const removeData = async (): Promise<void> => {
    if (!options.dataFolder) await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const desktop = await launchDesktop(executable, dataFolder, options);
    let windows = 0;
    return {
      kind: 'desktop',
      dataFolder,
      extensionsFolder: join(dataFolder, 'extensions'),
      openWindow: async () => {
        if (windows++ > 0) throw new Error('A second window is driven in the server build only.');
        const workbench = workbenchOf(desktop.page, { dataFolder, reload: reloadWindow });
        await workbenchShown(desktop.page);
        return workbench;
      },
      output: () => desktop.program.output(),
      dispose: async () => {
        await desktop.browser.close();
        await desktop.program.dispose();
        await removeData();
      },
    };
  } catch (error) {
    await removeData();
    throw error;
  }
}

/**
 * Reloads the window with a VS Code command. A reload by Playwright would leave the main process of VS Code out of
 * sync.
 */
async function reloadWindow(page: Page): Promise<void> {
  const reloaded = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
  await quickInputOf(page).openAndPick('>Developer: Reload Window', 'Developer: Reload Window');
  await reloaded;
}
