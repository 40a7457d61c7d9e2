import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { ChangeFiles } from '../../../../src/commands/work/changeFiles.ts';
import { changeCommands } from '../../../../src/commands/work/changeCommands.ts';
import { Lazy } from '../../../../src/shared/lazy.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { type SessionPresence, unknownPresence } from '../../../../src/state/work/presence.ts';
import { closeEvents, openEvents, recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
import { key, recordOf, t } from '../../state/samples.ts';
import { resultMarks, toolHeader } from '../../state/work/toolHeaders.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const fetchMessage = vi.fn(() => Promise.resolve(true));
const watch = vi.fn();
const workspaceChanges = new Emitter<void>();
let folder: string;
let headers: MessageHeader[];
let bodies: Map<string, Message>;
let found: SessionPresence;
let changeFiles: ChangeFiles;
let commands: ReturnType<typeof changeCommands>;

/** The agent replaces a text in a file of the workspace. */
function edit(messageId: string, name: string, hasResult: boolean): void {
  const input = { file_path: `/agent/${name}`, old_string: 'oldCall(amount);', new_string: 'newCall(amount);' };
  headers.push(toolHeader(messageId, ['Edit', input]));
  if (hasResult) headers.push(resultMarks(`${messageId}-result`, messageId, 'Done'));
  const content = [{ type: 'tool_use', toolUseId: messageId, name: 'Edit', input }];
  bodies.set(messageId, { id: messageId, content } as unknown as Message);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-changes-'));
  for (const name of ['done.ts', 'asked.ts']) await writeFile(join(folder, name), '// start\noldCall(amount);\n');
  headers = [];
  bodies = new Map();
  found = unknownPresence;
  recorded.length = 0;
  const services = {
    t,
    store: {
      current: key,
      record: () => ({ ...recordOf({ history: { completeness: 'complete', isLoading: false } }), headers }),
      header: (_: unknown, messageId: string) => headers.find((one) => one.messageId === messageId),
      readBodies: (_: unknown, ids: readonly string[]) => Promise.resolve(ids.flatMap((id) => bodies.get(id) ?? [])),
    },
    activeConversation: { key: () => key },
    sessions: { restoreFromCache: () => Promise.resolve(), hasNewestMessages: () => true, fetchMessage },
    lifecycle: { ensureStarted: () => Promise.resolve() },
    messages: {
      places: () => ({}),
      *bodies(_: unknown, ids: readonly string[]) {
        yield ids.flatMap((id) => bodies.get(id) ?? []);
      },
    },
    agentFiles: {
      locate: (_: unknown, path: string) => Promise.resolve(Uri.file(path.replace('/agent', folder))),
      unlinkedFiles: (_: unknown, path: string) => Promise.resolve([Uri.file(path.replace('/agent', folder))]),
    },
    workspaceChanges: { watch, onDidChange: workspaceChanges.event },
    presence: { current: () => found, compare: () => new Promise(() => undefined) },
  };
  changeFiles = new ChangeFiles(services as unknown as ConstructorParameters<typeof ChangeFiles>[0]);
  commands = changeCommands({ ...services, changeFiles } as unknown as CommandContext);
});
afterEach(async () => {
  changeFiles.dispose();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** The title of the multi-file diff editor that was opened, and its files. */
function opened(): { readonly title: string; readonly files: readonly (readonly (Uri | undefined)[])[] } {
  const [command] = recorded.filter(({ what }) => what === 'command');
  const [name, title, files] = command?.args ?? [];
  expect(name).toBe('vscode.changes');
  return { title: String(title).replace(/[\u2068\u2069]/g, ''), files: files as readonly (readonly Uri[])[] };
}

describe('Compare All with Workspace', () => {
  it('compares only confirmed changes, like Show Changes', async () => {
    edit('m1', 'done.ts', true);
    edit('m2', 'asked.ts', false);
    await commands.compareAllWithWorkspace({});
    expect(opened().files.map(([label]) => label?.path)).toEqual(['/agent/done.ts']);
    expect(opened().title).toBe('Fix the login (workspace ↔ agent, text comparison)');
  });

  it('follows the file of the workspace, and compares whole texts once the places of the pieces are uncertain', async () => {
    edit('m1', 'done.ts', true);
    await commands.compareAllWithWorkspace({});
    const [, workspace, agent] = opened().files[0] ?? [];
    const uris = [workspace, agent] as unknown as [Parameters<typeof changeFiles.files.stat>[0], never];
    const shown = () =>
      Promise.all(
        uris.map(async (uri) =>
          Buffer.from(await changeFiles.files.readFile(uri))
            .toString()
            .slice(1),
        ),
      );
    const times = async () => [
      (await changeFiles.files.stat(uris[0])).mtime,
      (await changeFiles.files.stat(uris[1])).mtime,
    ];
    const fired: unknown[] = [];
    changeFiles.files.onDidChangeFile((changes) => fired.push(changes.map(({ uri }) => String(uri))));
    const [before] = await times();
    expect(await shown()).toEqual(['oldCall(amount);', 'newCall(amount);']);
    expect(watch).toHaveBeenCalled();

    const now = '// start\nnewCall(amount);\n';
    await writeFile(join(folder, 'done.ts'), now);
    workspaceChanges.fire();
    expect(fired).toEqual([uris.map(String)]);
    expect((await times()).every((time) => time !== before)).toBe(true);
    expect(await shown()).toEqual(['newCall(amount);', 'newCall(amount);']);

    await writeFile(join(folder, 'done.ts'), 'other();\n');
    workspaceChanges.fire();
    const after = changeFiles.uri({ key, range: { first: 'm1', last: 'm1-result' }, path: '/agent/done.ts' }, 'after');
    expect(await shown()).toEqual([
      'other();\n',
      Buffer.from(await changeFiles.files.readFile(after))
        .toString()
        .slice(1),
    ]);
    // What an agent wrote doesn't change.
    expect((await changeFiles.files.stat(after)).mtime).toBe(0);
  });

  it('follows the file of the workspace until the documents close', async () => {
    edit('m1', 'done.ts', true);
    await commands.compareAllWithWorkspace({});
    const [label, ...uris] = opened().files[0] ?? [];
    const fired: unknown[] = [];
    changeFiles.files.onDidChangeFile((changes) => fired.push(changes.map(({ uri }) => String(uri))));
    const firedNow = () => {
      workspaceChanges.fire();
      return fired.splice(0);
    };
    for (const uri of uris) await changeFiles.files.stat(uri as never);
    const [workspace, agent] = uris;
    // A document whose language changes is closed and opened, and not read again.
    for (const event of [closeEvents, openEvents]) event.fire({ uri: workspace });
    expect(firedNow()).toEqual([[agent, workspace].map(String)]);
    closeEvents.fire({ uri: agent });
    expect(firedNow()).toEqual([[String(workspace)]]);
    closeEvents.fire({ uri: workspace });
    for (const uri of [label, Uri.file(join(folder, 'done.ts'))]) openEvents.fire({ uri });
    expect(firedNow()).toEqual([]);
  });

  it('stops within a file when it is canceled', async () => {
    edit('m1', 'done.ts', true);
    await writeFile(join(folder, 'done.ts'), `${'x'.repeat(900_000)}\noldCall(amount);\n`);
    const record = { ...recordOf(), headers };
    const [file] = (await changeFiles.readSessionChanges(record)).files;
    if (!file) throw new Error('There is no change.');
    const address = { key, range: { first: 'm1', last: 'm1-result' }, path: file.path };
    const uri = Uri.file(join(folder, 'done.ts')) as unknown as Parameters<typeof changeFiles.compare>[2];
    /** Compares the file. Once its text has been read, cancels when the clock is read for the `lastLook`th time. */
    const compare = async (lastLook: number) => {
      const abort = new AbortController();
      const read = vi.spyOn(workspace.fs, 'readFile');
      let looks = 0;
      let timeMs = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => {
        if (read.mock.settledResults.some(({ type }) => type === 'fulfilled')) looks += 1;
        if (looks === lastLook) abort.abort();
        // By this clock, every step of the work takes longer than a slice.
        return (timeMs += 10);
      });
      const compared = await changeFiles.compare(
        address,
        file,
        uri,
        new Lazy(() => Promise.resolve(undefined)),
        abort.signal,
      );
      vi.restoreAllMocks();
      return { compared, looks };
    };
    const whole = await compare(Infinity);
    expect(whole.compared).toHaveLength(3);
    const canceled = await compare(3);
    expect(canceled.compared).toBeUndefined();
    expect(canceled.looks).toBeLessThan(whole.looks / 2);
  });

  it('compares sides with the same path, because others would look like a renamed file', async () => {
    for (const name of ['done.ts', 'whole.ts', 'readme.md']) {
      await writeFile(join(folder, name), 'other();\n');
      edit(name, name, true);
    }
    await commands.compareAllWithWorkspace({});
    const { files } = opened();
    expect(files.map(([label]) => label?.path)).toEqual(['/agent/done.ts', '/agent/whole.ts', '/agent/readme.md.txt']);
    for (const [, left, right] of files) expect(left?.path).toBe(right?.path);
    expect(files[1]?.[1]?.scheme).toBe('file');
  });

  it('keeps a workspace file on the left that is too large to be read, whatever its language', async () => {
    await writeFile(join(folder, 'large.md'), 'other();\n'.repeat(300_000));
    edit('large.md', 'large.md', true);
    await commands.compareAllWithWorkspace({});
    expect(opened().files.map(([, left]) => left?.path)).toEqual([join(folder, 'large.md')]);
  });

  it('says so if no change is confirmed', async () => {
    edit('m1', 'asked.ts', false);
    await commands.compareAllWithWorkspace({});
    expect(opened().files).toHaveLength(1);
    expect(opened().title).toBe('Fix the login (workspace ↔ agent, not confirmed, text comparison)');
  });
});

it('Compare with Workspace File compares sides with the same path', async () => {
  edit('m1', 'done.ts', true);
  const uri = changeFiles.uri({ key, range: { first: 'm1', last: 'm1-result' }, path: '/agent/done.ts' }, 'after');
  await commands.compareWithWorkspaceFile({ uri });
  const [label, left, right] = opened().files[0] ?? [];
  expect(label?.path).toBe('/agent/done.ts');
  expect(left?.path).toBe(join(folder, 'done.ts'));
  expect(right?.path).toBe(left?.path);
});

it('Compare with Workspace File of a path compares the file of the current session', async () => {
  edit('m1', 'done.ts', true);
  await commands.compareWithWorkspaceFile({ path: '/agent/done.ts' });
  expect(opened().files.map(([label]) => label?.path)).toEqual(['/agent/done.ts']);
});

it('Compare All with Workspace requests no messages that are not on this machine', async () => {
  for (const name of ['done.ts', 'asked.ts']) edit(name, name, true);
  bodies.delete('done.ts');
  await commands.compareAllWithWorkspace({});
  expect(fetchMessage).not.toHaveBeenCalled();
  expect(opened().files).toHaveLength(2);
});

describe('Show Changes', () => {
  it('says what is known of the workspace, without a comparison', async () => {
    edit('m1', 'done.ts', true);
    await commands.showChanges({});
    expect(opened().title).toBe('Fix the login (as written by the agent)');
    recorded.length = 0;
    found = { presences: new Map([['/agent/done.ts', 'present']]), confirmedCount: 1 };
    await commands.showChanges({});
    expect(opened().title).toBe('Fix the login (as written by the agent, 1 of 1 in your workspace)');
  });

  it('says nothing of the workspace for a turn, whose changes later turns can replace', async () => {
    edit('m1', 'done.ts', true);
    found = { presences: new Map([['/agent/done.ts', 'present']]), confirmedCount: 1 };
    await commands.showChanges({ messageId: 'm1' });
    expect(opened().title).toBe('Fix the login (as written by the agent, in one turn)');
  });
});
