import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { elsewhereCommands } from '../../../../src/commands/sessions/elsewhereCommands.ts';
import { TemplateApprovals } from '../../../../src/host/storage/templateApprovals.ts';
import { printedCommand } from '../../../../src/commands/sessions/templateApproval.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { configured, person, recorded, workspace } from '../../../fakes/recordedEditor.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { entryOf, ready, sessionOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const url = 'lineside.openInBrowser.url';
const command = 'lineside.openInTerminal.command';
const origin = 'https://service.test';

let saved: Map<string, unknown>;
let store: Store;
beforeEach(() => {
  saved = new Map();
  store = new Store(memoryBodies());
  store.setConnection(ready);
  for (const sessionId of ['plain', 'a b/ü', '-rf', '../../admin'])
    store.addSession({ key: { origin, sessionId }, addedAt: 1 });
  recorded.length = 0;
  person.clicks = undefined;
  configured.clear();
  configured.set(url, 'https://x.example/${sessionId}');
  configured.set(command, ['my-agent', 'resume', '${sessionId}']);
  workspace.isTrusted = true;
});

type Name = keyof ReturnType<typeof elsewhereCommands>;

function run(name: Name, sessionId = 'plain', more: object = {}): Promise<unknown> {
  const memento = {
    get: (key: string) => saved.get(key),
    update: (key: string, value: unknown) => Promise.resolve(saved.set(key, structuredClone(value))),
  } as unknown as vscode.Memento;
  const context = { store, t, templateApprovals: new TemplateApprovals(memento) } as unknown as CommandContext;
  return Promise.resolve(elsewhereCommands(context)[name]({ sessionId, ...more }));
}

const asked = () => recorded.filter(({ what }) => what === 'warning').map(({ args: [question] }) => question);
const opened = () => recorded.filter(({ what }) => what === 'command').map(({ args }) => args);
const started = () => recorded.filter(({ what }) => what === 'terminal').map(({ args: [options] }) => options);

describe('Open in Browser', () => {
  it('opens the URL after the person has seen it, and asks again only if the template changes', async () => {
    await run('openInBrowser', 'a b/ü');
    expect([asked(), opened()]).toEqual([['Open this URL?'], []]);
    const detail =
      'https://x.example/a%20b%2F%C3%BC\n\nYou\'ll be asked again if the value of "lineside.openInBrowser.url" changes.';
    expect(recorded[0]?.args[1]).toEqual({ modal: true, detail });
    person.clicks = 'Open';
    await run('openInBrowser', 'a b/ü');
    expect(asked()).toHaveLength(2);
    person.clicks = undefined;
    await run('openInBrowser', 'plain');
    expect(asked()).toHaveLength(2);
    expect(opened()).toEqual([
      ['vscode.open', 'https://x.example/a%20b%2F%C3%BC'],
      ['vscode.open', 'https://x.example/plain'],
    ]);
    configured.set(url, 'https://x.example/s/${sessionId}');
    await run('openInBrowser', 'plain');
    expect(asked()).toHaveLength(3);
    expect(opened()).toHaveLength(2);
  });

  it('uses the computer of the session, and that of its row otherwise', async () => {
    configured.set(url, 'https://x.example/${computerId}');
    person.clicks = 'Open';
    await expect(run('openInBrowser')).rejects.toThrow(/requires a computer ID, but this session isn't connected/);
    store.addSession({ key: { origin, sessionId: 'row' }, addedAt: 1, computerId: 'reading' });
    await run('openInBrowser', 'row');
    store.takeSession({ origin, sessionId: 'row' }, sessionOf({ sessionId: 'row', computerId: 'own' }), 1, 1);
    await run('openInBrowser', 'row');
    expect(opened().map(([, address]) => address)).toEqual(['https://x.example/reading', 'https://x.example/own']);
  });

  it('uses the ID of a message that the service has', async () => {
    configured.set(url, 'https://x.example/${messageId}');
    person.clicks = 'Open';
    await expect(run('openInBrowser')).rejects.toThrow(/requires a message ID/);
    const key = { origin, sessionId: 'plain' };
    store.setOutbox(key, [entryOf({ key, entryId: 'entry-1' })]);
    await expect(run('openInBrowser', 'plain', { messageId: 'entry-1' })).rejects.toThrow(/requires a message ID/);
    await run('openInBrowser', 'plain', { messageId: 'm 1' });
    expect(opened().map(([, address]) => address)).toEqual(['https://x.example/m%201']);
  });

  it.each([
    ['https://${sessionId}.example/', 'can contain placeholders only in the path, query, and fragment.'],
    ['file:///etc/${sessionId}', 'must start with "https://"'],
  ])('says what is wrong with the template %s', async (template, sentence) => {
    configured.set(url, template);
    await expect(run('openInBrowser')).rejects.toThrow(`The value of "lineside.openInBrowser.url" ${sentence}`);
  });

  it.each(['http://x.example/${sessionId}', 'https://${sessionId}/', 'javascript:alert(1)', 'https://x/${env:HOME}'])(
    'opens nothing for the template %s',
    async (template) => {
      configured.set(url, template);
      person.clicks = 'Open';
      await expect(run('openInBrowser')).rejects.toThrow('"lineside.openInBrowser.url"');
      expect([asked(), opened()]).toEqual([[], []]);
    },
  );
});

it('opens no URL for an ID that would lead to another path', async () => {
  person.clicks = 'Open';
  await expect(run('openInBrowser', '../../admin')).rejects.toThrow(
    'The ID for ${sessionId} contains characters that aren\'t safe in "lineside.openInBrowser.url".',
  );
  expect([asked(), opened()]).toEqual([[], []]);
});

describe('Open in Terminal', () => {
  it('starts the program with its arguments after the person has seen them', async () => {
    configured.set(command, ['my-agent', '`x` [a](b) <a:b>', '${sessionId}']);
    await run('openInTerminal');
    expect([asked(), started()]).toEqual([['Run this command in a terminal?'], []]);
    const shown = recorded[0]?.args[1] as { detail: string };
    const [line = ''] = shown.detail.split('\n');
    expect(line).not.toMatch(/`|\]\(/);
    expect(JSON.parse(line)).toEqual(['my-agent', '`x` [a](b) <a:b>', 'plain']);
    person.clicks = 'Run';
    await run('openInTerminal');
    const options = {
      name: 'plain',
      shellPath: 'my-agent',
      shellArgs: ['`x` [a](b) <a:b>', 'plain'],
      isTransient: true,
    };
    expect(started()).toEqual([options]);
  });

  it.each(['-rf', 'a b/ü'])('starts nothing for the ID %j', async (sessionId) => {
    person.clicks = 'Run';
    await expect(run('openInTerminal', sessionId)).rejects.toThrow(
      'The ID for ${sessionId} contains characters that aren\'t safe in "lineside.openInTerminal.command".',
    );
    expect([asked(), started()]).toEqual([[], []]);
  });
});

it.each<[Name, string, unknown]>([
  ['openInBrowser', url, ''],
  ['openInTerminal', command, []],
])('%s says which setting is missing', async (name, setting, none) => {
  configured.set(setting, none);
  await expect(run(name)).rejects.toThrow(`To use this command, set "${setting}" first.`);
});

it.each<Name>(['openInBrowser', 'openInTerminal'])('%s does nothing in Restricted Mode', async (name) => {
  workspace.isTrusted = false;
  person.clicks = 'Open';
  await expect(run(name)).rejects.toThrow(/isn't available in Restricted Mode/);
  expect(recorded).toEqual([]);
});

it('shows hidden characters in a command as codes, which the command cannot imitate', () => {
  const args = ['a\u202eb', 'c\u200b\u3164', '<U+202E>', `d${' '.repeat(101)}e`];
  expect(printedCommand({ program: 'my-agent', args })).toBe(
    `["my-agent", "a<U+202E>b", "c<U+200B><U+3164>", "\\u003cU+202E>", "d${' '.repeat(100)}<U+0020>e"]`,
  );
});
