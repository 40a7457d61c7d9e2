import type { ComposerWord } from '../../shared/protocol/composerProtocol.ts';
import type { Translate } from '../../shared/text.ts';

/** The composer's own words, in the editor's language. */
export function composerWords(t: Translate): Readonly<Record<ComposerWord, string>> {
  return {
    attachFolder: t('Folder...'),
    attachImages: t('Images...'),
    attachOpenEditors: t('Open Editors...'),
    attachProblems: t('Problems...'),
    attachDiff: t('Git Changes...'),
    attachCells: t('Notebook Cells...'),
    sendOptions: t('More Ways to Send'),
    sendNow: t('Send Now'),
    sendWhenIdle: t('Send When Idle'),
    chooseComputer: t('Send to Computer...'),
    forgetComputer: t("Send to the session's own computer"),
    composeInEditor: t('Compose in Editor'),
    insertSnippet: t('Insert Snippet...'),
    preview: t('Preview {0}'),
    suggestedFiles: t('Files'),
    snippets: t('Snippets'),
    pastedAsFile: t('The pasted text is long ({0} lines), so it was attached as a file.'),
    pasteAsText: t('Paste as Text Instead'),
    largePicture: t('{0} is large: {1} px, {2}.'),
    attachSmaller: t('Attach Smaller ({0} px, {1})'),
    attachAsIs: t('Attach As Is'),
    dontAttach: t('Do Not Attach'),
    tooLargeToPaste: t('{0} is {1}, too large to be pasted or dropped. Choose it with Attach instead.'),
    holdShift: t('Hold Shift to attach'),
    dropToAttach: t('Drop to attach'),
    dropTip: t('To drop files here, hold Shift.'),
  };
}
