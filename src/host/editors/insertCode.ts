import * as vscode from 'vscode';

/** Why code did not get into an editor; the words are the caller's. */
export type NotInserted = 'noEditor' | 'refused';

/**
 * Puts a text where the cursor is, in place of what is selected, as one step of the editor's undo, and gives that editor
 * the focus. The editor is the one the person was in last, else the only one in sight.
 * @returns undefined once it is there.
 */
export async function insertAtCursor(text: string): Promise<NotInserted | undefined> {
  const editor = vscode.window.activeTextEditor ?? onlyEditor();
  if (!editor) return 'noEditor';
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) return 'refused';
  const { document, viewColumn } = editor;
  await vscode.window.showTextDocument(document, { ...(viewColumn === undefined ? {} : { viewColumn }) });
  return undefined;
}

/** Where nobody was in an editor since the conversation got its own tab, one in sight is meant if there is but one. */
function onlyEditor(): vscode.TextEditor | undefined {
  const written = vscode.window.visibleTextEditors.filter(({ document }) => document.uri.scheme !== 'output');
  return written.length === 1 ? written[0] : undefined;
}

/** Opens a text as a new file that is not saved, in the language a message names it by where the editor has it. */
export async function openInNewFile(content: string, languageName: string | undefined): Promise<void> {
  const language = await languageIdOf(languageName);
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: false });
}

/** What messages call a language, where that is not the editor's own id for it. */
const languageIds: ReadonlyMap<string, string> = new Map([
  ['bash', 'shellscript'],
  ['c++', 'cpp'],
  ['cjs', 'javascript'],
  ['console', 'shellscript'],
  ['cs', 'csharp'],
  ['docker', 'dockerfile'],
  ['golang', 'go'],
  ['htm', 'html'],
  ['js', 'javascript'],
  ['jsx', 'javascriptreact'],
  ['kt', 'kotlin'],
  ['make', 'makefile'],
  ['md', 'markdown'],
  ['mjs', 'javascript'],
  ['patch', 'diff'],
  ['ps1', 'powershell'],
  ['py', 'python'],
  ['rb', 'ruby'],
  ['rs', 'rust'],
  ['sh', 'shellscript'],
  ['shell', 'shellscript'],
  ['svg', 'xml'],
  ['toml', 'ini'],
  ['ts', 'typescript'],
  ['tsx', 'typescriptreact'],
  ['yml', 'yaml'],
  ['zsh', 'shellscript'],
]);

async function languageIdOf(name: string | undefined): Promise<string> {
  const known = new Set(await vscode.languages.getLanguages());
  const asked = name?.toLowerCase() ?? '';
  const candidates = [asked, languageIds.get(asked) ?? ''];
  return candidates.find((candidate) => known.has(candidate)) ?? 'plaintext';
}
