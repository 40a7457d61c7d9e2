import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Attachments } from '../../../../src/commands/attachments/attachments.ts';
import { confirmChanged } from '../../../../src/commands/attachments/changed.ts';
import { attachmentSources } from '../../../../src/commands/attachments/sources.ts';
import { contentOfText } from '../../../../src/host/editors/pickedContent.ts';
import { pathsInDiff } from '../../../../src/host/editors/secretContent.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { translator } from '../../../../src/shared/translate.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { installed, person, recorded, Uri, window, workspace } from '../../../fakes/recordedEditor.ts';
import { noTerminals } from '../../../fakes/terminals.ts';
import { RandomText } from '../../shared/redaction/randomText.ts';
import { OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const token = `ghp_${new RandomText(1).base62(36)}`;
const why = 'This file might contain secrets.';
const t = translator('en');

let folder: string;
let rig: OutboxRig;
let drafts: Drafts;
let attachments: Attachments;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'lineside-secrets-')));
  await mkdir(join(folder, 'src'));
  workspace.workspaceFolders = [{ uri: Uri.file(folder), name: 'project' }];
  rig = await OutboxRig.open();
  const { store, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  attachments = new Attachments(blobs, drafts, noTerminals, t);
  recorded.length = 0;
  installed.clear();
  person.clicks = undefined;
});
afterEach(async () => {
  drafts.dispose();
  await rig.close();
  await rm(folder, { recursive: true });
});

async function file(path: string, content: string | Uint8Array): Promise<vscode.Uri> {
  await writeFile(join(folder, path), content);
  return Uri.file(join(folder, path)) as unknown as vscode.Uri;
}

/** The questions that were asked, with their reasons. */
function questions(): (readonly [unknown, unknown])[] {
  const questions = recorded.filter(({ what }) => what !== 'quickPick');
  return questions.map(({ args }) => [args[0], (args[1] as { detail?: string }).detail] as const);
}

function diffOf(path: string, line: string): string {
  return `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+${line}\n`;
}

/** An editor with two selections, each of which contains the text. */
function editorOf(text: string): vscode.TextEditor {
  const document = { uri: Uri.file(join(folder, 'src', 'a.ts')), isDirty: false, getText: () => text };
  const selection = { isEmpty: false, start: { line: 0, character: 0 }, end: { line: 0, character: 9 } };
  return { document, selections: [selection, selection] } as unknown as vscode.TextEditor;
}

