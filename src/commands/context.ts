import type { Navigation } from '../views/navigation.ts';
import type { AttachmentPreview } from './attachments/preview.ts';
import type { Composer } from './composer/createComposer.ts';
import type { MessageActions } from './conversation/messageActions.ts';
import type { MessageFiles } from './conversation/messageFiles.ts';
import type { Services } from './services.ts';
import type { ChangeFiles } from './work/changeFiles.ts';

/** The services that pages use, with the actions that commands and pages share. */
export interface PageServices extends Services {
  /** Shows attachments of drafts and queued messages in read-only editors. */
  readonly attachmentPreview: AttachmentPreview;
  /** The files that the agent changed, as read-only documents. */
  readonly changeFiles: ChangeFiles;
  /** The composers of all pages and compose editors. */
  readonly composer: Composer;
  /** Copies and quotes messages. */
  readonly messageActions: MessageActions;
  /** Opens and saves images and files contained in messages. */
  readonly messageFiles: MessageFiles;
}

/** The services that commands use: those of pages, and navigation. */
export interface CommandContext extends PageServices {
  /** Opens conversations, documents, and usage pages. */
  readonly navigation: Navigation;
}
