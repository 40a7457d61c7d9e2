import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../shared/lifecycle.ts';

/** The ID of this extension: publisher and name in package.json. */
export const extensionId = 'lineside.lineside';

/** The changes to include in a diff. A range compares `to` with its merge base with `from`. */
export type DiffChoice =
  | { readonly kind: 'staged' | 'unstaged' }
  | { readonly kind: 'range'; readonly from: string; readonly to: string };

/** A repository that is open in VS Code's Git extension. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Whether two commits can be compared, which old versions of the Git extension don't support. */
  readonly canCompare: boolean;
  /**
   * The diff in Git's format; empty if nothing changed, and for a range if `canCompare` is false. Rejects if Git fails,
   * for example for an unknown commit.
   */
  diff(choice: DiffChoice): Promise<string>;
}

/** The part of the Git extension's API, version 1, that we use. */
interface GitExports {
  readonly enabled?: boolean;
  getAPI(version: 1): {
    readonly repositories: readonly ApiRepository[];
    getRepository?(uri: vscode.Uri): ApiRepository | null;
  };
}
interface ApiRepository {
  readonly rootUri: vscode.Uri;
  /** Fires after each `git status`, which the extension runs when files of the repository change. */
  readonly state?: { readonly onDidChange: vscode.Event<void> };
  diff(isStaged?: boolean): Promise<string>;
  diffBetweenPatch?(from: string, to: string): Promise<string>;
}

/**
 * The reason why there is no repository: the Git extension is disabled, runs on another machine, or has no open
 * repository.
 */
export type NoRepositoryReason = 'off' | 'elsewhere' | 'noRepository';

/**
 * Activates the Git extension and returns the open repositories, or the reason why there are none. Rejects if the
 * extension can't be activated.
 */
export async function gitRepositories(): Promise<readonly [GitRepository, ...GitRepository[]] | NoRepositoryReason> {
  const extension = vscode.extensions.getExtension<GitExports>('vscode.git');
  if (!extension) return isRemoteWorkspace() ? 'elsewhere' : 'off';
  const git = await extension.activate();
  if (git.enabled === false) return 'off';
  const [first, ...others] = git.getAPI(1).repositories.map((repository) => ({
    rootUri: repository.rootUri,
    canCompare: repository.diffBetweenPatch !== undefined,
    diff: (choice: DiffChoice) => diffOf(repository, choice),
  }));
  return first ? [first, ...others] : 'noRepository';
}

/**
 * Calls `changed` when files in the repositories of these folders may have changed, until the result is disposed.
 * Undefined if the Git extension isn't running in this host, is disabled, or has no repository for one of the folders.
 * Doesn't start the extension.
 */
export function followRepositories(
  folders: readonly vscode.WorkspaceFolder[],
  changed: () => void,
): Disposable | undefined {
  const extension = vscode.extensions.getExtension<GitExports>('vscode.git');
  if (extension?.isActive !== true || extension.exports.enabled === false) return undefined;
  const api = extension.exports.getAPI(1);
  const states = folders.map(({ uri }) => api.getRepository?.(uri)?.state);
  const disposables = new Disposables();
  for (const state of new Set(states)) {
    if (!state) {
      disposables.dispose();
      return undefined;
    }
    disposables.add(state.onDidChange(changed));
  }
  return disposables;
}

/** Whether this extension runs on the local machine and the workspace on a remote one. */
function isRemoteWorkspace(): boolean {
  const own = vscode.extensions.getExtension(extensionId);
  return vscode.env.remoteName !== undefined && own?.extensionKind === vscode.ExtensionKind.UI;
}

/** Whether a word can be the name of a commit. False for Git options, ranges, and words with spaces or colons. */
export function isCommitName(word: string): boolean {
  return /^[^\s\-:][^\s:]*$/.test(word) && !word.includes('..');
}

async function diffOf(repository: ApiRepository, choice: DiffChoice): Promise<string> {
  if (choice.kind !== 'range') return repository.diff(choice.kind === 'staged');
  const { from, to } = choice;
  if (!isCommitName(from) || !isCommitName(to)) throw new Error('not the name of a commit');
  return (await repository.diffBetweenPatch?.(from, to)) ?? '';
}
