import * as vscode from 'vscode';
import { pickRow } from '../../host/prompts/picker.ts';
import { askText } from '../../host/prompts/askText.ts';
import {
  type DiffChoice,
  type GitRepository,
  type NoRepositoryReason,
  gitRepositories,
  isCommitName,
} from '../../host/editors/git.ts';
import { type PickedContent, contentOfText } from '../../host/editors/pickedContent.ts';
import { pathsInDiff } from '../../host/editors/secretContent.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { reasonOf } from '../../shared/log.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingToDoError, UserFacingError } from '../commandErrors.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** The changes in a Git repository, as a diff. */
export function gitSource(attachments: Attachments, t: Translate): AttachmentSource<'diff'> {
  return {
    kind: 'diff',
    label: t('Git Changes...'),
    title: t('Attach Git Changes'),
    whyUnavailable: async () => {
      const git = await gitRepositories().catch(() => 'off' as const);
      return typeof git === 'string' ? noRepositorySentence(git, t) : undefined;
    },
    choose: async () => {
      const picked = await chooseDiff(t);
      return picked && attachments.fromContents([picked.content], picked.uris);
    },
  };
}

interface PickedDiff {
  readonly content: PickedContent;
  readonly uris: readonly vscode.Uri[];
}

async function chooseDiff(t: Translate): Promise<PickedDiff | undefined> {
  const repository = await chooseRepository(t);
  const choice = repository && (await chooseChanges(repository, t));
  if (!choice) return undefined;
  const diff = await repository.diff(choice).catch((error: unknown) => {
    throw new UserFacingError(t("Git couldn't create the diff: {0}", plainLine(reasonOf(error), 300)));
  });
  if (diff === '') throw new NothingToDoError(t('No changes found.'));
  const uris = pathsInDiff(diff).map((path) => vscode.Uri.joinPath(repository.rootUri, path));
  return { content: contentOfText(diff, { name: nameOf(choice) }), uris };
}

async function chooseRepository(t: Translate): Promise<GitRepository | undefined> {
  const repositories = await gitRepositories();
  if (typeof repositories === 'string') throw new NothingToDoError(noRepositorySentence(repositories, t));
  if (repositories.length === 1) return repositories[0];
  const items = repositories.map((repository) => ({ label: plainLine(baseName(repository.rootUri), 120), repository }));
  const options = { title: t('Attach Git Changes'), placeHolder: t('Select a repository') };
  return (await pickRow(items, options))?.repository;
}

function noRepositorySentence(reason: NoRepositoryReason, t: Translate): string {
  const sentences = {
    off: t('The built-in Git extension is disabled.'),
    elsewhere: t("Lineside can't use Git on the remote machine."),
    noRepository: t('No Git repository is open in this window.'),
  };
  return sentences[reason];
}

async function chooseChanges({ canCompare }: GitRepository, t: Translate): Promise<DiffChoice | undefined> {
  const title = t('Attach Git Changes');
  const items: readonly (vscode.QuickPickItem & { readonly what: DiffChoice['kind'] })[] = [
    { label: t('Unstaged changes'), description: t('in tracked files'), what: 'unstaged' },
    { label: t('Staged changes'), what: 'staged' },
    ...(canCompare ? [{ label: t('Between two commits or branches...'), what: 'range' } as const] : []),
  ];
  const what = (await pickRow(items, { title }))?.what;
  if (what !== 'range') return what && { kind: what };
  const answer = await askText({
    title,
    prompt: t(
      'Enter a range, such as main...feature, to attach the changes made on feature since it branched from main.',
    ),
    placeholder: 'main...HEAD',
    value: '',
    check: (text) =>
      rangeOf(text)
        ? undefined
        : { message: t('Enter a branch, tag, or commit, or a range such as main...feature.'), isWarning: false },
  });
  return answer.kind === 'text' ? rangeOf(answer.text) : undefined;
}

/** Parses a range such as `a...b`; a single name is compared with HEAD. Undefined if the text isn't a valid range. */
function rangeOf(text: string): DiffChoice | undefined {
  const [from = '', to = 'HEAD', ...more] = text.trim().split('...');
  return more.length === 0 && isCommitName(from) && isCommitName(to) ? { kind: 'range', from, to } : undefined;
}

function nameOf(choice: DiffChoice): string {
  return choice.kind === 'range' ? `${choice.from}...${choice.to}.diff`.replaceAll('/', '-') : `${choice.kind}.diff`;
}
