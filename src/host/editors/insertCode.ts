import * as vscode from 'vscode';
import { fileSchemes } from '../readOnlyFiles/readOnlyFileSystem.ts';
import type { InertDocuments } from '../readOnlyFiles/inertDocuments.ts';
import { inertLanguage } from '../readOnlyFiles/inertLanguages.ts';

/** The reason why code was not inserted. */
type NotInserted = 'noEditor' | 'refused';

const ownSchemes: readonly string[] = Object.values(fileSchemes);

/**
 * Replaces the selections of the {@link targetEditor} with the text, as one undo step, and focuses the editor. Editors
 * of our read-only documents are excluded. Resolves to undefined if the text was inserted, and to the reason otherwise.
 */
export async function insertAtCursor(text: string): Promise<NotInserted | undefined> {
  const editor = targetEditor(ownSchemes);
  if (!editor) return 'noEditor';
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone) return 'refused';
  const { document, viewColumn } = editor;
  await vscode.window.showTextDocument(document, { ...(viewColumn === undefined ? {} : { viewColumn }) });
  return undefined;
}

/**
 * The editor that code from a page is meant for: the active text editor, the only visible one, or the other side of the
 * active comparison. Output channels and documents with an excluded scheme don't count. By default, only the scheme
 * `lineside-compare` is excluded. Undefined if no editor qualifies.
 */
export function targetEditor(excluded: readonly string[] = [fileSchemes.compare]): vscode.TextEditor | undefined {
  const { activeTextEditor: active, visibleTextEditors } = vscode.window;
  const isTarget = ({ document: { uri } }: vscode.TextEditor) =>
    uri.scheme !== 'output' && !excluded.includes(uri.scheme);
  if (active && isTarget(active)) return active;
  const targets = visibleTextEditors.filter(isTarget);
  if (targets.length === 1) return targets[0];
  return active && targets.find(({ viewColumn }) => viewColumn === active.viewColumn);
}

/**
 * Opens text in a new untitled document. `languageName` is the name that a message uses for the language of the text.
 * The document gets the {@link inertLanguage} for that language, or is plain text if the language isn't known. `inert`
 * keeps its links to files from leading anywhere. When the document is saved, VS Code gives it the language of its file
 * name.
 */
export async function openInNewFile(
  content: string,
  languageName: string | undefined,
  inert: InertDocuments,
): Promise<void> {
  const language = inertLanguage(await languageIdOf(languageName));
  const document = await vscode.workspace.openTextDocument({ content, language });
  inert.follow(document);
  await vscode.window.showTextDocument(document, { preview: false });
}

/** VS Code's language IDs, by the names that messages use for these languages. Names that equal the ID are omitted. */
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
