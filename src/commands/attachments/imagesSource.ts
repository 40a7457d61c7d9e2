import * as vscode from 'vscode';
import type { Translate } from '../../shared/text.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';

/** Images chosen in a dialog. */
export function imagesSource(attachments: Attachments, t: Translate): AttachmentSource<'image'> {
  return {
    kind: 'image',
    label: t('Images...'),
    title: t('Attach Images'),
    whyUnavailable: () => undefined,
    choose: async () => {
      const filters = { [t('Images')]: ['png', 'jpg', 'jpeg', 'gif', 'webp'] };
      const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: t('Attach'), filters });
      return uris && attachments.fromFiles(uris);
    },
  };
}
