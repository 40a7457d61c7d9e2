import { obtainDesktop } from '../install/desktop.ts';
import { openDesktopEditor } from './desktopEditor.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { openServerEditor } from './serverEditor.ts';

/** Whether to use desktop VS Code: `LINESIDE_EDITOR` is `desktop`, or `VSCODE_PATH` is set. */
export function desktopWanted(): boolean {
  return process.env['LINESIDE_EDITOR'] === 'desktop' || Boolean(process.env['VSCODE_PATH']);
}

/** Starts VS Code: the desktop version if it is requested and available, or else the server build. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  if (!desktopWanted()) return openServerEditor(options);
  const say = options.say ?? (() => undefined);
  const executable = await obtainDesktop(options.version, say);
  if (executable) return openDesktopEditor(executable, options);
  say('Using the server build of VS Code instead.');
  return openServerEditor(options);
}
