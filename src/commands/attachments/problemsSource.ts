import { pickRow } from '../../host/prompts/picker.ts';
import { type PickedContent, contentOfText } from '../../host/editors/pickedContent.ts';
import { type FileProblems, allProblems, problemText, problemsOf } from '../../host/editors/diagnostics.ts';
import { activeUri } from '../../host/editors/openEditors.ts';
import { baseName } from '../../host/files/workspacePaths.ts';
import { type Translate, plainLine } from '../../shared/text.ts';
import { NothingToDoError } from '../commandErrors.ts';
import type { AttachmentSource, AttachmentTarget } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

const fileName = 'problems.txt';

/** The problems that VS Code reports, one per line. */
export function problemsSource(attachments: Attachments, t: Translate): AttachmentSource<'problems'> {
  return {
    kind: 'problems',
    label: t('Problems...'),
    title: t('Attach Problems'),
    whyUnavailable: () => (allProblems().length > 0 ? undefined : t('No problems found.')),
    choose: async (target) => {
      const picked = await chooseProblems(target, t);
      return picked && attachments.fromContents([picked]);
    },
  };
}

/** The problems of the target, or of the files that the user chooses. Resolves to undefined if the user cancels. */
async function chooseProblems(
  { uri, line, problemRange }: AttachmentTarget,
  t: Translate,
): Promise<PickedContent | undefined> {
  const files = uri ? [problemsOf(uri, problemRange ?? line)] : await askForFiles(t);
  if (!files) return undefined;
  if (countOf(files) === 0) throw new NothingToDoError(t('No problems found.'));
  return contentOfText(problemText(files), { name: fileName });
}

async function askForFiles(t: Translate): Promise<readonly FileProblems[] | undefined> {
  const all = allProblems();
  if (all.length === 0) return [];
  const active = activeUri();
  const ofActive = active ? [problemsOf(active)] : [];
  const choices = [
    ...(active && countOf(ofActive) > 0
      ? [{ label: t('Problems in {0}', plainLine(baseName(active), 120)), files: ofActive }]
      : []),
    { label: t('All problems'), files: all },
  ];
  const items = choices.map(({ label, files }) => ({ label, description: `${countOf(files)}`, files }));
  return (await pickRow(items, { title: t('Attach Problems') }))?.files;
}

function countOf(files: readonly FileProblems[]): number {
  return files.reduce((count, { diagnostics }) => count + diagnostics.length, 0);
}
