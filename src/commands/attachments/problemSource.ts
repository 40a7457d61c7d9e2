import * as vscode from 'vscode';
import { type PickedContent, contentOfText } from '../../host/editors/pickedContent.ts';
import { type FileProblems, allProblems, problemText, problemsOf } from '../../host/editors/diagnostics.ts';
import { activeUri } from '../../host/editors/openEditors.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingToDoError } from '../errors.ts';

export const problemsFileName = 'problems.txt';

/** Which problems are meant; without `uri` the person is asked. `line` counts from 1. */
export interface ProblemPlace {
  readonly uri?: vscode.Uri | undefined;
  readonly line?: number | undefined;
}

/**
 * Problems of a file, or of all files, as a text of one problem a line. Undefined where the person was asked and chose
 * none. @throws NothingThereError where there is none.
 */
export async function chooseProblems({ uri, line }: ProblemPlace, t: Translate): Promise<PickedContent[] | undefined> {
  const files = uri ? [problemsOf(uri, line)] : await askForFiles(t);
  if (!files) return undefined;
  if (countOf(files) === 0)
    throw new NothingToDoError(t('VS Code reports no problems here, so there is nothing to attach.'));
  return [contentOfText(problemText(files), { name: problemsFileName })];
}

async function askForFiles(t: Translate): Promise<readonly FileProblems[] | undefined> {
  const all = allProblems();
  if (all.length === 0) return [];
  const active = activeUri();
  const ofActive = active ? [problemsOf(active)] : [];
  const choices = [
    ...(active && countOf(ofActive) > 0
      ? [{ label: t('Problems of {0}', plainLine(baseName(active), 120)), files: ofActive }]
      : []),
    { label: t('All problems'), files: all },
  ];
  const items = choices.map(({ label, files }) => ({ label, description: `${countOf(files)}`, files }));
  return (await vscode.window.showQuickPick(items, { title: t('Attach Problems') }))?.files;
}

function countOf(files: readonly FileProblems[]): number {
  return files.reduce((count, { diagnostics }) => count + diagnostics.length, 0);
}
