import * as vscode from 'vscode';
import type { Translate } from '../../shared/text.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** Files chosen in a dialog. */
export function filesSource(attachments: Attachments, t: Translate): AttachmentSource<'pick'> {
  return {
    kind: 'pick',
    label: t('Choose Files...'),
    title: t('Attach Files'),
    whyUnavailable: () => undefined,
    choose: async () => {
      const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: t('Attach') });
      return uris && attachments.fromFiles(uris);
    },
  };
}
