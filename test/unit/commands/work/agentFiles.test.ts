import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentFiles } from '../../../../src/commands/work/agentFiles.ts';
import { WorkspaceFiles } from '../../../../src/host/files/workspaceFiles.ts';
import { WorkspaceFile } from '../../../../src/host/files/workspacePaths.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import type { Store, StoreChange } from '../../../../src/state/store/store.ts';
import { configure, configured, fileEvents, folderEvents, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { CachePolicy } from '../../../../src/sync/cache/cachePolicy.ts';
import { PathSamples } from '../../../../src/sync/cache/pathSamples.ts';
import { PathMappings } from '../../../../src/sync/pathMappings.ts';
import { MemoryRecordStore } from '../../../../src/sync/storage/memoryRecordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { key, recordOf, sessionOf, t } from '../../state/samples.ts';
import { toolHeader } from '../../state/work/toolHeaders.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const root = '/home/agent/work/shop';
const files = ['src/basket.ts', 'src/pay/card.ts', 'src/pay/cash.ts', 'package.json'];

let outer: string;
let headers: MessageHeader[];
let agentFiles: AgentFiles;
let workspaceFiles: WorkspaceFiles;
let mappings: PathMappings;
let changes: Emitter<StoreChange>;

const reads = (paths: readonly string[]) =>
  paths.map((path, index) => toolHeader(`m${index}-${path}`, ['Read', { file_path: path }]));

async function write(...paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(outer, path)), { recursive: true });
    await writeFile(join(outer, path), 'x');
  }
}

function open(...folders: readonly string[]): void {
  workspace.workspaceFolders = folders.map((name) => ({ uri: Uri.file(join(outer, name)), name }));
}

beforeEach(async () => {
  outer = await realpath(await mkdtemp(join(tmpdir(), 'lineside-agent-')));
  await write(...files.map((file) => `shop/${file}`), 'secret/src/basket.ts');
  open('shop');
  headers = reads(files.map((file) => `${root}/${file}`));
  changes = new Emitter();
  const record = () => ({ ...recordOf({ session: sessionOf({ computerId: 'build-7' }) }), headers });
  const store = { record, recordsOf: () => [record()], onDidChange: changes.event };
  workspaceFiles = new WorkspaceFiles();
  const records = new RecordStores(new MemoryRecordStore());
  mappings = new PathMappings(records, silentLog);
  const samples = new PathSamples(records, new CachePolicy(records, () => true), silentLog);
  agentFiles = new AgentFiles(store as unknown as Store, workspaceFiles, mappings, samples, t);
});
afterEach(async () => {
  agentFiles.dispose();
  workspaceFiles.dispose();
  configured.clear();
  vi.useRealTimers();
  await rm(outer, { recursive: true });
});

const found = async (text: string) => (await agentFiles.find(key, text))[0]?.uri.fsPath;

