import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { type CommandHandlers, commandArguments } from '../../../src/commands/commandArguments.ts';
import { CommandRunner } from '../../../src/commands/commandRunner.ts';
import { CanceledWork } from '../../../src/host/prompts/progress.ts';
import { CommentNotAdded, notify, NothingToDoError } from '../../../src/commands/commandErrors.ts';
import { takingEntered } from '../../../src/commands/enteredFailure.ts';
import { showInfo } from '../../../src/host/prompts/notify.ts';
import { DocumentComment } from '../../../src/views/documents/documentComments.ts';
import { person, Position, Range, recorded, Uri } from '../../fakes/recordedEditor.ts';
import { comment, t } from '../state/samples.ts';

vi.mock('vscode', async () => ({
  ...(await import('../../fakes/recordedEditor.ts')),
  CommentMode: { Preview: 1 },
  CommentThreadCollapsibleState: { Collapsed: 0 },
}));

const key = { origin: 'https://service.test', sessionId: 's1' };
const row = { kind: 'session', rowId: 'r1', key };
const other = { kind: 'session', rowId: 'r2', key: { ...key, sessionId: 's2' } };
const file = Uri.file('/work/a.ts');
const reply = { text: 'Why?', thread: { uri: file, range: new Range(new Position(1, 0), new Position(2, 0)) } };
const place = { range: undefined } as unknown as vscode.CommentThread;

let calls: unknown[];
let logged: string[];
let waits: unknown[];
let failure: Error | undefined;
let runner: CommandRunner;

beforeEach(() => {
  calls = [];
  logged = [];
  waits = [];
  failure = undefined;
  recorded.length = 0;
  person.clicks = undefined;
  const lifecycle = {
    ensureStarted: () => Promise.resolve(waits.push('started')),
    ensureListed: (sessionId: string | undefined) => Promise.resolve(waits.push(sessionId)),
  };
  const log = { error: (line: string) => logged.push(line) };
  runner = new CommandRunner({ lifecycle, log, keys: { seen: [] }, t } as unknown as ConstructorParameters<
    typeof CommandRunner
  >[0]);
  const handle = (name: string) => (argument: object, caller: string) => {
    calls.push([name, Object.fromEntries(Object.entries(argument).filter(([, value]) => value !== undefined)), caller]);
    if (failure) throw failure;
    return name;
  };
  runner.setHandlers(
    Object.fromEntries(Object.keys(commandArguments).map((name) => [name, handle(name)])) as unknown as CommandHandlers,
  );
});

const shown = () => recorded.map(({ what, args }) => [what, args[0]]);

