import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { errorMessageOf } from '../../../../src/commands/commandErrors.ts';
import { OfferedSessions } from '../../../../src/commands/sessions/offeredSessions.ts';
import { sourceCommands } from '../../../../src/commands/sessions/sessionSource.ts';
import { SourceTimer } from '../../../../src/commands/sessions/sourceTimer.ts';
import type { ProgramOutput } from '../../../../src/host/programOutput.ts';
import { TemplateApprovals } from '../../../../src/host/storage/templateApprovals.ts';
import { reasonOf, silentLog } from '../../../../src/shared/log.ts';
import type { SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { configure, configured, person, recorded, workspace } from '../../../fakes/recordedEditor.ts';
import { hostile, isDisguised, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));
const program = vi.hoisted(() => ({
  output: { kind: 'text', text: '' } as ProgramOutput,
  runs: [] as (readonly string[])[],
  signal: undefined as AbortSignal | undefined,
  hangs: false,
  /** Ends a run that hangs. */
  finish: (): void => undefined,
}));
vi.mock('../../../../src/host/programOutput.ts', () => ({
  readProgramOutput: (name: string, args: readonly string[], signal: AbortSignal) => {
    program.runs.push([name, ...args]);
    program.signal = signal;
    if (!program.hangs) return Promise.resolve(program.output);
    return new Promise((resolve) => (program.finish = () => resolve(program.output)));
  },
}));

const origin = 'https://service.test';
const command = 'lineside.sessionSource.command';
const elsewhere = { ...ready, service: { name: 'Lab', baseUrl: 'https://lab.test', origin: 'https://lab.test' } };
const minutes = 'lineside.sessionSource.everyMinutes';
let saved: Map<string, unknown>;
let added: string[];
let presence: Map<string, 'listed' | 'removed'>;
let isClaimed: boolean;
let context: CommandContext;
let timer: SourceTimer | undefined;

beforeEach(() => {
  saved = new Map();
  added = [];
  presence = new Map();
  isClaimed = true;
  recorded.length = 0;
  program.runs.length = 0;
  program.hangs = false;
  program.output = { kind: 'text', text: 'a1' };
  person.clicks = undefined;
  configured.clear();
  configured.set(command, ['my-agent', 'list', '`x` [y](command:z)']);
  workspace.isTrusted = true;
  const memento = {
    get: (key: string) => saved.get(key),
    update: (key: string, value: unknown) => Promise.resolve(saved.set(key, structuredClone(value))),
  } as unknown as vscode.Memento;
  const store = new Store(memoryBodies());
  const lab = { name: 'Lab', baseUrl: 'https://lab.test', origin: 'https://lab.test' };
  const keyless = { name: 'Unused', baseUrl: 'https://unused.test', origin: 'https://unused.test' };
  store.setConnections(ready, [{ kind: 'ready', service: lab }]);
  context = {
    store,
    t,
    log: silentLog,
    lifecycle: { ensureStarted: () => Promise.resolve() },
    connections: { known: { services: [lab, keyless] } },
    sessions: { refresh: () => Promise.resolve() },
    sessionList: {
      settled: () => Promise.resolve([]),
      presenceOf: ({ sessionId }: SessionKey) => presence.get(sessionId),
      add: (key: SessionKey) => Promise.resolve(added.push(`${key.origin} ${key.sessionId}`)),
    },
    sourceRuns: { claim: () => Promise.resolve(isClaimed) },
    templateApprovals: new TemplateApprovals(memento),
  } as unknown as CommandContext;
  timer = undefined;
  offered = new OfferedSessions(memento);
});
let offered: OfferedSessions;
afterEach(() => {
  timer?.dispose();
  vi.useRealTimers();
});

const run = () => sourceCommands(context).addSessionsFromCommand();
const approve = () => context.templateApprovals.approve(command, JSON.stringify(configured.get(command)));
const lists = () => recorded.filter(({ what }) => what === 'quickPick').map(({ args }) => args);
const rows = () => lists().flatMap(([items]) => items as { label: string; description?: string; picked?: boolean }[]);

/** The person confirms the next list with all of its rows checked. */
async function confirmList(): Promise<void> {
  const vscodeFake = await import('../../../fakes/recordedEditor.ts');
  vi.spyOn(vscodeFake.window, 'showQuickPick').mockImplementationOnce((items, ...more) => {
    recorded.push({ what: 'quickPick', args: [items, ...more] });
    return Promise.resolve(items as never);
  });
}