describe('a path on the computer of an agent (R53)', () => {
  it('leads to the file of the workspace, with a tooltip that names both', async () => {
    expect(await found(`${root}/src/basket.ts:3-9`)).toBe(join(outer, 'shop/src/basket.ts'));
    expect((await agentFiles.find(key, `${root}/src/basket.ts:3-9`))[0]?.selection).toMatchObject({
      start: { line: 2 },
    });
    expect(await found(`file://${root}/src/pay/card.ts#L2`)).toBe(join(outer, 'shop/src/pay/card.ts'));
    const hint = (await agentFiles.look(key, `${root}/src/basket.ts`))?.hint?.replace(/[\u2066-\u2069]/g, '');
    expect(hint).toBe(`Open src/basket.ts\n${root}/src/basket.ts on build-7`);
    expect(await agentFiles.look(key, 'src/basket.ts')).toEqual({});
  });

  it.each([`${root}/src/my%20file.ts`, `${root}/src/my file.ts#part`, `file://${root}/src/my%20file.ts:3`])(
    'leads to the file that exists of those that it can mean: %s',
    async (text) => {
      await write('shop/src/my file.ts');
      expect(await found(text)).toBe(join(outer, 'shop/src/my file.ts'));
      expect((await agentFiles.look(key, text))?.hint).toContain('Open \u2068src/my file.ts\u2069');
    },
  );

  it.each([
    ...[`${root}/src/none.ts`, `${root}/../shop2/src/basket.ts`, '/etc/passwd', `${root}/../../../../etc/passwd`],
    ...[
      '../../.ssh/id_rsa',
      `${root}/%2e%2e/secret/src/basket.ts`,
      '\\\\server\\share\\a.ts',
      'command:workbench.action.quit',
    ],
    ...[`${root}/src/basket.ts\0`, root, `${root}/src`],
  ])('leads nowhere: %j', async (text) => {
    expect(await found(text)).toBeUndefined();
    expect(await agentFiles.look(key, text)).toBeUndefined();
  });

  it('leads nowhere through a symbolic link out of the folder', async () => {
    await symlink(join(outer, 'secret'), join(outer, 'shop/linked'));
    await symlink(join(outer, 'shop/src'), join(outer, 'shop/inner'));
    expect(await found(`${root}/linked/src/basket.ts`)).toBeUndefined();
    expect(await agentFiles.look(key, `${root}/linked/src/basket.ts`)).toBeUndefined();
    expect(await found(`${root}/inner/basket.ts`)).toBe(join(outer, 'shop/inner/basket.ts'));
  });

  it.each(['pipe.ts', 'zero.ts', 'passwd.ts'])('leads to no device and no system file: %s', async (name) => {
    execFileSync('mkfifo', [join(outer, 'shop/pipe.ts')]);
    await symlink('/dev/zero', join(outer, 'shop/zero.ts'));
    await symlink('/etc/passwd', join(outer, 'shop/passwd.ts'));
    for (const text of [name, `./${name}:3`, `${root}/${name}`, `${join(outer, 'shop')}/${name}`]) {
      expect(await found(text), text).toBeUndefined();
      expect(await agentFiles.look(key, text), text).toBeUndefined();
      expect(await agentFiles.unlinkedFiles(key, text), text).toEqual([]);
    }
  });

  it.each(['/dev/zero', '/dev/stdin', '/proc/self/environ', '/etc/passwd', '//server/share/a.ts', '\\\\?\\C:\\a.ts'])(
    'that leads out of the workspace is never looked for: %s',
    async (text) => {
      // A command can name any folder as its working folder.
      const inFolder = (name: string) => ['exec_command', { cmd: `cat ${name}`, workdir: dirname(text) }] as const;
      headers = [...headers, ...['a.ts', 'b.ts', 'c.ts'].map((name) => toolHeader(name, inFolder(name)))];
      const stat = vi.spyOn(workspace.fs, 'stat');
      expect(await found(text)).toBeUndefined();
      expect(await agentFiles.look(key, text)).toBeUndefined();
      const looked = stat.mock.calls.map(([uri]) => uri.fsPath);
      expect(looked.filter((path) => !path.startsWith(join(outer, 'shop/')))).toEqual([]);
      stat.mockRestore();
    },
  );

  it('leads nowhere if two workspace folders fit', async () => {
    await write(...files.map((file) => `copy/${file}`));
    open('shop', 'copy');
    expect(await found(`${root}/src/basket.ts`)).toBeUndefined();
  });

  it('that is relative is ambiguous if it exists in two workspace folders', async () => {
    await write('copy/src/basket.ts');
    open('shop', 'copy');
    for (const text of ['src/basket.ts:2', '@src/basket.ts']) {
      const found = await agentFiles.find(key, text);
      expect(found.map(({ uri }) => uri.fsPath)).toEqual([
        join(outer, 'shop/src/basket.ts'),
        join(outer, 'copy/src/basket.ts'),
      ]);
    }
    const looked = await agentFiles.look(key, 'src/basket.ts');
    expect({ ...looked, hint: looked?.hint?.replace(/[\u2066-\u2069]/g, '') }).toEqual({
      hint: 'Select the workspace folder for src/basket.ts',
      isAmbiguous: true,
    });
    expect(await agentFiles.locate(key, 'src/basket.ts')).toBe('elsewhere');
    expect(await agentFiles.look(key, 'src/pay/card.ts')).toEqual({});
  });

  it('leads to the file of the right workspace folder', async () => {
    await write('api/src/server.ts', 'api/src/index.ts');
    open('api', 'shop');
    expect(await found(`${root}/src/basket.ts`)).toBe(join(outer, 'shop/src/basket.ts'));
  });

  it('is looked up again when files change, and when the session has grown', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const fired: unknown[] = [];
    agentFiles.onDidChange((one) => fired.push(one));
    expect(await agentFiles.look(key, `${root}/src/late.ts`)).toBeUndefined();
    await write('shop/src/late.ts');
    expect(await agentFiles.look(key, `${root}/src/late.ts`)).toBeUndefined();
    fileEvents.fire(Uri.file(join(outer, 'shop/src/late.ts')));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fired).toEqual([undefined]);
    expect(await agentFiles.look(key, `${root}/src/late.ts`)).toBeDefined();
    const worktree = reads(files.map((file) => `/tmp/wt-1/${file}`));
    expect(await agentFiles.look(key, '/tmp/wt-1/src/basket.ts')).toBeUndefined();
    headers = [...headers, ...worktree];
    changes.fire({ type: 'messages', key });
    await vi.advanceTimersByTimeAsync(5_000);
    await expect.poll(() => fired).toEqual([undefined, key]);
    expect(await agentFiles.look(key, '/tmp/wt-1/src/basket.ts')).toBeDefined();
  });

  it('leads to a renamed file by its new path only', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const isLink = async (name: string) => (await agentFiles.look(key, `${root}/src/pay/${name}`)) !== undefined;
    await write('shop/src/pay/voucher.ts');
    expect([await isLink('voucher.ts'), await isLink('coupon.ts')]).toEqual([true, false]);
    await rename(join(outer, 'shop/src/pay/voucher.ts'), join(outer, 'shop/src/pay/coupon.ts'));
    // A file that is opened is always looked for on disk.
    expect(await found(`${root}/src/pay/voucher.ts`)).toBeUndefined();
    for (const name of ['voucher.ts', 'coupon.ts']) fileEvents.fire(Uri.file(join(outer, 'shop/src/pay', name)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await isLink('voucher.ts'), await isLink('coupon.ts')]).toEqual([false, true]);
    expect(await found(`${root}/src/pay/coupon.ts`)).toBe(join(outer, 'shop/src/pay/coupon.ts'));
  });

  it('costs little for 100,000 different roots', async () => {
    const stat = vi.spyOn(workspace.fs, 'stat');
    headers = reads(Array.from({ length: 100_000 }, (_, index) => `/r${index}/src${index}/name${index}.ts`));
    expect(await found('/r5/src5/name5.ts')).toBeUndefined();
    expect(stat.mock.calls.length).toBeLessThan(1_000);
    stat.mockRestore();
  });

  it('costs little for 100,000 different folders of commands', async () => {
    const stat = vi.spyOn(workspace.fs, 'stat');
    headers = Array.from({ length: 100_000 }, (_, index) => {
      const input = { cmd: `cat src${index}/name${index}.ts`, workdir: `/r${index}` };
      return toolHeader(`m${index}`, ['exec_command', input]);
    });
    expect(await found('/r5/src5/name5.ts')).toBeUndefined();
    expect(stat.mock.calls.length).toBeLessThan(1_000);
    stat.mockRestore();
  });

  it('is looked up once, and without a look-up for each file in a folder that is missing', async () => {
    const stat = vi.spyOn(workspace.fs, 'stat');
    const paths = Array.from({ length: 5_000 }, (_, index) => `${root}/gone/deep/file${index}.ts`);
    const lookAll = () => Promise.all(paths.map((path) => agentFiles.look(key, path)));
    expect((await lookAll()).filter((one) => one !== undefined)).toEqual([]);
    // Only the files from which the folder is inferred were looked for on disk.
    expect(stat.mock.calls.length).toBeLessThan(100);
    stat.mockClear();
    await lookAll();
    expect(stat).not.toHaveBeenCalled();
    stat.mockRestore();
  });
});

