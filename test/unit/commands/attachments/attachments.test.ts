import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { translator } from '../../../../src/shared/translate.ts';
import { Attachments } from '../../../../src/commands/attachments/attachments.ts';
import { confirmChanged } from '../../../../src/commands/attachments/changed.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { configured, person, recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import type { TerminalCommand, TerminalCommands } from '../../../../src/host/editors/terminalOutputs.ts';
import { attachmentSources } from '../../../../src/commands/attachments/sources.ts';
import { noTerminals } from '../../../fakes/terminals.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let outer: string;
let rig: OutboxRig;
let drafts: Drafts;
let attachments: Attachments;
const t = translator('en');
beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'lineside-attach-')));
  await mkdir(join(outer, 'project', 'src'), { recursive: true });
  await mkdir(join(outer, 'project-other'));
  for (const path of ['project/src/a.ts', 'project/.env', 'outside.txt', 'project-other/b.ts']) {
    await writeFile(join(outer, path), `content of ${path}`);
  }
  await symlink(join(outer, 'outside.txt'), join(outer, 'project', 'linked.txt'));
  await symlink(join(outer, 'project', 'src', 'a.ts'), join(outer, 'project', 'inner.ts'));
  await symlink(outer, join(outer, 'project', 'way-out'));
  workspace.workspaceFolders = [{ uri: Uri.file(join(outer, 'project')), name: 'project' }];
  rig = await OutboxRig.open();
  const { store, blobs, clock } = rig;
  drafts = new Drafts({ store, blobs, records: new RecordStores(rig.disk), clock, log: silentLog });
  attachments = new Attachments(blobs, drafts, noTerminals, t);
  recorded.length = 0;
  person.clicks = undefined;
});
afterEach(async () => {
  drafts.dispose();
  await rig.close();
  await rm(outer, { recursive: true });
});

const uriOf = (path: string) => Uri.file(join(outer, 'project', path)) as unknown as vscode.Uri;

describe('a file that the person might not mean to send (R36)', () => {
  const reasons = {
    'linked.txt': 'This file is a symbolic link or is inside a linked folder.',
    'inner.ts': 'This file is a symbolic link or is inside a linked folder.',
    'way-out/outside.txt': 'This file is a symbolic link or is inside a linked folder.',
    '../outside.txt': 'This file is outside your workspace.',
    '../project-other/b.ts': 'This file is outside your workspace.',
    '.env': 'This file might contain secrets.',
  };

  it.each(Object.entries(reasons))('is not attached without asking: %s', async (path, reason) => {
    expect(await attachments.fromFile(uriOf(path))).toBeUndefined();
    const question = `Attach "${basename(path)}"?`;
    expect(recorded.map(({ args }) => args)).toEqual([[question, { modal: true, detail: reason }, 'Attach']]);
  });

  it.each(Object.keys(reasons))('is attached if the person confirms: %s', async (path) => {
    person.clicks = 'Attach';
    expect(await attachments.fromFile(uriOf(path))).toHaveLength(1);
    expect(recorded).toHaveLength(1);
  });

  it('is left out of several files, without losing the others', async () => {
    const stored = await attachments.fromFiles([uriOf('linked.txt'), uriOf('src/a.ts'), uriOf('../outside.txt')]);
    expect(stored?.map(({ name }) => name)).toEqual(['a.ts']);
    expect(recorded).toHaveLength(2);
  });

  it('can be pasted content', async () => {
    expect(await attachments.fromBytes('.env', Buffer.from('PASSWORD=orchard'))).toBeUndefined();
    expect(recorded).toHaveLength(1);
  });
});

describe('a folder', () => {
  const sentence = 'This folder is a symbolic link or is inside a linked folder.';

  it.each([
    ['', false],
    ['src', false],
    ['inner', true],
    ['way-out', true],
    ['way-out/project-other', true],
  ])('says in its question whether it is linked: %j (R36)', async (path, isLinked) => {
    await symlink(join(outer, 'project', 'src'), join(outer, 'project', 'inner'));
    const { folder } = attachmentSources(attachments, t);
    expect(await folder.choose({ uri: uriOf(path) })).toBeUndefined();
    const [question] = recorded.filter(({ what }) => what === 'warning');
    const { detail = '' } = (question?.args[1] ?? {}) as { readonly detail?: string };
    expect([question?.args[0], detail.includes(sentence)]).toEqual([expect.stringMatching(/^Attach /), isLinked]);
  });
});

