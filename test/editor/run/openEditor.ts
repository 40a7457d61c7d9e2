import { obtainDesktop } from '../install/desktop.ts';
import { openDesktopEditor } from './desktopEditor.ts';
import type { Editor, EditorOptions } from './editor.ts';
import { openServerEditor } from './serverEditor.ts';

/** Whether desktop VS Code is asked for: by `LINESIDE_EDITOR=desktop`, or by naming one in `VSCODE_PATH`. */
export function desktopWanted(): boolean {
  return process.env['LINESIDE_EDITOR'] === 'desktop' || Boolean(process.env['VSCODE_PATH']);
}

/** Starts VS Code: the server build, or the desktop where it is asked for and can be had. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const executable = desktopWanted()
    ? await obtainDesktop(options.version, options.say ?? (() => undefined))
    : undefined;
  return executable ? openDesktopEditor(executable, options) : openServerEditor(options);
}
