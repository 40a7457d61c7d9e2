import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Attachments } from '../../../../src/commands/attachments/attachments.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { person, recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { Drafts } from '../../../../src/sync/drafts/drafts.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { OutboxRig } from '../../sync/outbox/outboxRig.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

let outer: string;
let rig: OutboxRig;
let drafts: Drafts;
let attachments: Attachments;
const t = (text: string): string => text;
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
  attachments = new Attachments(blobs, drafts, t);
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
    expect(recorded.map(({ args }) => args)).toEqual([['Attach "{0}"?', { modal: true, detail: reason }, 'Attach']]);
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