describe('what a command receives', () => {
  it.each([
    ['nothing from the palette', 'exportConversation', [], {}, 'user'],
    ['that it was selected in the title menu of a view', 'showUsage', [undefined], { titleMenu: 'view' }, 'user'],
    ['the same, if null arrives', 'showUsage', [null], { titleMenu: 'view' }, 'user'],
    [
      'that it was selected in the title menu of a tab with a page',
      'copyLink',
      [Uri.parse('webview-panel:webview-panel/webview-undefined-1'), { groupId: 2 }],
      { titleMenu: 'tab' },
      'user',
    ],
    ['no title menu of a script', 'showUsage', [{ titleMenu: 'view' }], {}, 'script'],
    ['nothing of what another part of VS Code passes', 'refresh', ['x', 1], {}, 'user'],
    ['a file and those selected with it', 'sendFile', [file, [file, 'x']], { uri: file, uris: [file] }, 'user'],
    ['one file, if the command takes one', 'attachFolder', [file, [file]], { uri: file }, 'user'],
    ['no file, if the command takes none', 'refresh', [file, [file]], {}, 'user'],
    ['the session of a row', 'showUsage', [row], { sessionId: 's1', service: key.origin }, 'user'],
    [
      'the selected sessions',
      'pinSession',
      [row, [row, other, { ...other, kind: 'message', messageId: 'm1' }, 1]],
      {
        sessionId: 's1',
        service: key.origin,
        sessions: [
          { sessionId: 's1', service: key.origin },
          { sessionId: 's2', service: key.origin },
        ],
      },
      'user',
    ],
    [
      'the message of a row, and no session that is also selected',
      'copyLink',
      [{ ...other, kind: 'message', messageId: 'm1' }, [row, { ...other, kind: 'message', messageId: 'm1' }]],
      { sessionId: 's2', service: key.origin, messageId: 'm1', sessions: [] },
      'user',
    ],
    [
      'the message and the file of a row',
      'showChanges',
      [{ kind: 'changedFile', key, messageId: 'm1', path: 'a.ts' }, undefined],
      { sessionId: 's1', service: key.origin, messageId: 'm1', path: 'a.ts' },
      'user',
    ],
    [
      'only the message from the menu of a page',
      'toggleBookmark',
      [{ webviewSection: 'linesideMessage', messageId: 'm1', sessionId: 's9', linesideHasBranches: true }],
      { messageId: 'm1' },
      'user',
    ],
    [
      'the path from the menu of a link',
      'openLinkedFile',
      [{ webviewSection: 'linesideFile', messageId: 'm1', path: 'src/a.ts:3', sessionId: 's9' }],
      { path: 'src/a.ts:3' },
      'user',
    ],
    ['what the user wrote in a new thread', 'addComment', [reply], { reply }, 'user'],
    ['no comment, if the command takes none', 'refresh', [reply], {}, 'user'],
    [
      'the documented fields of a script',
      'exportConversation',
      [{ sessionId: 's1', format: 'json', redact: true, text: 'x', own: 1 }],
      { sessionId: 's1', format: 'json', redact: true },
      'script',
    ],
    ['an empty object of a script', 'refresh', [{}], {}, 'script'],
    [
      'no field that only menus pass, from a script',
      'pinSession',
      [{ sessionId: 's1', sessions: [{ sessionId: 's2', service: key.origin }] }],
      { sessionId: 's1' },
      'script',
    ],
  ] as const)('%s', async (_, name, given, argument, caller) => {
    expect(await runner.runGiven(name, given)).toBe(name);
    expect(calls).toEqual([[name, argument, caller]]);
  });

  it('a comment in a document, if the command takes one', async () => {
    const given = new DocumentComment(key, comment, place, t);
    await runner.runGiven('editComment', [given]);
    await runner.runGiven('refresh', [given]);
    expect(calls).toEqual([
      ['editComment', { comment: given }, 'user'],
      ['refresh', {}, 'user'],
    ]);
  });

  it('a URI for the text of one', async () => {
    await runner.runGiven('attachFile', [{ uri: 'file:///work/a.ts' }]);
    expect(String((calls as [string, { uri: Uri }][])[0]?.[1].uri)).toBe('file:///work/a.ts');
  });
});

describe('an invalid field', () => {
  it.each([
    ['exportConversation', { format: 'pdf' }, 'format'],
    ['exportConversation', { sessionId: 's1', redact: 'yes' }, 'redact'],
    ['attachFile', { uri: 'no URI' }, 'uri'],
    ['sendProblems', { line: 0 }, 'line'],
    ['setDetailLevel', { detailLevel: 'all' }, 'detailLevel'],
    ['openConversation', { sessionId: null }, 'sessionId'],
  ])('of a script is an error that names it: %s %j', async (name, argument, field) => {
    await expect(runner.runGiven(name, [argument])).rejects.toThrow(
      `The field "${field}" in the argument of "lineside.${name}" has an invalid value.`,
    );
    expect([calls, shown()]).toEqual([[], []]);
    expect(logged).toHaveLength(1);
  });

  it('of another command is ignored', async () => {
    await runner.runGiven('refresh', [{ sessionId: 's1', format: 'pdf' }]);
    expect(calls).toEqual([['refresh', { sessionId: 's1' }, 'script']]);
  });
});

