import { expect, it, vi } from 'vitest';
import { CommentNotAdded } from '../../../../src/commands/commandErrors.ts';
import { commentCommands } from '../../../../src/commands/conversation/commentCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import type { DocumentComment } from '../../../../src/views/documents/documentComments.ts';
import { t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it.each([
  ['A draft can have up to 500 comments.', () => Promise.resolve('full')],
  ["These lines don't belong to a message.", () => Promise.resolve('noMessage')],
  ['The disk is full.', () => Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))],
])('fails with the text of a comment that was not added: %s', async (message, add) => {
  const documentComments = { add, save: add };
  const commands = commentCommands({ documentComments, t } as unknown as CommandContext);
  const failed = { constructor: CommentNotAdded, message: expect.stringContaining(message) as string, text: 'Why?' };
  const comment = { body: 'Why?' } as unknown as DocumentComment;
  await expect(commands.addComment({ reply: { text: 'Why?' } as never })).rejects.toMatchObject(failed);
  await expect(commands.saveComment({ comment })).rejects.toMatchObject(failed);
});
