import { expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { sessionCommands } from '../../../../src/commands/sessions/sessions.ts';
import type { SectionRow, SessionRow, TreeRow } from '../../../../src/state/sessions/tree.ts';

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

/** The calls that a click on a row leads to. */
async function callsOf(selectedRow: TreeRow | undefined): Promise<unknown[]> {
  const calls: unknown[] = [];
  const record =
    (what: string) =>
    (...args: readonly unknown[]) =>
      Promise.resolve(calls.push([what, ...args]));
  const navigation = {
    selectedRow,
    showOlder: record('older'),
    showMoreChildren: record('children'),
    showMoreSessions: record('sessions'),
  };
  const commands = { run: record('run') };
  await sessionCommands({ navigation, commands } as unknown as CommandContext).openRow();
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
] as const satisfies readonly [string, TreeRow | undefined, unknown[]][])('a click on %s', async (_, row, calls) => {
  expect(await callsOf(row)).toEqual(calls);
});