describe('a mapping', () => {
  const uriOf = (name: string) => Uri.file(join(outer, name)).toString();
  const other = '/srv/other';

  it('that the user chose leads to the file, for this computer only', async () => {
    const chosen = [{ root: other, folder: uriOf('shop'), isMapped: true }];
    await mappings.save(key.origin, 'build-8', chosen);
    expect(await found(`${other}/src/basket.ts`)).toBeUndefined();
    await agentFiles.map(key, chosen);
    expect(await found(`${other}/src/basket.ts`)).toBe(join(outer, 'shop/src/basket.ts'));
    expect(await found(`${other}/../other2/src/basket.ts`)).toBeUndefined();
    expect(await agentFiles.folders(key)).toContainEqual({
      root: other,
      folders: [uriOf('shop')],
      isUncertain: false,
      source: 'user',
    });
  });

  it('that the user chose, but not an inferred one, gives the path of a file on the computer of the agent', async () => {
    const here = { folder: uriOf('shop'), relative: 'src/basket.ts' };
    const path = async () => (await agentFiles.confirmedFolders(key)).pathOf(here);
    expect(await found(`${root}/src/basket.ts`)).toBeDefined();
    expect(await path()).toBeUndefined();
    await agentFiles.map(key, [{ root, folder: uriOf('shop'), isMapped: true }]);
    expect(await path()).toBe(`${root}/src/basket.ts`);
    configured.set('lineside.pathMappings', { [root]: '${workspaceFolder:shop}/src' });
    expect(await path()).toBe(`${root}/basket.ts`);
  });

  it('answers the question if two workspace folders fit, and can be taken back', async () => {
    await write(...files.map((file) => `copy/${file}`));
    open('shop', 'copy');
    const choose = (name: string) =>
      agentFiles.map(
        key,
        ['shop', 'copy'].map((one) => ({ root, folder: uriOf(one), isMapped: one === name })),
      );
    await choose('copy');
    expect(await found(`${root}/src/basket.ts`)).toBe(join(outer, 'copy/src/basket.ts'));
    await choose('shop');
    expect(await found(`${root}/src/basket.ts`)).toBe(join(outer, 'shop/src/basket.ts'));
    await choose('none');
    expect(await found(`${root}/src/basket.ts`)).toBeUndefined();
    // Another window, with another folder, isn't affected.
    await write(...files.map((file) => `third/${file}`));
    open('third');
    folderEvents.fire({});
    await expect.poll(() => found(`${root}/src/basket.ts`)).toBe(join(outer, 'third/src/basket.ts'));
  });

  it('in the setting wins over everything, and never leads out of the workspace', async () => {
    await write('shop/packages/web/src/basket.ts');
    configured.set('lineside.pathMappings', {
      [root]: '${workspaceFolder:shop}/packages/web',
      [other]: '${workspaceFolder}/../secret',
      '/a': outer,
      '/b': '${workspaceFolder:none}',
      relative: '${workspaceFolder}',
      '/c': 5,
    });
    await agentFiles.map(key, [{ root, folder: uriOf('shop'), isMapped: false }]);
    expect(await found(`${root}/src/basket.ts`)).toBe(join(outer, 'shop/packages/web/src/basket.ts'));
    for (const path of [`${other}/src/basket.ts`, '/a/secret/src/basket.ts', '/b/src/basket.ts', '/c/src/basket.ts']) {
      expect(await found(path), path).toBeUndefined();
    }
  });
});

