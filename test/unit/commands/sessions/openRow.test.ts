import { expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { sessionCommands } from '../../../../src/commands/sessions/sessionCommands.ts';
import { translator } from '../../../../src/shared/translate.ts';
import type { SectionRow, SessionRow } from '../../../../src/state/sessions/sessionTree.ts';
import type { Clicked } from '../../../../src/views/sessions/clickedRow.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const key = { origin: 'https://service.test', sessionId: 's1' };
const argument = { sessionId: 's1', service: key.origin };
const section: SectionRow = { kind: 'section', rowId: 'today', section: { sectionId: 'today', kind: 'today' } };
const session: SessionRow = { kind: 'session', rowId: 's', key };
const inner = { rowId: 'inner', key, parent: session } as const;
const file = {
  kind: 'changedFile',
  rowId: 'f',
  key,
  path: 'src/a.ts',
  parent: { kind: 'changes', ...inner },
} as const;

/** The calls that a click on a row leads to. `isNeeded`: whether older messages must be loaded from a service. */
async function callsOf(
  clicked: Clicked,
  isNeeded = false,
  connection = 'ready',
  isLoading = false,
): Promise<unknown[]> {
  const calls: unknown[] = [];
  const record =
    (what: string) =>
    (...args: readonly unknown[]) =>
      Promise.resolve(calls.push([what, ...args]));
  const navigation = {
    clickedRow: () => Promise.resolve(clicked),
    showOlder: (...args: readonly unknown[]) => {
      calls.push(['older', ...args]);
      return isNeeded;
    },
    showMoreChildren: record('children'),
    showMoreSessions: record('sessions'),
  };
  const commands = { run: record('run') };
  const sessions = { loadOlder: record('load') };
  const lifecycle = { ensureStarted: record('start') };
  const store = {
    connectionOf: () => ({ kind: connection, ...(connection !== 'noService' && { service: { name: 'Work' } }) }),
    record: () => ({ history: { isLoading } }),
  };
  const context = { navigation, commands, sessions, lifecycle, store, t: translator('en') };
  await sessionCommands(context as unknown as CommandContext).openRow();
  return calls;
}

it.each([
  ['a session', session, [['run', 'openConversation', argument]]],
  [
    'a message',
    { kind: 'message', ...inner, messageId: 'm1' },
    [['run', 'openConversation', { ...argument, messageId: 'm1' }]],
  ],
  ['a changed file', file, [['run', 'showChanges', { ...argument, path: 'src/a.ts' }]]],
  ['Load Older Messages', { kind: 'older', ...inner }, [['older', key]]],
  ['Show More Child Sessions', { kind: 'moreChildren', ...inner }, [['children', key]]],
  ['Show More Sessions', { kind: 'moreSessions', rowId: 'more', parent: section }, [['sessions', section]]],
  ['a heading', section, []],
  ['no row, or several', undefined, []],
] as const satisfies readonly [string, Clicked, unknown[]][])('a click on %s', async (_, row, calls) => {
  expect(await callsOf(row)).toEqual(calls);
});

it('a click on Load Older Messages loads them if they are not here yet', async () => {
  expect(await callsOf({ kind: 'older', ...inner }, true)).toEqual([['older', key], ['start'], ['load', key]]);
});

it('a click on Load Older Messages loads nothing more while messages are being loaded', async () => {
  expect(await callsOf({ kind: 'older', ...inner }, true, 'ready', true)).toEqual([['older', key], ['start']]);
});

it('a click on a row that VS Code does not know says that it has no effect', async () => {
  await expect(callsOf('unknown')).rejects.toThrow('VS Code is still drawing the Sessions view.');
});

it.each([
  ['noKey', 'Check your API key for Work.'],
  ['keyRejected', 'Check your API key for Work.'],
  ['starting', "Work isn't connected."],
  ['noService', "https://service.test isn't connected."],
])('a click on Load Older Messages says why they cannot be loaded: %s', async (connection, reason) => {
  const click = callsOf({ kind: 'older', ...inner }, true, connection);
  await expect(click).rejects.toThrow(`Can't load older messages. ${reason}`);
});
