import { expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { parseArgument, readGiven } from '../../../src/commands/givenArgument.ts';
import { problemsOf } from '../../../src/host/editors/diagnostics.ts';
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
  languages: { getDiagnostics: () => diagnostics, registerCodeActionsProvider: () => ({ dispose: () => undefined }) },
}));

const diagnostics = [
  [3, 2, 3, 4],
  [4, 0, 4, 2],
  [4, 9, 4, 12],
  [6, 1, 6, 3],
  [7, 5, 7, 6],
].map(([line = 0, character = 0, endLine = 0, endCharacter = 0]) => ({
  range: new Range(line, character, endLine, endCharacter),
}));

/** What the quick fix for the problems in a range passes to the command. */
function offered(uri: Uri, range: Range): readonly unknown[] {
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const actions = new SendProblemCodeActions(store, t);
  const [action] = actions.provideCodeActions(
    { uri } as unknown as vscode.TextDocument,
    range as unknown as vscode.Range,
    { diagnostics: [{}] } as unknown as vscode.CodeActionContext,
  );
  actions.dispose();
  const { command, arguments: given = [] } = action?.command ?? {};
  expect(command).toBe('lineside.sendProblems');
  return given;
}

it('sends the problem on behalf of the user, to whom failures are shown', () => {
  const uri = Uri.file('/work/a.ts');
  const range = new Range(new Position(4, 0), new Position(4, 2));
  expect(readGiven(offered(uri, range))).toEqual({ fields: { uri, problemRange: range }, caller: 'user' });
  const script = [{ uri: uri.toString(), line: 5, problemRange: 1 }];
  expect(readGiven(script)).toEqual({ fields: { uri: uri.toString(), line: 5 }, caller: 'script' });
});

it('sends the problems for which it is offered, also in a selection of several lines', () => {
  const uri = Uri.file('/work/a.ts');
  const sent = (range: Range) => {
    const fields = parseArgument('sendProblems', readGiven(offered(uri, range)).fields, t);
    const { problemRange } = fields as { readonly problemRange?: vscode.Range };
    const { diagnostics: found } = problemsOf(uri as unknown as vscode.Uri, problemRange);
    return found.map(({ range: { start } }) => [start.line, start.character]);
  };
  expect(sent(new Range(4, 1, 4, 1))).toEqual([[4, 0]]);
  expect(sent(new Range(4, 5, 7, 0))).toEqual([
    [4, 9],
    [6, 1],
  ]);
});