describe('content with a secret is not attached without asking', () => {
  it('from a file', async () => {
    const text = `const token = '${token}';\n`;
    const uri = await file('src/a.ts', text);
    expect(await attachments.fromFile(uri)).toBeUndefined();
    expect(questions()).toEqual([['Attach "a.ts"?', why]]);
    person.clicks = 'Attach';
    const [stored] = (await attachments.fromFile(uri)) ?? [];
    expect(stored?.sha256).toBe(createHash('sha256').update(text).digest('hex'));
  });

  it('from a file to which a secret was added since it was attached', async () => {
    const uri = await file('src/a.ts', 'const token = readToken();\n');
    const attached = (await attachments.fromFile(uri)) ?? [];
    await file('src/a.ts', `const token = '${token}';\n`);
    const ask = vi.spyOn(window, 'showWarningMessage');
    const update = () => confirmChanged(attached, { blobs: rig.blobs, attachments, t });
    ask.mockResolvedValueOnce('Update and Send');
    expect(await update()).toBeUndefined();
    expect(ask.mock.lastCall).toEqual(['Attach "a.ts"?', { modal: true, detail: why }, 'Attach']);
    ask.mockResolvedValueOnce('Update and Send').mockResolvedValueOnce('Attach');
    const [updated] = (await update()) ?? [];
    expect(updated?.sha256).not.toBe(attached[0]?.sha256);
    expect(ask).toHaveBeenCalledTimes(4);
    ask.mockRestore();
  });

  it('from selections, once for all of them', async () => {
    expect(await attachments.fromSelection(editorOf(`token ${token}`))).toBeUndefined();
    expect(questions()).toEqual([['Attach "a.ts"?', why]]);
    expect(await attachments.fromSelection(editorOf('none'))).toHaveLength(2);
  });

  it('from pasted text', async () => {
    expect(await attachments.fromBytes('pasted.txt', Buffer.from(`key ${token}`))).toBeUndefined();
    expect(questions()).toEqual([['Attach "pasted.txt"?', why]]);
  });

  it('from the output of a terminal', async () => {
    const output = `GITHUB_TOKEN=${token}\n`;
    const command = { terminalName: 'bash', commandLine: 'env', exitCode: 0, isRunning: false, output, isCut: false };
    const terminals = { ...noTerminals, isEnabled: true, hasCommands: true, commands: () => [command] };
    const source = attachmentSources(new Attachments(rig.blobs, drafts, terminals, t), t).terminal;
    expect(await source.choose({})).toBeUndefined();
    expect(questions()).toEqual([['Attach "terminal-output.txt"?', why]]);
  });

  it('from the outputs of a notebook cell, and leaves the other cells', async () => {
    const cells = [
      contentOfText('print(1)', { name: 'a.ipynb#cell-1', parsedData: `token ${token}` }),
      contentOfText('print(2)', { name: 'a.ipynb#cell-2', parsedData: '2' }),
    ];
    expect((await attachments.fromContents(cells))?.map(({ name }) => name)).toEqual(['a.ipynb#cell-2']);
    expect(questions()).toEqual([['Attach "a.ipynb#cell-1"?', why]]);
  });

  it.each([
    ['by the name of a file', '.env', 'A=b', true],
    ['by its lines', 'src/a.ts', `const token = '${token}';`, true],
    ['unless there is none', 'src/a.ts', 'const token = readToken();', false],
  ])('from Git changes, %s', async (_, path, line, isAsked) => {
    const repository = { rootUri: Uri.file(folder), diff: () => Promise.resolve(diffOf(path, line)) };
    const git = { enabled: true, getAPI: () => ({ repositories: [repository] }) };
    installed.set('vscode.git', { activate: () => Promise.resolve(git) });
    person.clicks = 'Unstaged changes';
    const stored = await attachmentSources(attachments, t).diff.choose({});
    expect(stored === undefined).toBe(isAsked);
    const file = path === '.env' ? ` File: ${folder}/.env` : '';
    expect(questions()).toEqual(isAsked ? [['Attach "unstaged.diff"?', `${why}${file}`]] : []);
  });
});

describe('content of files outside the workspace is not attached without asking', () => {
  const outside = (path: string) => `This file is outside your workspace. File: ${join(folder, path)}`;

  it('from Git changes of a repository that contains the workspace', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file(join(folder, 'src')), name: 'src' }];
    const diff = diffOf('src/a.ts', 'b') + diffOf('other/b.ts', 'b');
    const repository = { rootUri: Uri.file(folder), diff: () => Promise.resolve(diff) };
    const git = { enabled: true, getAPI: () => ({ repositories: [repository] }) };
    installed.set('vscode.git', { activate: () => Promise.resolve(git) });
    person.clicks = 'Unstaged changes';
    expect(await attachmentSources(attachments, t).diff.choose({})).toBeUndefined();
    expect(questions()).toEqual([['Attach "unstaged.diff"?', outside('other/b.ts')]]);
  });

  it('and is asked about as a secret if one of the files may contain secrets', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file(join(folder, 'src')), name: 'src' }];
    const uris = ['other/b.ts', 'src/.env'].map((path) => Uri.file(join(folder, path)) as unknown as vscode.Uri);
    const diff = [contentOfText('diff', { name: 'unstaged.diff' })];
    expect(await attachments.fromContents(diff, uris)).toBeUndefined();
    expect(questions()).toEqual([['Attach "unstaged.diff"?', `${why} File: ${join(folder, 'src/.env')}`]]);
  });

  it('from cells of a notebook with a secret, in two questions', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file(join(folder, 'src')), name: 'src' }];
    const uri = Uri.file(join(folder, 'private.ipynb')) as unknown as vscode.Uri;
    const cells = [token, 'none'].map((text) => contentOfText(text, { name: text.slice(0, 4) }));
    const ask = vi.spyOn(window, 'showWarningMessage').mockResolvedValueOnce('Attach').mockResolvedValueOnce(undefined);
    expect((await attachments.fromContents(cells, [uri]))?.map(({ name }) => name)).toEqual(['none']);
    expect(ask.mock.calls.map(([question]) => question)).toEqual(['Attach "private.ipynb"?', 'Attach "ghp_"?']);
    ask.mockRestore();
  });

  it('from cells of a notebook, once for all of them', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file(join(folder, 'src')), name: 'src' }];
    const uri = Uri.file(join(folder, 'private.ipynb')) as unknown as vscode.Uri;
    const cells = ['1', '2'].map((name) => contentOfText(`print(${name})`, { name }));
    expect(await attachments.fromContents(cells, [uri])).toBeUndefined();
    expect(questions()).toEqual([['Attach "private.ipynb"?', outside('private.ipynb')]]);
    person.clicks = 'Attach';
    expect(await attachments.fromContents(cells, [uri])).toHaveLength(2);
  });
});

