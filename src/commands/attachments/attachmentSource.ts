import type * as vscode from 'vscode';
import type { AttachmentMenuItem } from '../../shared/protocol/pageModel.ts';
import type { AttachmentKind } from '../../shared/protocol/vocabulary.ts';
import type { StoredAttachment } from '../../state/store/outboxEntry.ts';

/** The target that the user already selected, for example in a context menu. */
export interface AttachmentTarget {
  readonly uri?: vscode.Uri | undefined;
  readonly uris?: readonly vscode.Uri[] | undefined;
  /** The 1-based number of a line in the file `uri`. */
  readonly line?: number | undefined;
  /** The range of the file `uri` whose problems are meant. */
  readonly problemRange?: vscode.Range | undefined;
  /** Whether to attach what is at the cursor without asking. */
  readonly atCursor?: boolean | undefined;
}

/**
 * One entry of the Attach menu. To add a source, add one file to this folder, one line to `sources.ts`, and the kind
 * and icon to `vocabulary.ts`. docs/architecture.md lists the rest.
 */
export interface AttachmentSource<K extends AttachmentKind = AttachmentKind> extends Omit<AttachmentMenuItem, 'icon'> {
  readonly kind: K;
  /** The title of the prompts shown while attaching. */
  readonly title: string;
  /** Explains why nothing can be attached right now; undefined if there is something to attach. */
  whyUnavailable(): string | undefined | Promise<string | undefined>;
  /**
   * Lets the user choose the content to attach, and stores it. Resolves to undefined if the user cancels.
   * @throws UserFacingError or NotAttachable if there is nothing to attach, or if the content can't be attached.
   */
  choose(target: AttachmentTarget): Promise<StoredAttachment[] | undefined>;
}
