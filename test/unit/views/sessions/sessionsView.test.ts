import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { TreeView } from 'vscode';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { translator } from '../../../../src/shared/translate.ts';
import { defaultTreeOptions } from '../../../../src/state/sessions/sections.ts';
import { type TreeRow } from '../../../../src/state/sessions/tree.ts';
import { Store } from '../../../../src/state/store/store.ts';
import type { SessionsView } from '../../../../src/views/sessions/sessionsView.ts';
import type { ViewServices } from '../../../../src/views/viewServices.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';

vi.mock('vscode', async () => ({ ...(await import('../../../fakes/recordedEditor.ts')), EventEmitter: Emitter }));

const nothing = { event: () => ({ dispose: () => undefined }) };
const reveal = vi.fn();
let view: SessionsView;
let redrawn: (TreeRow[] | undefined)[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { SessionsView } = await import('../../../../src/views/sessions/sessionsView.ts');
  const store = new Store(memoryBodies());
  const service = { origin: 'https://agents.example', baseUrl: 'https://agents.example' };
  store.setConnection({ kind: 'ready', service });
  const keys = Array.from({ length: 225 }, (_, place) => ({ origin: service.origin, sessionId: `s${place}` }));
  store.addSessions(keys.map((key) => ({ key, addedAt: 1 })));
  const times = { createdAt: 1, updatedAt: 1 };
  for (const key of keys) {
    store.takeSession(key, { sessionId: key.sessionId, status: 'idle', messageCount: 1, ...times }, 1, 1);
  }
  const tree = {
    visible: true,
    selection: [],
    reveal,
    onDidChangeVisibility: nothing.event,
    onDidCollapseElement: nothing.event,
  };
  const services = {
    t: translator('en'),
    store,
    sessions: { watch: nothing.event },
    lifecycle: { start: () => Promise.resolve(true) },
    treeOptions: { options: defaultTreeOptions, textMatches: new Set(), onDidChange: nothing.event },
  };
  view = new SessionsView(tree as unknown as TreeView<TreeRow>, services as unknown as ViewServices);
  redrawn = [];
  view.onDidChangeTreeData((rows) => redrawn.push(rows));
});
afterEach(() => {
  view.dispose();
  vi.useRealTimers();
  reveal.mockReset();
});

/** The only section, and the row at its end. */
function sectionAndMore() {
  const [section] = view.getChildren();
  const more = view.getChildren(section).at(-1);
  if (section?.kind !== 'section' || more?.kind !== 'moreSessions') throw new Error('There is no "Show more".');
  return { section, more };
}

it('redraws a section of which VS Code still shows "Show more" although all of its sessions have rows', async () => {
  reveal.mockResolvedValue(undefined);
  const { section, more } = sectionAndMore();
  for (let page = 0; page < 2; page++) view.showMoreSessions(section.section.sectionId);
  await vi.advanceTimersByTimeAsync(5_000);
  redrawn.length = 0;
  // VS Code refreshes a row of the list that it read before.
  view.getTreeItem(more);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(redrawn).toEqual([[section]]);
  expect(view.getChildren(section)).toHaveLength(225);
});

it('focuses the first new session after "Show more", also if VS Code rejects that while it redraws the tree', async () => {
  reveal.mockRejectedValueOnce(new Error('Cannot resolve tree item'));
  reveal.mockResolvedValue(undefined);
  const { section } = sectionAndMore();
  view.showMoreSessions(section.section.sectionId);
  await vi.advanceTimersByTimeAsync(5_000);
  const first = view.getChildren(section)[100];
  expect(reveal.mock.calls).toEqual(Array.from({ length: 2 }, () => [first, { select: false, focus: true }]));
});
