import { inject } from 'vitest';
import { type HostRunOptions, runInExtensionHost } from '../../../tools/editor/drive/extensionHost.ts';
import type { HostTestResult } from '../../../tools/editor/drive/hostTests.ts';
import type { Editor, EditorOptions } from '../../../tools/editor/run/editor.ts';
import { desktopWanted, openEditor } from '../../../tools/editor/run/openEditor.ts';
import { SharedBrowser } from '../../../tools/editor/run/sharedBrowser.ts';
import type { EditorVersion } from '../../../tools/editor/install/vscodeServer.ts';

type Own = 'version' | 'vsix' | 'browser';

/** The browser of this process. Its test files use it one after another. */
let browser: SharedBrowser | undefined;

/**
 * Opens VS Code 1.139, or the given version, with the packaged extension and by default with few built-in extensions.
 * In the server build, the windows open in the browser that test files share.
 */
export async function openPackaged(
  options: Omit<EditorOptions, Own> & { readonly version?: EditorVersion },
): Promise<Editor> {
  return openEditor({ version: '1.139', builtInExtensions: 'few', ...(await packaged()), ...options });
}

/** Runs a suite in the extension host of an editor that {@link openPackaged} would open. */
export async function runPackaged(
  options: Omit<HostRunOptions, Own> & { readonly version?: EditorVersion },
): Promise<HostTestResult[]> {
  return runInExtensionHost({ version: '1.139', builtInExtensions: 'few', ...(await packaged()), ...options });
}

async function packaged(): Promise<Pick<EditorOptions, 'vsix' | 'browser'>> {
  const vsix = inject('vsix');
  if (desktopWanted()) return { vsix };
  if (!browser?.isConnected) browser = await SharedBrowser.launch();
  return { vsix, browser };
}