describe('a changed file', () => {
  it('is the one that the setting leads to, even if its path is also one in the workspace', async () => {
    await write('shop/packages/web/src/basket.ts');
    const here = join(outer, 'shop');
    expect((await agentFiles.unlinkedFiles(key, `${here}/src/basket.ts`))[0]?.fsPath).toBe(join(here, 'src/basket.ts'));
    expect((await agentFiles.unlinkedFiles(key, 'src/basket.ts'))[0]?.fsPath).toBe(join(here, 'src/basket.ts'));
    configure('lineside.pathMappings', { [here]: '${workspaceFolder}/packages/web' });
    expect((await agentFiles.unlinkedFiles(key, `${here}/src/basket.ts`))[0]?.fsPath).toBe(
      join(here, 'packages/web/src/basket.ts'),
    );
    expect(await agentFiles.unlinkedFiles(key, `${here}/src/pay/card.ts`)).toEqual([]);
  });

  it('is found by its path on the computer of the agent', async () => {
    const uri: unknown = Uri.file(join(outer, 'shop/src/basket.ts'));
    const file = WorkspaceFile.of(uri as never);
    if (!file) throw new Error('The file is in no workspace folder.');
    const matcher = await agentFiles.matcher(key, headers, file);
    expect(matcher.matches(`${root}/src/basket.ts`)).toBe(true);
    expect(matcher.matches('src/basket.ts')).toBe(true);
    expect(matcher.matches(`${root}/src/pay/card.ts`)).toBe(false);
    expect(matcher.matches('/elsewhere/src/basket.ts')).toBe(false);
    expect((await agentFiles.unlinkedFiles(key, `${root}/src/basket.ts`))[0]?.fsPath).toBe(
      join(outer, 'shop/src/basket.ts'),
    );
    await symlink(join(outer, 'shop/src'), join(outer, 'shop/inner'));
    expect(await agentFiles.unlinkedFiles(key, `${root}/inner/basket.ts`)).toEqual([]);
  });

  it('is found by that path also if its name contains a character that JSON escapes', async () => {
    const uri: unknown = Uri.file(join(outer, 'shop/src/a"b.ts'));
    const file = WorkspaceFile.of(uri as never);
    if (!file) throw new Error('The file is in no workspace folder.');
    await write('shop/src/a"b.ts');
    headers = [...headers, ...reads([`${root}/src/a"b.ts`])];
    expect((await agentFiles.matcher(key, headers, file)).matches(`${root}/src/a"b.ts`)).toBe(true);
  });
});