it('attaches a file of the workspace without asking', async () => {
  const [stored] = (await attachments.fromFile(uriOf('src/a.ts'))) ?? [];
  expect(stored).toMatchObject({ kind: 'file', name: 'a.ts', path: 'src/a.ts', mediaType: 'text/plain' });
  expect(recorded).toEqual([]);
});

it('attaches an SVG as a file, never as an image, because it can contain scripts', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  await writeFile(join(outer, 'project', 'logo.svg'), svg);
  const [stored] = (await attachments.fromFile(uriOf('logo.svg'))) ?? [];
  const [pasted] = (await attachments.fromBytes('logo.svg', svg)) ?? [];
  for (const one of [stored, pasted]) expect(one).toMatchObject({ kind: 'file', mediaType: 'text/plain' });
});

describe('attachments that exceed the size limit of a message together', () => {
  beforeEach(() => configured.set('lineside.attachments.maxMessageSizeMB', 0.00003));
  afterEach(() => configured.delete('lineside.attachments.maxMessageSizeMB'));

  it('are rejected, also if each of them is small enough', async () => {
    const both = [uriOf('src/a.ts'), uriOf('src/a.ts')];
    await expect(attachments.fromFiles(both)).rejects.toMatchObject({ reason: 'tooLargeTogether', sizeBytes: 54 });
    expect(await attachments.fromFiles([uriOf('src/a.ts')])).toHaveLength(1);
  });

  it('are rejected with those that the draft already has', async () => {
    const key = { origin: 'https://api.example.com', sessionId: 's1' };
    const first = (await attachments.fromFile(uriOf('src/a.ts'))) ?? [];
    await attachments.addToDraft(key, first);
    const more = (await attachments.fromBytes('more.txt', Buffer.from('More'.repeat(5)))) ?? [];
    await expect(attachments.addToDraft(key, more)).rejects.toMatchObject({ reason: 'tooLargeTogether' });
    expect(drafts.get(key).attachments).toEqual(first);
  });

  it('are rejected with those that did not change when others are updated', async () => {
    const attached = [
      ...((await attachments.fromFile(uriOf('src/a.ts'))) ?? []),
      ...((await attachments.fromBytes('b.txt', Buffer.from('b'))) ?? []),
    ];
    const update = () => confirmChanged(attached, { blobs: rig.blobs, attachments, t });
    person.clicks = 'Update and Send';
    await writeFile(join(outer, 'project', 'src', 'a.ts'), 'x'.repeat(30));
    await expect(update()).rejects.toMatchObject({ reason: 'tooLargeTogether', sizeBytes: 31 });
    await writeFile(join(outer, 'project', 'src', 'a.ts'), 'x'.repeat(29));
    expect(await update()).toMatchObject([{ sizeBytes: 29 }, attached[1]]);
  });
});

describe('the output of a terminal', () => {
  const command = {
    terminalName: 'bash',
    commandLine: 'npm test',
    exitCode: 1,
    isRunning: false,
    output: 'one failed\n\n',
    isCut: false,
  };
  const source = (terminals: Partial<TerminalCommands>) =>
    attachmentSources(new Attachments(rig.blobs, drafts, { ...noTerminals, ...terminals }, t), t).terminal;
  const attachedText = async (commands: TerminalCommand[]) => {
    const terminals = { isEnabled: true, hasCommands: true, commands: () => commands };
    const [stored] = (await source(terminals).choose({})) ?? [];
    expect(stored).toMatchObject({ kind: 'file', name: 'terminal-output.txt', mediaType: 'text/plain' });
    const chunks: Uint8Array[] = [];
    for await (const chunk of rig.blobs.open(stored!.blobId, stored!.sizeBytes).read()) chunks.push(chunk);
    return Buffer.concat(chunks).toString('utf8');
  };

  it('is attached with the command and how it ended', async () => {
    expect(await attachedText([command])).toBe('$ npm test\none failed\n[Exit code 1]\n');
    expect(await attachedText([{ ...command, exitCode: undefined }])).toContain('[Exit code unknown]');
    expect(await attachedText([{ ...command, isRunning: true, isCut: true, output: '' }])).toBe(
      '$ npm test\n[The beginning of the output is missing.]\n[No output was recorded.]\n[Still running]\n',
    );
  });

  it('is not available while recording is off, or before the first command', async () => {
    const off = 'To attach terminal output, turn on "Record Terminal Output" in the settings.';
    expect(await source({}).whyUnavailable()).toBe(off);
    await expect(source({ hasCommands: true }).choose({})).rejects.toThrow(off);
    expect(await source({ isEnabled: true }).whyUnavailable()).toMatch(/^No command has run/);
    expect(await source({ isEnabled: true, hasCommands: true }).whyUnavailable()).toBeUndefined();
  });
});
