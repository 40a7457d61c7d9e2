import type { InertDocuments } from '../host/readOnlyFiles/inertDocuments.ts';
import type { DocumentComments } from '../views/documents/documentComments.ts';
import type { Navigation } from '../views/navigation.ts';
import type { AttachmentServices } from './attachments/attachments.ts';
import type { AttachmentPreview } from './attachments/attachmentPreview.ts';
import type { Composer } from './composer/createComposer.ts';
import type { Comparisons } from './conversation/comparisons.ts';
import type { MessageActions } from './conversation/messageActions.ts';
import type { MessageFiles } from './conversation/messageFiles.ts';
import type { SystemNotifications } from './notices/systemNotifications.ts';
import type { CommandRunner } from './commandRunner.ts';
import type { AgentFiles } from './work/agentFiles.ts';
import type { AgentMarks } from './work/agentMarks.ts';
import type { ChangeFiles } from './work/changeFiles.ts';
import type { WorkspacePresence } from './work/workspacePresence.ts';

/** The services that pages use, with the actions that commands and pages share. */
export interface PageServices extends AttachmentServices {
  /** Finds the workspace files for paths that agents wrote. */
  readonly agentFiles: AgentFiles;
  /** Marks the lines that agents wrote in files. */
  readonly agentMarks: AgentMarks;
  /** Shows attachments of drafts and of messages in the outbox in read-only editors. */
  readonly attachmentPreview: AttachmentPreview;
  /** The files that the agent changed, as read-only documents. */
  readonly changeFiles: ChangeFiles;
  /** Runs our commands, and shows their errors. */
  readonly commands: CommandRunner;
  /** Compares messages and code in the diff editor. */
  readonly comparisons: Comparisons;
  /** The composers of all pages and compose editors. */
  readonly composer: Composer;
  /** Keeps VS Code from interpreting text from agents in documents. */
  readonly inertDocuments: InertDocuments;
  /** Copies and quotes messages. */
  readonly messageActions: MessageActions;
  /** Opens images of messages in editors, and saves files of messages. */
  readonly messageFiles: MessageFiles;
  /** Knows how much of the agent's changes is in the workspace. */
  readonly presence: WorkspacePresence;
  /** Repeats notifications about sessions as notifications of the operating system. */
  readonly systemNotifications: SystemNotifications;
}

/** The services that commands use: those of pages, navigation, and comments in documents. */
export interface CommandContext extends PageServices {
  /** The comments of drafts in conversation documents. */
  readonly documentComments: DocumentComments;
  /** Opens conversations, documents, and usage pages. */
  readonly navigation: Navigation;
}