describe('Add Sessions from Command', () => {
  it('runs the command only after the person has seen exactly what it is, once for each command', async () => {
    await run();
    expect(program.runs).toEqual([]);
    const [question, { detail }] = (recorded[0]?.args ?? []) as [string, { detail: string }];
    expect(question).toBe('Run this command to find sessions?');
    expect(detail).toContain('["my-agent", "list", "\\u0060x\\u0060 [y]\\u0028command:z)"]');
    person.clicks = 'Run';
    await run();
    person.clicks = undefined;
    await run();
    expect(program.runs).toHaveLength(2);
    configured.set(command, ['my-agent', 'list', '--all']);
    await run();
    expect(program.runs).toHaveLength(2);
  });

  it.each([
    ['in Restricted Mode', () => (workspace.isTrusted = false), 'Restricted Mode'],
    ['without a command', () => configured.delete(command), 'set "lineside.sessionSource.command" first'],
    ['without a service', () => context.store.setConnection({ kind: 'noService' }), 'Connect to a service'],
    ['with a path in the workspace', () => configured.set(command, ['./list']), 'must be an absolute path'],
    ['with placeholders', () => configured.set(command, ['list', '${sessionId}']), 'requires a session ID'],
  ])('runs nothing %s', async (_, prepare, message) => {
    await approve();
    prepare();
    if (configured.has(command)) await approve();
    await expect(run()).rejects.toThrow(message);
    expect(program.runs).toEqual([]);
  });

  it('selects what is new, and adds nothing but what the person confirms', async () => {
    await approve();
    presence.set('known1', 'listed').set('gone1', 'removed');
    const ids = [
      'known1',
      'gone1',
      '{"id":"new","title":"Fix it"}',
      'https://lab.test/sessions/l',
      'https://evil.test/sessions/e',
      'https://unused.test/sessions/u',
      'two words',
    ];
    program.output = { kind: 'text', text: ids.join('\n') };
    await run();
    expect(added).toEqual([]);
    expect(rows().map(({ label, description, picked }) => [label, description, picked])).toEqual([
      ['New', undefined, undefined],
      ['Fix it', 'new', true],
      ['l', 'Lab', true],
      ['Previously removed from your list', undefined, undefined],
      ['gone1', '', false],
      ["On services that aren't connected", undefined, undefined],
      ['e', 'https://evil.test', false],
      ['u', 'Unused', false],
    ]);
    expect(lists()[0]?.[1]).toMatchObject({
      canPickMany: true,
      placeHolder: '1 is already in your list. 1 line has no valid ID or URL.',
    });
    await confirmList();
    await run();
    expect(added).toEqual([`${origin} new`, 'https://lab.test l', `${origin} gone1`]);
    expect(recorded.at(-1)?.args[0]).toBe(
      'Skipped 2 sessions, for example on https://evil.test. Connect to that service first.',
    );
  });

  it('has a placeholder that fits next to the number of selected rows', async () => {
    await approve();
    await run();
    expect(lists()[0]?.[1]).toMatchObject({ placeHolder: 'Select sessions to add' });
  });

  it('neutralizes titles, and lists at most 500', async () => {
    await approve();
    const titles = [hostile, ...Array.from({ length: 999 }, (_, index) => `[x](command:quit) $(zap) ${index}`)];
    program.output = { kind: 'text', text: JSON.stringify(titles.map((title, id) => ({ id, title }))) };
    await run();
    expect(rows()).toHaveLength(501);
    const labels = rows()
      .slice(1)
      .map(({ label }) => label);
    expect(labels.filter((label) => isDisguised(label) || /\]\(|(?<!\\)\$\(/.test(label))).toEqual([]);
    expect(lists()[0]?.[1]).toMatchObject({
      placeHolder: 'Showing the first 500 of 1,000.',
    });
  });

  it('says how much of a long output was read', async () => {
    await approve();
    const ids = Array.from({ length: 1_500 }, (_, index) => `s${index % 500}`);
    program.output = { kind: 'text', text: ids.join('\n') };
    await run();
    expect(lists()[0]?.[1]).toMatchObject({
      placeHolder: 'Only the first 1,000 lines were read.',
    });
  });

  it.each<[ProgramOutput, RegExp]>([
    [{ kind: 'batchFile' }, /^"lineside.*" can't run \.cmd and \.bat files.* Nothing was added\.$/],
    [
      { kind: 'notStarted', code: 'ENOENT' },
      /^The program in .* couldn't be started \(ENOENT\)\. Nothing was added\.$/,
    ],
    [
      { kind: 'failed', code: 3, lastLine: hostile },
      /^The program in .* failed with exit code 3\. Nothing was added\.$/,
    ],
    [{ kind: 'timeout' }, /didn't end within 30 seconds and was stopped\. Nothing was added\.$/],
    [{ kind: 'tooLarge' }, /wrote more than 512 KB and was stopped\. Nothing was added\.$/],
    [{ kind: 'notUtf8' }, /isn't valid UTF-8 text\. Nothing was added\.$/],
    [{ kind: 'text', text: 'no session\u0007' }, /contains no session IDs or URLs\. Nothing was added\.$/],
    [{ kind: 'text', text: '' }, /^No new sessions\.$/],
  ])('says in one message why there is nothing to add: %j', async (output, message) => {
    await approve();
    program.output = output;
    await expect(run()).rejects.toThrow(message);
    expect([added, lists()]).toEqual([[], []]);
  });
});

it('shows what a failed program reported, and never logs it', async () => {
  await approve();
  program.output = { kind: 'failed', code: 3, lastLine: `Bad token ghp_secret at https://evil.test ${hostile}` };
  const error: unknown = await run().catch((reason: unknown) => reason);
  expect(errorMessageOf(error, { maxAttachmentMB: 1, maxMessageMB: 1 }, t)).toMatch(
    /^The program in .* failed with exit code 3\. Nothing was added\. Error output: Bad token .* a<U\+202E>/,
  );
  expect(reasonOf(error)).toMatch(/ failed with exit code 3\. Nothing was added\.$/);
});

describe('timed runs', () => {
  // Runs are due every ten minutes by the clock, so a test must not begin right before one is due.
  beforeEach(() => vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 12, 1) }));
  const start = async (everyMinutes: unknown = 10) => {
    configured.set(minutes, everyMinutes);
    timer = new SourceTimer(context, offered);
    await vi.advanceTimersByTimeAsync(60_000);
  };
  const offers = () => recorded.filter(({ what }) => what === 'information').map(({ args }) => args[0]);

  it.each([
    ['is off by default', () => configured.delete(minutes)],
    ['was not approved', () => saved.clear()],
    ['is in Restricted Mode', () => (workspace.isTrusted = false)],
    ['has no service', () => context.store.setConnection({ kind: 'noService' })],
    ['has another window that runs it', () => (isClaimed = false)],
  ])('do not happen if the command %s', async (_, prepare) => {
    await approve();
    configured.set(minutes, 10);
    prepare();
    timer = new SourceTimer(context, offered);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([program.runs, recorded]).toEqual([[], []]);
  });

  it('offer only what is new, once, and add nothing', async () => {
    await approve();
    presence.set('known1', 'listed').set('gone1', 'removed');
    program.output = { kind: 'text', text: 'known1\ngone1\nhttps://evil.test/sessions/e\na1\nb1' };
    await start();
    expect(offers()).toEqual(['Your command found 2 new sessions.']);
    await vi.advanceTimersByTimeAsync(600_000);
    program.output = { kind: 'text', text: 'a1\nb1\nc1' };
    await vi.advanceTimersByTimeAsync(600_000);
    expect(program.runs).toHaveLength(3);
    expect(offers()).toEqual(['Your command found 2 new sessions.', 'Your command found 1 new session.']);
    expect([added, lists()]).toEqual([[], []]);
  });

  it.each([
    ['part of them is listed for a while', ['a1', 'b1', 'a1\nb1'], [ready]],
    ['the windows of two services take turns', ['a1', 'a1'], [ready, elsewhere]],
  ])('offer no session again if %s', async (_, outputs, connections) => {
    await approve();
    program.output = { kind: 'text', text: 'a1' };
    await start();
    for (const [round, text] of [...outputs, ...outputs].entries()) {
      program.output = { kind: 'text', text };
      context.store.setConnection(connections[round % connections.length] ?? ready);
      await vi.advanceTimersByTimeAsync(600_000);
    }
    expect(program.runs.length).toBeGreaterThanOrEqual(5);
    expect(offers()).toEqual(Array.from({ length: 2 }, () => 'Your command found 1 new session.'));
  });

  it.each([
    [
      'selects only what is new at the time of the click',
      'a1\nb1\nc1',
      ['New', 'a1', 'Previously removed from your list', 'b1'],
    ],
    ['says if nothing is new at the time of the click', 'c1', undefined],
  ])('%s', async (_, text, labels) => {
    await approve();
    program.output = { kind: 'text', text };
    const vscodeFake = await import('../../../fakes/recordedEditor.ts');
    let click = (_label: string): void => expect.fail('no notification');
    vi.spyOn(vscodeFake.window, 'showInformationMessage').mockImplementationOnce(
      () => new Promise((resolve) => (click = resolve)),
    );
    await start();
    presence.set('b1', 'removed').set('c1', 'listed');
    click('Add Sessions...');
    await vi.advanceTimersByTimeAsync(0);
    expect(rows().map(({ label }) => label)).toEqual(labels ?? []);
    expect(rows().filter(({ picked }) => picked)).toHaveLength(labels ? 1 : 0);
    expect(offers()).toEqual(labels ? [] : ['No new sessions. 1 is already in your list.']);
  });

  it('remember a bounded number of sessions, those that were offered last', async () => {
    const keys = Array.from({ length: 6_000 }, (_, index) => ({ key: { origin, sessionId: `s${index}` } }));
    for (let start = 0; start < keys.length; start += 1_000)
      await offered.add(keys.slice(start, start + 1_000).map(({ key }) => key));
    expect(offered.without(keys).map(({ key }) => key.sessionId)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => `s${index}`),
    );
  });

  it('report the first of several failures, and never run more often than every 5 minutes', async () => {
    await approve();
    program.output = { kind: 'timeout' };
    await start(1);
    await vi.advanceTimersByTimeAsync(1_740_000);
    expect(program.runs.length).toBeLessThanOrEqual(7);
    expect(recorded.map(({ what }) => what)).toEqual(['warning']);
  });

  it('show what the program reported, and never log it', async () => {
    await approve();
    const logged: string[] = [];
    context = {
      ...context,
      log: { ...silentLog, warn: (line: string) => logged.push(line) },
    } as unknown as CommandContext;
    program.output = { kind: 'failed', code: 3, lastLine: 'Bad token ghp_secret' };
    await start();
    expect(recorded.map(({ args }) => args[0])).toEqual([
      expect.stringMatching(/ Error output: Bad token ghp_secret$/),
    ]);
    expect(logged).toEqual([expect.stringMatching(/ failed with exit code 3\. Nothing was added\.$/)]);
  });

  it.each([
    ['in Restricted Mode', () => (workspace.isTrusted = false)],
    ['without a service', () => context.store.setConnection({ kind: 'noService' })],
  ])('are not claimed by a window %s, so that another window runs the command', async (_, restrict) => {
    await approve();
    configured.set(minutes, 10);
    const claimed = new Set<number>();
    const claim = (dueAt: number) => Promise.resolve(!claimed.has(dueAt) && Boolean(claimed.add(dueAt)));
    context = { ...context, sourceRuns: { claim } } as unknown as CommandContext;
    restrict();
    timer = new SourceTimer(context, offered);
    await vi.advanceTimersByTimeAsync(30_000);
    expect([claimed.size, program.runs]).toEqual([0, []]);
    workspace.isTrusted = true;
    const store = new Store(memoryBodies());
    store.setConnection(ready);
    const others = [1, 2].map(() => new SourceTimer({ ...context, store }, offered));
    await vi.advanceTimersByTimeAsync(30_000);
    for (const other of others) other.dispose();
    expect([claimed.size, program.runs.length]).toEqual([1, 1]);
  });

  it('end with the window, without a message', async () => {
    await approve();
    program.hangs = true;
    await start();
    timer?.dispose();
    expect(program.signal?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect([program.runs.length, recorded]).toEqual([1, []]);
  });

  it('follow a setting that is changed during a run', async () => {
    await approve();
    program.hangs = true;
    await start(60);
    configure(minutes, 10);
    program.hangs = false;
    program.finish();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(program.runs).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(program.runs).toHaveLength(3);
  });

  it('stop with the setting', async () => {
    await approve();
    await start();
    configure(minutes, 0);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(program.runs).toHaveLength(1);
  });
});
