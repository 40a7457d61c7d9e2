import type { AttachHindrances } from '../../shared/protocol/composerProtocol.ts';
import { gitRepositories } from '../../host/editors/git.ts';
import { notebookCells } from '../../host/editors/notebookCells.ts';
import { allProblems } from '../../host/editors/diagnostics.ts';
import { activeUri, lastTextEditor, shownEditors } from '../../host/editors/openEditors.ts';
import type { Translate } from '../../shared/text.ts';
import { gitSentence } from './gitSource.ts';

/** Why some of what can be attached cannot be attached now, one sentence each. Never rejects. */
export async function attachHindrances(t: Translate): Promise<AttachHindrances> {
  const isSelected = lastTextEditor()?.selections.some((selection) => !selection.isEmpty) === true;
  const git = await gitRepositories().catch(() => 'off' as const);
  return {
    ...(activeUri() ? {} : { file: t('No file is open in the active editor.') }),
    ...(isSelected ? {} : { selection: t('Nothing is selected in the editor.') }),
    ...(shownEditors().length > 0 ? {} : { openEditors: t('No file is open in an editor.') }),
    ...(allProblems().length > 0 ? {} : { problems: t('VS Code reports no problems.') }),
    ...(typeof git === 'string' ? { diff: gitSentence(git, t) } : {}),
    ...(notebookCells() ? {} : { notebook: t('No notebook is open.') }),
  };
}
