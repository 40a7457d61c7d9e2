import { markedFolder } from '../tools/toolMarks.ts';

/** The number of characters that are searched. Agents describe the environment at the start of a text. */
const maxSearched = 20_000;
/** How the tooling of Codex, of Cline and Roo Code, of Cursor, and of Gemini CLI names the folder, in this order. */
const forms =
  /<cwd>([^<>\n]{1,400})<\/cwd>|^# Current (?:Working|Workspace) Directory \(([^\n]{1,400})\) Files$|^Workspace Path: ([^\n]{1,400})$|\bcurrently working in the directory: ([^\n]{1,400})$/m;

/**
 * The folder in which the agent works, from the text that its tooling added to a prompt. Undefined if the text names
 * none, or if a header can't contain the path unchanged.
 */
export function workingFolderIn(added: string): string | undefined {
  // Only the group of the form that matched has text.
  return markedFolder(forms.exec(added.slice(0, maxSearched))?.slice(1).join('').trim());
}