describe('a failure', () => {
  it('is logged and shown to the user, and Retry runs the command again', async () => {
    failure = new Error('the service is gone');
    person.clicks = 'Retry';
    expect(await runner.runGiven('pinSession', [row, [row]])).toBeUndefined();
    failure = undefined;
    await vi.waitUntil(() => calls.length === 2);
    expect(calls[1]).toEqual(calls[0]);
    expect(logged).toEqual(['pinSession failed: the service is gone']);
    expect(recorded.map(({ what }) => what)).toEqual(['error']);
  });

  it('of what the user canceled is shown to scripts only', async () => {
    failure = new CanceledWork(new Error('The request was canceled.'));
    expect(await runner.runGiven('testConnection', [])).toBeUndefined();
    expect([logged, shown()]).toEqual([[], []]);
    await expect(runner.runGiven('testConnection', [{}])).rejects.toBe(failure);
  });

  it('is logged and thrown to a script', async () => {
    failure = new Error('the service is gone');
    await expect(runner.runGiven('refresh', [{}])).rejects.toBe(failure);
    expect([logged, shown()]).toEqual([['refresh failed: the service is gone'], []]);
  });

  it('of the disk has a readable message for a script', async () => {
    failure = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    await expect(runner.runGiven('refresh', [{}])).rejects.toThrow('The disk is full.');
  });

  it('to add a comment is also thrown to VS Code, which then keeps the text in its field, and offers to copy it', async () => {
    failure = new CommentNotAdded('The disk is full.', 'Why?');
    person.clicks = 'Copy Comment';
    await expect(runner.runGiven('addComment', [reply])).rejects.toBe(failure);
    await vi.waitUntil(() => recorded.some(({ what }) => what === 'copy'));
    expect(recorded).toMatchObject([
      { what: 'error', args: ['The disk is full.', 'Copy Comment', 'Copy Details'] },
      { what: 'copy', args: ['Why?'] },
    ]);
    expect(logged).toEqual(['addComment failed: The disk is full.']);
  });

  it('that is only a missing precondition is shown as information', async () => {
    failure = new NothingToDoError('No sessions.');
    await runner.runGiven('refresh', []);
    expect(shown()).toEqual([['information', 'No sessions.']]);
  });

  it.each([[[]], [[row]]])('of an unknown command is shown to the user: %j', async (given) => {
    await runner.runGiven('toString', given);
    expect(logged).toEqual(['toString failed: unknown command']);
    expect(recorded.map(({ what }) => what)).toEqual(['error']);
  });

  it('of an unknown command is thrown to a script', async () => {
    await expect(runner.runGiven('gone', [{}])).rejects.toThrow('unknown command');
    expect([logged, shown()]).toEqual([['gone failed: unknown command'], []]);
  });

  it('of a command that our code runs is shown, or thrown if the code asks for that', async () => {
    failure = new Error('the service is gone');
    expect(await runner.run('switchService', { service: key.origin })).toBeUndefined();
    await expect(runner.run('switchService', { service: key.origin }, 'script')).rejects.toBe(failure);
    expect(recorded.map(({ what }) => what)).toEqual(['error']);
    expect(calls).toEqual([
      ['switchService', { service: key.origin }, 'user'],
      ['switchService', { service: key.origin }, 'script'],
    ]);
  });
});

describe('what the user has entered', () => {
  const gone = new Error('the service is gone');
  let steps: string[];
  let failures: (Error | undefined)[];
  beforeEach(() => {
    steps = [];
    failures = [gone, gone];
    person.clicks = 'Retry';
  });

  /** A command that asks for a text and takes it in two parts. The inner part runs only if the outer one succeeds. */
  async function enter(): Promise<void> {
    steps.push('asked');
    await takingEntered(async () => {
      take('outer');
      await takingEntered(async () => {
        await Promise.resolve();
        take('inner');
      });
    });
  }
  function take(part: string): void {
    steps.push(part);
    const failed = failures.shift();
    if (failed) throw failed;
  }

  it('is taken again by Retry without asking, from the part that failed', async () => {
    runner.setHandlers({ setApiKey: enter } as unknown as CommandHandlers);
    failures = [gone, undefined, gone, gone];
    await runner.runGiven('setApiKey', []);
    await vi.waitUntil(() => steps.length === 6);
    expect(steps).toEqual(['asked', 'outer', 'outer', 'inner', 'inner', 'inner']);
    await vi.waitUntil(() => logged.length === 3);
    expect(logged).toEqual(Array<string>(3).fill('setApiKey failed: the service is gone'));
  });

  it('is taken again by Retry of the button of a notification', async () => {
    const services = { log: { error: (line: string) => logged.push(line) }, keys: { seen: [] }, t };
    person.clicks = 'Enter';
    const over = notify(showInfo, services as unknown as Parameters<typeof notify>[1], 'Enter it.', {
      label: 'Enter',
      run: enter,
    });
    person.clicks = 'Retry';
    await over;
    await vi.waitUntil(() => steps.length === 5);
    expect(steps).toEqual(['asked', 'outer', 'outer', 'outer', 'inner']);
  });

  it('is not taken again for a script, which gets the error itself, or after the user canceled', async () => {
    runner.setHandlers({ setApiKey: enter } as unknown as CommandHandlers);
    await expect(runner.runGiven('setApiKey', [{}])).rejects.toBe(gone);
    failures = [new CanceledWork(gone)];
    await runner.runGiven('setApiKey', []);
    expect([steps, shown()]).toEqual([['asked', 'outer', 'asked', 'outer'], []]);
  });
});

it('waits for the window to start; to open a conversation, only for its session; to open a row, for nothing', async () => {
  await runner.runGiven('refresh', [row]);
  await runner.runGiven('openConversation', [row]);
  await runner.runGiven('openConversationInEditor', []);
  await runner.run('openConversation', { sessionId: 's2' });
  await runner.runGiven('openRow', []);
  expect(waits).toEqual(['started', 's1', undefined, 's2']);
});
