import { expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { TreeRow } from '../../../../src/state/sessions/tree.ts';
import { SessionDrop } from '../../../../src/views/sessions/sessionDrop.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const key = { origin: 'https://service.test', sessionId: 's1' };
const session: TreeRow = { kind: 'session', rowId: 'r1', key };
const message: TreeRow = { kind: 'message', rowId: 'r2', key, messageId: 'm1', parent: session };
const section: TreeRow = { kind: 'section', rowId: 'r3', section: { sectionId: 'today', kind: 'today' } };
const list = '# dropped\r\nfile:///work/a.ts\r\nno URI\r\nfile:///work/b.ts';

it.each([
  ['files on a session', session, list, ['file:///work/a.ts', 'file:///work/b.ts']],
  ['files on a message', message, list, ['file:///work/a.ts', 'file:///work/b.ts']],
  ['nothing on a section', section, list, undefined],
  ['nothing below the last row', undefined, list, undefined],
  ['nothing if no file was dropped', session, '', undefined],
])('attaches %s', async (_, row, dropped, uris) => {
  const attached: unknown[] = [];
  const attach = (to: object, files: readonly vscode.Uri[]) => Promise.resolve(attached.push([to, files.map(String)]));
  const drop = new SessionDrop(() => Promise.resolve({ attach }));
  const item = { asString: () => Promise.resolve(dropped) };
  await drop.handleDrop(row, { get: () => item } as unknown as vscode.DataTransfer);
  expect(attached).toEqual(uris ? [[key, uris]] : []);
});