it('a notebook is not read to offer its cells', () => {
  const notebook = {
    getCells: () => {
      throw new Error('read');
    },
  };
  Object.assign(window, { activeNotebookEditor: { notebook } });
  expect(attachmentSources(attachments, t).notebook.whyUnavailable()).toBeUndefined();
  Object.assign(window, { activeNotebookEditor: undefined, visibleNotebookEditors: [] });
  expect(attachmentSources(attachments, t).notebook.whyUnavailable()).toBe('No notebook is open.');
});

describe('a search of content for secrets', () => {
  it('covers the first 256 KB', async () => {
    const filler = 'const total = basket.sum(prices);\n';
    const before = filler.repeat(Math.floor((256 * 1024 - 200) / filler.length));
    expect(await attachments.fromFile(await file('near.ts', `${before}'${token}'`))).toBeUndefined();
    expect(await attachments.fromFile(await file('far.ts', `${before}${filler.repeat(20)}'${token}'`))).toHaveLength(1);
  });

  it('skips images, and reads other bytes as far as they are text', async () => {
    const png = Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.from(` ${token} `),
    ]);
    expect(await attachments.fromBytes('a.png', png)).toHaveLength(1);
    const binary = Buffer.concat([Buffer.from([0, 255, 0]), Buffer.from(` ${token} `)]);
    expect(await attachments.fromBytes('a.bin', binary)).toBeUndefined();
  });

  it("doesn't ask about what may be harmless", async () => {
    const texts = [
      "const password = 'correct-horse';",
      'https://user:password@example.com',
      'token: CancellationToken',
    ];
    for (const text of texts) expect(await attachments.fromBytes('a.txt', Buffer.from(text))).toHaveLength(1);
    expect(recorded).toEqual([]);
  });

  it('reports content that becomes unreadable', async () => {
    const broken = { ...contentOfText('a', { name: 'a.txt' }), read: () => failing() };
    await expect(attachments.fromContents([broken])).rejects.toMatchObject({ reason: 'unreadable', fileName: 'a.txt' });
  });
});

async function* failing(): AsyncGenerator<Uint8Array> {
  yield await Promise.reject<Uint8Array>(new Error('gone'));
}

describe('the paths of a diff', () => {
  it('are those of changed, added, removed, renamed, and quoted files', () => {
    const diff = [
      ...['diff --git a/one.txt b/one.txt', '--- a/one.txt', '+++ b/one.txt', '@@ -1 +1 @@', '-a', '+++ b'],
      ...['--- /dev/null', '+++ b/new file.txt\t', '--- a/gone.txt', '+++ /dev/null'],
      ...['rename from a.env', 'rename to b.env', '+++ "b/\\303\\274.txt"'],
    ].join('\n');
    expect(pathsInDiff(diff)).toEqual([
      ...['one.txt', 'b', 'new file.txt', 'gone.txt', 'a.env', 'b.env', '\\303\\274.txt'],
    ]);
    expect(pathsInDiff('')).toEqual([]);
  });
});
