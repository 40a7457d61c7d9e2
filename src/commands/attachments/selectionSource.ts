import { lastTextEditor } from '../../host/editors/openEditors.ts';
import type { Translate } from '../../shared/text.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** The selections of the last active text editor. */
export function selectionSource(attachments: Attachments, t: Translate): AttachmentSource<'selection'> {
  return {
    kind: 'selection',
    label: t('Selection'),
    title: t('Attach Selection'),
    whyUnavailable: () => {
      const isSelected = lastTextEditor()?.selections.some((selection) => !selection.isEmpty) === true;
      return isSelected ? undefined : t('Nothing is selected in the editor.');
    },
    choose: () => attachments.fromSelection(lastTextEditor()),
  };
}
