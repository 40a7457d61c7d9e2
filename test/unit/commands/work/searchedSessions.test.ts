import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { searchedSessions } from '../../../../src/commands/work/searchedSessions.ts';
import { WorkspaceFile } from '../../../../src/host/files/workspacePaths.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { fileEdits } from '../../../../src/state/work/fileEdits.ts';
import { Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { t } from '../../state/samples.ts';
import { CacheWindow } from '../../sync/cache/cacheRig.ts';
import { key, LocalService, never, served } from '../../sync/history/historyRig.ts';
import { temporaryFolder } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let folder: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ path: folder, remove } = await temporaryFolder());
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'shop' }];
});
afterEach(() => remove());

it('a search for a file finds the changes in a session of which only the cache has messages', async () => {
  const input = { file_path: 'src/basket.ts', old_string: 'const fruit', new_string: 'const found' };
  const edit = { type: 'tool_use', id: 'edit', name: 'Edit', input } as const;
  const done = { type: 'tool_result', toolUseId: 'edit', isError: false, content: 'Done' } as const;
  const service = new LocalService([
    { ...served('m0', 1_700_000_000_000), role: 'assistant', content: [edit] },
    { ...served('m1', 1_700_000_001_000), role: 'tool', content: [done] },
  ]);
  const first = await CacheWindow.open(folder);
  await first.readAll(service.api);
  const { headers } = first.record;
  await first.close();

  const window = await CacheWindow.open(folder);
  const saved: (readonly MessageHeader[])[] = [];
  const agentFiles = {
    savePaths: (_: unknown, given: readonly MessageHeader[]) => Promise.resolve(void saved.push(given)),
    matcher: () => Promise.resolve({ matches: (path: string) => path === 'src/basket.ts' }),
  };
  const uri = Uri.file(join(folder, 'src/basket.ts')) as unknown as vscode.Uri;
  const file = WorkspaceFile.of(uri) ?? expect.unreachable();
  const found: unknown[] = [];
  const { store, messages } = window;
  for await (const one of searchedSessions({ store, messages, agentFiles, t }, file, never, () => undefined)) {
    const edits = fileEdits(one.headers, one.matcher);
    found.push({ key: one.record.listEntry.key, count: edits?.count, messageId: edits?.last.messageId });
  }
  expect(found).toEqual([{ key, count: 1, messageId: 'm0' }]);
  expect(saved).toEqual([headers]);
  // The search leaves the session as it is: nothing else in the window has read it.
  expect(window.record.history.completeness).toBe('unread');
  expect(window.record.headers).toEqual([]);
  await window.close();
});
