import * as vscode from 'vscode';

/** How the editor names this extension: publisher and name of package.json. */
export const extensionId = 'lineside.lineside';

/** What of a repository's changes is meant. `to` of a range is compared with where it parted from `from`. */
export type DiffChoice =
  { readonly kind: 'staged' | 'unstaged' } | { readonly kind: 'range'; readonly from: string; readonly to: string };

/** A repository that VS Code's own Git extension has open. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Whether two commits can be compared: older versions of that extension cannot. */
  readonly canCompare: boolean;
  /** The diff as Git prints it, empty where there is none. Rejects where Git fails: there is no such commit, say. */
  diff(choice: DiffChoice): Promise<string>;
}

/** The part of the Git extension's API, version 1, that is used here. */
interface GitExports {
  readonly enabled?: boolean;
  getAPI(version: 1): { readonly repositories: readonly ApiRepository[] };
}
interface ApiRepository {
  readonly rootUri: vscode.Uri;
  diff(isStaged?: boolean): Promise<string>;
  diffBetweenPatch?(from: string, to: string): Promise<string>;
}

/** Why there is no repository: the Git extension is off, or runs where its exports cannot be reached, or has none open. */
export type NoRepositoryReason = 'off' | 'elsewhere' | 'noRepository';

/** The open repositories, at least one, or why there is none. */
export async function gitRepositories(): Promise<readonly [GitRepository, ...GitRepository[]] | NoRepositoryReason> {
  const extension = vscode.extensions.getExtension<GitExports>('vscode.git');
  if (!extension) return isAwayFromWorkspace() ? 'elsewhere' : 'off';
  const git = await extension.activate();
  if (git.enabled === false) return 'off';
  const [first, ...others] = git.getAPI(1).repositories.map((repository) => ({
    rootUri: repository.rootUri,
    canCompare: repository.diffBetweenPatch !== undefined,
    diff: (choice: DiffChoice) => diffOf(repository, choice),
  }));
  return first ? [first, ...others] : 'noRepository';
}

/** Whether this extension runs on the person's machine, and the workspace with its extensions on another. */
function isAwayFromWorkspace(): boolean {
  const own = vscode.extensions.getExtension(extensionId);
  return vscode.env.remoteName !== undefined && own?.extensionKind === vscode.ExtensionKind.UI;
}

/** Whether a word can be the name of a commit: never an option of Git, never two words. */
export function isCommitName(word: string): boolean {
  return /^[^\s\-:][^\s:]*$/.test(word) && !word.includes('..');
}

async function diffOf(repository: ApiRepository, choice: DiffChoice): Promise<string> {
  if (choice.kind !== 'range') return repository.diff(choice.kind === 'staged');
  const { from, to } = choice;
  if (!isCommitName(from) || !isCommitName(to)) throw new Error('not the name of a commit');
  return (await repository.diffBetweenPatch?.(from, to)) ?? '';
}
