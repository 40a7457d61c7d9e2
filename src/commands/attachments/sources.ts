import type { AttachmentMenuItem, UnavailableAttachments } from '../../shared/protocol/pageModel.ts';
import { attachmentIcons, type AttachmentKind } from '../../shared/protocol/vocabulary.ts';
import { defined } from '../../shared/defined.ts';
import type { Translate } from '../../shared/text.ts';
import type { AttachmentSource } from './attachmentSource.ts';
import type { Attachments } from './attachments.ts';
import { currentFileSource } from './currentFileSource.ts';
import { filesSource } from './filesSource.ts';
import { folderSource } from './folderSource.ts';
import { gitSource } from './gitSource.ts';
import { imagesSource } from './imagesSource.ts';
import { notebookSource } from './notebookSource.ts';
import { openEditorsSource } from './openEditorsSource.ts';
import { problemsSource } from './problemsSource.ts';
import { selectionSource } from './selectionSource.ts';
import { symbolSource } from './symbolSource.ts';
import { terminalSource } from './terminalSource.ts';

export type AttachmentSources = { readonly [K in AttachmentKind]: AttachmentSource<K> };

/** Everything that can be attached, in the order of the Attach menu. */
export function attachmentSources(attachments: Attachments, t: Translate): AttachmentSources {
  return {
    file: currentFileSource(attachments, t),
    selection: selectionSource(attachments, t),
    symbol: symbolSource(attachments, t),
    pick: filesSource(attachments, t),
    folder: folderSource(attachments, t),
    image: imagesSource(attachments, t),
    openEditors: openEditorsSource(attachments, t),
    problems: problemsSource(attachments, t),
    diff: gitSource(attachments, t),
    notebook: notebookSource(attachments, t),
    terminal: terminalSource(attachments, t),
  };
}

/** The entries of the Attach menu of a page. */
export function attachmentMenu(sources: AttachmentSources): AttachmentMenuItem[] {
  return Object.values(sources).map(({ kind, label, startsGroup }) => {
    return defined({ kind, label, icon: attachmentIcons[kind], startsGroup });
  });
}

/** The sources that have nothing to attach right now, with the reasons. Never rejects. */
export async function unavailableAttachments(sources: AttachmentSources): Promise<UnavailableAttachments> {
  const reasons = Object.values(sources).map(async (source: AttachmentSource) => {
    const reason = await source.whyUnavailable();
    return reason === undefined ? [] : [[source.kind, reason] as const];
  });
  return Object.fromEntries((await Promise.all(reasons)).flat());
}
