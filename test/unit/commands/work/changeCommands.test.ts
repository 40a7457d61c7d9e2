import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { ChangeFiles } from '../../../../src/commands/work/changeFiles.ts';
import { changeCommands } from '../../../../src/commands/work/changeCommands.ts';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import type { MessageHeader } from '../../../../src/state/store/messageHeader.ts';
import { type SessionPresence, unknownPresence } from '../../../../src/state/work/presence.ts';
import { closeEvents, openEvents, person, recorded, Uri, workspace } from '../../../fakes/recordedEditor.ts';
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
/** The files that a path can mean. */
let meantFiles: (path: string) => readonly Uri[];

/** The agent replaces a text in a file of the workspace. */
function edit(messageId: string, name: string, hasResult: boolean): void {
  const input = { file_path: `/agent/${name}`, old_string: 'oldCall(amount);', new_string: 'newCall(amount);' };
  call(messageId, 'Edit', input, hasResult);
}

/** The agent writes a whole file of the workspace. */
function write(messageId: string, name: string): void {
  call(messageId, 'Write', { file_path: `/agent/${name}`, content: 'newCall(amount);\n' }, true);
}

function call(messageId: string, tool: string, input: Readonly<Record<string, string>>, hasResult: boolean): void {
  headers.push(toolHeader(messageId, [tool, input]));
  if (hasResult) headers.push(resultMarks(`${messageId}-result`, messageId, 'Done'));
  const content = [{ type: 'tool_use', toolUseId: messageId, name: tool, input }];
  bodies.set(messageId, { id: messageId, content } as unknown as Message);
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lineside-changes-'));
  for (const name of ['done.ts', 'asked.ts']) await writeFile(join(folder, name), '// start\noldCall(amount);\n');
  headers = [];
  bodies = new Map();
  found = unknownPresence;
  meantFiles = (path) => [Uri.file(path.replace('/agent', folder))];
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
      unlinkedFiles: (_: unknown, path: string) => Promise.resolve(meantFiles(path)),
    },
    workspaceChanges: { watch, onDidChange: workspaceChanges.event },
    presence: { current: () => found, compare: () => new Promise(() => undefined) },
  };
  changeFiles = new ChangeFiles(services as unknown as ConstructorParameters<typeof ChangeFiles>[0]);
  commands = changeCommands({ ...services, changeFiles } as unknown as CommandContext);
});
afterEach(async () => {
  changeFiles.dispose();
  person.clicks = undefined;
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** The text of a read-only file, without the character that it begins with. */
async function textOf(uri: Uri | undefined): Promise<string> {
  const content = await changeFiles.files.readFile(uri as unknown as Parameters<typeof changeFiles.files.readFile>[0]);
  return Buffer.from(content).toString().slice(1);
}

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

  it('follows the file of the workspace, and shows nothing in the place of a piece that is no longer there', async () => {
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
    expect(await shown()).toEqual(['', 'newCall(amount);']);
    const after = changeFiles.uri({ key, range: { first: 'm1', last: 'm1-result' }, path: '/agent/done.ts' }, 'after');
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
    const { changes } = (await changeFiles.readChanges(address)) ?? {};
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
      const compared = await changeFiles.compare(address, file, uri, changes, abort.signal);
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
      (name === 'whole.ts' ? write : edit)(name, name, true);
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

describe('Compare with Workspace File', () => {
  const compared = async (name: string) => {
    const path = `/agent/${name}`;
    const uri = changeFiles.uri({ key, range: { first: 'm1', last: 'm1-result' }, path }, 'after');
    await commands.compareWithWorkspaceFile({ uri });
    return opened().files[0] ?? [];
  };

  it('has the file of the workspace on the left if the agent wrote all of it', async () => {
    write('m1', 'done.ts');
    const [label, left, right] = await compared('done.ts');
    expect(label?.path).toBe('/agent/done.ts');
    expect([left?.scheme, left?.path]).toEqual(['file', join(folder, 'done.ts')]);
    expect(right?.path).toBe(left?.path);
  });

  it.each(['done.ts', 'readme.md'])('compares only the pieces that the agent wrote: %s', async (name) => {
    await writeFile(join(folder, name), '// start\noldCall(amount);\n');
    edit('m1', name, true);
    const [, ...sides] = await compared(name);
    expect(await Promise.all(sides.map(textOf))).toEqual(['oldCall(amount);', 'newCall(amount);']);
    expect(sides[0]?.path).toBe(sides[1]?.path);
  });

  it('compares with the file that was chosen among several', async () => {
    meantFiles = () => ['second.ts', 'first.ts'].map((name) => Uri.file(join(folder, name)));
    await writeFile(join(folder, 'first.ts'), 'other();\n');
    await writeFile(join(folder, 'second.ts'), 'oldCall(amount);\n');
    edit('m1', 'done.ts', true);
    person.clicks = '';
    const [, ...sides] = await compared('done.ts');
    expect(await Promise.all(sides.map(textOf))).toEqual(['oldCall(amount);', 'newCall(amount);']);
  });

  it('reads no file of the workspace that the path of the change does not mean', async () => {
    await writeFile(join(folder, 'secret.ts'), 'secret\n');
    edit('m1', 'done.ts', true);
    const address = { key, range: { first: 'm1', last: 'm1-result' }, path: '/agent/done.ts' };
    const place = String(Uri.file(join(folder, 'secret.ts')));
    const uri = changeFiles.uri({ ...address, place }, 'workspace') as unknown as Uri;
    await expect(textOf(uri)).rejects.toThrow();
  });
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
