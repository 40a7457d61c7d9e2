import { beforeEach, expect, it, vi } from 'vitest';
import { composerCommands } from '../../../../src/commands/composer/composerCommands.ts';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { bookmarkCommands } from '../../../../src/commands/conversation/bookmarkCommands.ts';
import { commentCommands } from '../../../../src/commands/conversation/commentCommands.ts';
import { readingCommands } from '../../../../src/commands/conversation/readingCommands.ts';
import { linkCommands } from '../../../../src/commands/sessions/linkCommands.ts';
import { activeOrTarget } from '../../../../src/commands/sessions/pick.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { ActiveConversation } from '../../../../src/views/activeConversation.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { key, ready, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const inTab = { ...key, sessionId: 'in-tab' };
const inView = { ...key, sessionId: 'in-view' };

let posted: unknown[];
let context: CommandContext;

/** A tab is active, but the side bar has the focus. */
beforeEach(() => {
  recorded.length = 0;
  posted = [];
  const store = new Store(memoryBodies());
  store.setConnection(ready);
  for (const each of [inTab, inView]) store.addSession({ key: each, addedAt: 1 });
  const activeConversation = new ActiveConversation(store);
  const open = (shown: typeof key, frame: { visible: boolean; active?: boolean }) => {
    const post = (message: object) => posted.push([shown.sessionId, message]);
    const page = { key: shown, isInEditor: false, post };
    activeConversation.add(page, frame);
    return page;
  };
  open(inTab, { visible: true, active: true });
  activeConversation.setFocused(open(inView, { visible: true }), true);
  const sessions = { refresh: () => Promise.resolve() };
  context = { store, sessions, activeConversation, composer: {}, t } as unknown as CommandContext;
});

it.each([
  [() => readingCommands(context).nextError(), { type: 'goTo', target: 'error', by: 1 }],
  [() => readingCommands(context).previousPrompt(), { type: 'goTo', target: 'prompt', by: -1 }],
  [() => readingCommands(context).findInConversation(), { type: 'openFind' }],
  [() => readingCommands(context).quoteMessage({ messageId: 'm1' }), { type: 'quote', key: 'm1' }],
  [() => bookmarkCommands(context).toggleBookmark({}), { type: 'toggleBookmark' }],
  [() => commentCommands(context).addComment({}), { type: 'comment' }],
  [() => composerCommands(context).sendLater(), { type: 'composerKey', press: 'sendLater' }],
])('a command goes to the page that has the focus, not to the active tab: %s', async (run, message) => {
  await run();
  expect(posted).toEqual([['in-view', message]]);
});

it('a command on a session acts on the conversation that has the focus, or on that of its title menu', async () => {
  const { copyLink } = linkCommands(context);
  for (const titleMenu of [undefined, 'view', 'tab'] as const) await copyLink({ titleMenu });
  const links = recorded.map(({ args }) => String(args[0])).filter((link) => link.includes('session='));
  expect(links.map((link) => new URL(link).searchParams.get('session'))).toEqual(['in-view', 'in-view', 'in-tab']);
  expect(await activeOrTarget(context, { sessionId: 'in-tab', titleMenu: 'view' }, '')).toEqual(inTab);
});

it('a command in the title menu of a tab acts on no other session if that of the tab is not in the list', async () => {
  context.store.removeSessions([inTab]);
  person.clicks = undefined;
  expect(await activeOrTarget(context, { titleMenu: 'tab' }, 'Copy Link')).toBeUndefined();
  expect(await activeOrTarget(context, {}, 'Copy Link')).toEqual(inView);
});
