import { expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { readGiven } from '../../../src/commands/givenArgument.ts';
import { Store } from '../../../src/state/store/store.ts';
import { SendProblemCodeActions } from '../../../src/views/sendProblemCodeActions.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { Position, Range, Uri } from '../../fakes/recordedEditor.ts';
import { key, t } from '../state/samples.ts';

vi.mock('vscode', async () => ({
  ...(await import('../../fakes/recordedEditor.ts')),
  CodeAction: class {
    command: vscode.Command | undefined;
  },
  CodeActionKind: { QuickFix: {} },
  CommentMode: { Preview: 1 },
  CommentThreadCollapsibleState: { Collapsed: 0 },
  languages: { registerCodeActionsProvider: () => ({ dispose: () => undefined }) },
}));

it('sends the problem on behalf of the user, to whom failures are shown', () => {
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const uri = Uri.file('/work/a.ts');
  const range = new Range(new Position(4, 0), new Position(4, 2));
  const actions = new SendProblemCodeActions(store, t);
  const [action] = actions.provideCodeActions(
    { uri } as unknown as vscode.TextDocument,
    range as unknown as vscode.Range,
    { diagnostics: [{}] } as unknown as vscode.CodeActionContext,
  );
  const { command, arguments: given = [] } = action?.command ?? {};
  expect(command).toBe('lineside.sendProblems');
  expect(readGiven(given)).toEqual({ fields: { uri, line: 5 }, caller: 'user' });
});
