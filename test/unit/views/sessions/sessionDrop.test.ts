import { expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { TreeRow } from '../../../../src/state/sessions/sessionTree.ts';
import { SessionDrop } from '../../../../src/views/sessions/sessionDrop.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const key = { origin: 'https://service.test', sessionId: 's1' };
const session: TreeRow = { kind: 'session', rowId: 'r1', key };
const message: TreeRow = { kind: 'message', rowId: 'r2', key, messageId: 'm1', parent: session };
const section: TreeRow = { kind: 'section', rowId: 'r3', section: { sectionId: 'today', kind: 'today' } };
const list = '# dropped\r\nfile:///work/a.ts\r\nno URI\r\nfile:///work/b.ts';

function transfer(items: Readonly<Record<string, string>>): vscode.DataTransfer {
  const get = (type: string) => ({ asString: () => Promise.resolve(items[type] ?? '') });
  return { get } as unknown as vscode.DataTransfer;
}

it.each([
  ['files on a session', session, list, ['file:///work/a.ts', 'file:///work/b.ts']],
  ['files on a message', message, list, ['file:///work/a.ts', 'file:///work/b.ts']],
  ['nothing on a section', section, list, undefined],
  ['nothing below the last row', undefined, list, undefined],
  ['nothing if no file was dropped', session, '', undefined],
])('attaches %s', async (_, row, dropped, uris) => {
  const attached: unknown[] = [];
  const attach = (to: object, files: readonly vscode.Uri[]) => Promise.resolve(attached.push([to, files.map(String)]));
  const addSessions = (texts: readonly string[]) => Promise.resolve(attached.push(texts));
  const drop = new SessionDrop({ attach, addSessions });
  await drop.handle(row, transfer({ 'text/uri-list': dropped }));
  expect(attached).toEqual(uris ? [[key, uris]] : []);
});

const address = 'https://service.test/sessions/s2';
const link = 'vscode-insiders://lineside.lineside/open?session=s2&message=m1';
const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

it.each<[string, TreeRow | undefined, Record<string, string>, readonly string[]]>([
  ['a URL below the last row', undefined, { 'text/uri-list': address }, [address]],
  ['URLs on a session', session, { 'text/uri-list': `${address}\r\n${address}3` }, [address, `${address}3`]],
  ['a URL in a selected text', section, { 'text/plain': `${address}\n` }, [address]],
  ['the ID in a selected text', section, { 'text/plain': uuid }, [uuid]],
  ['a URL with commas', session, { 'text/uri-list': `${address}?tags=x,y;z` }, [`${address}?tags=x,y;z`]],
  [
    'a URL with commas in a selected text',
    session,
    { 'text/plain': `${address}?tags=x,y;z` },
    [`${address}?tags=x,y;z`],
  ],
  ['a Lineside link on a session', session, { 'text/uri-list': link }, [link]],
  ['nothing from other text', section, { 'text/plain': `the secret of ${uuid}` }, []],
  ['nothing from a command', section, { 'text/uri-list': 'command:workbench.action.quit' }, []],
  ['nothing from text with a command', section, { 'text/plain': `[${address}](command:quit)` }, []],
  ['nothing from text with an icon', section, { 'text/plain': `$(alert) ${address}` }, []],
  ['nothing from hidden characters', section, { 'text/plain': `\u202E${uuid}` }, []],
  ['nothing from a URL with a password', section, { 'text/plain': 'https://a:b@service.test/sessions/s2' }, []],
  ['nothing from very long text', section, { 'text/plain': `${address} `.repeat(100_000) }, []],
  ['nothing from the names of dropped files', section, { 'text/uri-list': list, 'text/plain': uuid }, []],
])('adds %s', async (_, row, items, added) => {
  const references: string[] = [];
  const attach = () => Promise.reject(new Error('attached'));
  const addSessions = (texts: readonly string[]) => Promise.resolve(references.push(...texts));
  await new SessionDrop({ attach, addSessions }).handle(row, transfer(items));
  expect(references).toEqual(added);
});
