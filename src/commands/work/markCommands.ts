import * as vscode from 'vscode';
import { baseName, WorkspaceFile } from '../../host/files/workspacePaths.ts';
import { isolatedLine } from '../../shared/text.ts';
import type { CommandArguments, CommandHandlers } from '../commandArguments.ts';
import type { CommandContext } from '../context.ts';
import { NothingToDoError } from '../commandErrors.ts';
import { openSession } from '../sessions/openSession.ts';

/** The commands for the lines that agents wrote. */
export function markCommands(context: CommandContext) {
  return {
    toggleAgentMarks: (argument) => toggleMarks(context, argument),
    hideAgentMarks: async (argument) => context.agentMarks.hide((await editorOf(context, argument)).document),
    openAgentStep: (argument) => openStep(context, argument),
    nextAgentChange: () => goToMark(context, 'next'),
    previousAgentChange: () => goToMark(context, 'previous'),
  } satisfies Partial<CommandHandlers>;
}

/**
 * The editor of a file, by default the active one. A file without a visible editor is opened.
 * @throws NothingToDoError if no editor is active, or if the file isn't in the workspace.
 */
async function editorOf(
  { t }: CommandContext,
  { uri }: CommandArguments['toggleAgentMarks'],
): Promise<vscode.TextEditor> {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  if (!uri && !activeTextEditor) throw new NothingToDoError(t('Open a file in an editor first.'));
  const isMeant = ({ document }: vscode.TextEditor) => !uri || document.uri.toString() === uri.toString();
  const open = [activeTextEditor, ...visibleTextEditors].find((editor) => editor && isMeant(editor));
  if (open) return open;
  const name = uri ? isolatedLine(baseName(uri), 120) : '';
  if (!uri || !WorkspaceFile.of(uri)) throw new NothingToDoError(t('"{0}" isn\'t a file in this workspace.', name));
  return vscode.window.showTextDocument(uri);
}

/**
 * Shows or hides the marks.
 * @throws NothingToDoError if the file isn't in the workspace, or if no session on this machine wrote lines of it.
 */
async function toggleMarks(context: CommandContext, argument: CommandArguments['toggleAgentMarks']): Promise<void> {
  const { agentMarks, t } = context;
  const { document } = await editorOf(context, argument);
  if (agentMarks.isShown(document)) {
    await agentMarks.hide(document);
    return;
  }
  const name = isolatedLine(baseName(document.uri), 120);
  const file = WorkspaceFile.of(document.uri);
  if (!file) throw new NothingToDoError(t('"{0}" isn\'t a file in this workspace.', name));
  if ((await agentMarks.show(document, file)) === 0) {
    throw new NothingToDoError(
      t('No lines in "{0}" can be attributed to an agent in the conversations loaded on this machine.', name),
    );
  }
}

/**
 * Opens the conversation at the step that wrote a line, by default the line of the cursor.
 * @throws NothingToDoError if the line has no mark.
 */
async function openStep(context: CommandContext, argument: CommandArguments['openAgentStep']): Promise<void> {
  const { agentMarks, t } = context;
  const editor = await editorOf(context, argument);
  const line = argument.line === undefined ? editor.selection.active.line : argument.line - 1;
  if (!agentMarks.isShown(editor.document)) await toggleMarks(context, { uri: editor.document.uri });
  const mark = (await agentMarks.of(editor.document)).find(({ start, end }) => start <= line && line < end);
  if (!mark) throw new NothingToDoError(t("This line isn't marked as written by an agent."));
  await openSession(context, mark.source.key, mark.source.messageId);
}

/**
 * Moves the cursor to the next or previous mark of the active editor, and wraps around at the last or first one.
 * @throws NothingToDoError if no editor is active, or if it shows no marks.
 */
async function goToMark(context: CommandContext, direction: 'next' | 'previous'): Promise<void> {
  const { agentMarks, t } = context;
  const editor = await editorOf(context, {});
  const marks = await agentMarks.of(editor.document);
  const { line } = editor.selection.active;
  const mark =
    direction === 'next'
      ? (marks.find(({ start }) => start > line) ?? marks[0])
      : (marks.findLast(({ start }) => start < line) ?? marks.at(-1));
  if (!mark) throw new NothingToDoError(t("Show the agent's changes in this file first."));
  const place = new vscode.Range(mark.start, 0, mark.start, 0);
  editor.selection = new vscode.Selection(place.start, place.start);
  editor.revealRange(place, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
