import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { fileSessionCommands } from '../../../../src/commands/work/fileSessionCommands.ts';
import { recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { recordOf, sessionOf, t } from '../../state/samples.ts';
import { resultMarks, toolHeader } from '../../state/work/toolHeaders.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('the edits of a session have their own line, because a long title would cut them off', async () => {
  const folder = '/w/shop';
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'shop' }];
  const title = 'A long title of a session '.repeat(4).trim();
  const input = { file_path: 'src/a.ts', old_string: 'const one', new_string: 'const two' };
  const headers = [toolHeader('m', ['Edit', input]), resultMarks('r', 'm', 'Done')];
  const record = { ...recordOf({ session: sessionOf({ title }) }), headers };
  const context: unknown = {
    t,
    store: { records: [record] },
    messages: { headers: () => Promise.resolve(headers) },
    agentFiles: {
      savePaths: () => Promise.resolve(),
      matcher: (_key: unknown, _headers: unknown, file: unknown) => Promise.resolve(file),
    },
  };
  const uri = Uri.file(join(folder, 'src/a.ts')) as unknown as vscode.Uri;
  await fileSessionCommands(context as CommandContext).showFileSessions({ uri });
  const [rows = []] = recorded.flatMap(({ what, args }) =>
    what === 'quickPick' ? [args[0] as readonly vscode.QuickPickItem[]] : [],
  );
  expect(rows[1]?.label).toBe(title);
  expect(rows[1]?.detail).toMatch(/^1 edit · /);
  expect(rows[1]?.description).toBeUndefined();
});
