import * as vscode from 'vscode';
import { defined } from '../../shared/defined.ts';
import { readSettings } from '../../host/settings.ts';
import type { Translate } from '../../shared/text.ts';
import { maxComments } from '../../state/store/sessionRecord.ts';
import type { CommandContext } from '../context.ts';
import type { DocumentComments } from '../../views/documents/documentComments.ts';
import { CommentNotAdded, errorMessageOf, UserFacingError } from '../commandErrors.ts';
import type { CommandHandlers } from '../commandArguments.ts';

/** Commands for the comments of a draft, in the conversation and in its document. */
export function commentCommands({ activeConversation, documentComments, t }: CommandContext) {
  return {
    addComment: async ({ messageId, reply }) => {
      if (!reply) {
        activeConversation.page?.post({ type: 'comment', ...defined({ key: messageId }) });
        return;
      }
      await adding(reply.text, () => documentComments.add(reply), t);
      await focusDocument();
    },
    editComment: ({ comment }) => comment && documentComments.edit(comment),
    saveComment: async ({ comment }) => {
      if (comment) await adding(comment.body, () => documentComments.save(comment), t);
    },
    cancelComment: ({ comment }) => comment && documentComments.cancel(comment),
    deleteComment: async ({ comment }) => {
      if (!comment) return;
      await focusDocument();
      documentComments.remove(comment);
    },
  } satisfies Partial<CommandHandlers>;
}

/** Adds or saves a comment with this text. @throws CommentNotAdded if that isn't possible. */
async function adding(text: string, add: () => ReturnType<DocumentComments['add']>, t: Translate): Promise<void> {
  const outcome = await add().catch((cause: unknown) => {
    throw new CommentNotAdded(errorMessageOf(cause, readSettings(), t), text, { cause });
  });
  if (outcome === 'full') throw new CommentNotAdded(tooManyComments(t).message, text);
  if (outcome === 'noMessage') throw new CommentNotAdded(t("These lines don't belong to a message."), text);
}

/** Focuses the document, because VS Code focuses nothing when a thread with the focus is closed. */
async function focusDocument(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
}

/** The error for a comment that exceeds the maximum number of comments in a draft. */
export function tooManyComments(t: Translate): UserFacingError {
  return new UserFacingError(t('A draft can have up to {0} comments.', maxComments));
}
