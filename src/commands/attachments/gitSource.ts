import * as vscode from 'vscode';
import { askText } from '../../host/prompts/askText.ts';
import {
  type DiffChoice,
  type GitHindrance,
  type GitRepository,
  gitRepositories,
  isCommitName,
} from '../../host/editors/git.ts';
import { type PickedContent, contentOfText } from '../../host/editors/pickedContent.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { reasonOf } from '../../shared/log.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingToDoError, UserFacingError } from '../errors.ts';

/**
 * The changes in a Git repository that the person chooses, as Git prints them. Undefined where they chose none.
 * @throws ToldError where there is no repository, nothing changed, or Git refuses.
 */
export async function chooseDiff(t: Translate): Promise<PickedContent[] | undefined> {
  const repository = await chooseRepository(t);
  const choice = repository && (await chooseChanges(repository, t));
  if (!choice) return undefined;
  const diff = await repository.diff(choice).catch((error: unknown) => {
    throw new UserFacingError(t('Git could not compare them: {0}', plainLine(reasonOf(error), 300)));
  });
  if (diff === '') throw new NothingToDoError(t('Git finds no such changes, so there is nothing to attach.'));
  return [contentOfText(diff, { name: nameOf(choice) })];
}

async function chooseRepository(t: Translate): Promise<GitRepository | undefined> {
  const repositories = await gitRepositories();
  if (typeof repositories === 'string') throw new NothingToDoError(gitSentence(repositories, t));
  if (repositories.length === 1) return repositories[0];
  const items = repositories.map((repository) => ({ label: plainLine(baseName(repository.rootUri), 120), repository }));
  const options = { title: t('Attach Git Changes'), placeHolder: t('Choose a repository') };
  return (await vscode.window.showQuickPick(items, options))?.repository;
}

/** Says why there is no repository to take changes from. */
export function gitSentence(hindrance: GitHindrance, t: Translate): string {
  const sentences = {
    off: t("VS Code's Git extension is off."),
    elsewhere: t('Git runs on the remote machine, where Lineside cannot reach it.'),
    noRepository: t('No Git repository is open in this window.'),
  };
  return sentences[hindrance];
}

async function chooseChanges({ canCompare }: GitRepository, t: Translate): Promise<DiffChoice | undefined> {
  const title = t('Attach Git Changes');
  const items: readonly (vscode.QuickPickItem & { readonly what: DiffChoice['kind'] })[] = [
    { label: t('Unstaged changes'), description: t('of files that Git tracks'), what: 'unstaged' },
    { label: t('Staged changes'), what: 'staged' },
    ...(canCompare ? [{ label: t('Between two commits or branches...'), what: 'range' } as const] : []),
  ];
  const what = (await vscode.window.showQuickPick(items, { title }))?.what;
  if (what !== 'range') return what && { kind: what };
  const answer = await askText({
    title,
    prompt: t('Two commits, branches or tags. What changed on the second since it parted from the first is attached.'),
    placeholder: 'main...HEAD',
    value: '',
    check: (text) =>
      rangeOf(text) ? undefined : { message: t('Write two names with three dots between, or one.'), isWarning: false },
  });
  return answer.kind === 'text' ? rangeOf(answer.text) : undefined;
}

/** `a...b`; `a` alone is compared with HEAD. */
function rangeOf(text: string): DiffChoice | undefined {
  const [from = '', to = 'HEAD', ...more] = text.trim().split('...');
  return more.length === 0 && isCommitName(from) && isCommitName(to) ? { kind: 'range', from, to } : undefined;
}

function nameOf(choice: DiffChoice): string {
  return choice.kind === 'range' ? `${choice.from}...${choice.to}.diff`.replaceAll('/', '-') : `${choice.kind}.diff`;
}
