import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TreeView } from 'vscode';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { translator } from '../../../../src/shared/translate.ts';
import { defaultTreeOptions } from '../../../../src/state/sessions/sections.ts';
import { SessionTree, type TreeRow } from '../../../../src/state/sessions/sessionTree.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { noChanges } from '../../../../src/state/work/changes.ts';
import { unknownPresence } from '../../../../src/state/work/presence.ts';
import type { SessionsView } from '../../../../src/views/sessions/sessionsView.ts';
import type { ViewServices } from '../../../../src/views/viewServices.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { messageOf } from '../conversation/pageRig.ts';

vi.mock('vscode', async () => ({ ...(await import('../../../fakes/recordedEditor.ts')), EventEmitter: Emitter }));

const expanded = new Emitter<{ readonly element: TreeRow }>();
const collapsed = new Emitter<{ readonly element: TreeRow }>();
/** Which of the agent's changes are in the workspace. `current` returns none after files have changed. */
const presence = { known: vi.fn(), current: vi.fn() };
const readSessionChanges = vi.fn();
const nothing = { event: () => ({ dispose: () => undefined }) };
const reveal = vi.fn();
const selection: TreeRow[] = [];
const selected = new Emitter<{ readonly selection: readonly TreeRow[] }>();
const visibility = new Emitter<void>();
const optionsChanged = new Emitter<void>();
const unwatch = vi.fn();
const treeOptions = {
  options: defaultTreeOptions,
  titleWidth: 40,
  textMatches: new Set(),
  onDidChange: optionsChanged.event,
};
let tree: { visible: boolean; selection: TreeRow[] };
let store: Store;
let view: SessionsView;
let redrawn: (TreeRow[] | undefined)[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const { SessionsView } = await import('../../../../src/views/sessions/sessionsView.ts');
  store = new Store(memoryBodies());
  const service = { origin: 'https://agents.example', baseUrl: 'https://agents.example' };
  store.setConnection({ kind: 'ready', service });
  const keys = Array.from({ length: 225 }, (_, place) => ({ origin: service.origin, sessionId: `s${place}` }));
  store.addSessions(keys.map((key) => ({ key, addedAt: 1 })));
  const times = { createdAt: 1, updatedAt: 1 };
  for (const key of keys) {
    store.takeSession(key, { sessionId: key.sessionId, status: 'idle', messageCount: 1, ...times }, 1, 1);
  }
  tree = { visible: true, selection };
  const events = {
    reveal,
    onDidChangeSelection: selected.event,
    onDidChangeVisibility: visibility.event,
    onDidExpandElement: expanded.event,
    onDidCollapseElement: collapsed.event,
  };
  const services = {
    t: translator('en'),
    store,
    sessions: { watch: () => ({ dispose: unwatch }) },
    sessionList: { showTransientSessions: () => undefined },
    changeFiles: { readSessionChanges },
    presence: { ...presence, onDidChange: nothing.event },
    lifecycle: { start: () => Promise.resolve(true) },
    treeOptions,
  };
  const treeView = Object.assign(tree, events) as unknown as TreeView<TreeRow>;
  view = new SessionsView(treeView, services as unknown as ViewServices);
  redrawn = [];
  view.onDidChangeTreeData((rows) => redrawn.push(rows));
});
afterEach(() => {
  view.dispose();
  vi.useRealTimers();
  vi.resetAllMocks();
  selection.length = 0;
});

/** The rows below a row. Throws for the changed files of a session, which are read asynchronously. */
function childrenOf(row?: TreeRow): TreeRow[] {
  const rows = view.getChildren(row);
  if (!Array.isArray(rows)) throw new Error('These rows are read first.');
  return rows;
}

/** The only section, and the row at its end. */
function sectionAndMore() {
  const [section] = childrenOf();
  const more = childrenOf(section).at(-1);
  if (section?.kind !== 'section' || more?.kind !== 'moreSessions') throw new Error('There is no "Show more".');
  return { section, more };
}

it('redraws a section of which VS Code still shows "Show more" although all of its sessions have rows', async () => {
  reveal.mockResolvedValue(undefined);
  const { section, more } = sectionAndMore();
  for (let page = 0; page < 2; page++) view.showMoreSessions(section);
  await vi.advanceTimersByTimeAsync(5_000);
  redrawn.length = 0;
  // VS Code refreshes a row of the list that it read before.
  view.getTreeItem(more);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(redrawn).toEqual([[section]]);
  expect(childrenOf(section)).toHaveLength(225);
});

it('compares only its rows with what VS Code shows if its options change', async () => {
  for (const { session, listEntry } of store.records) {
    store.takeSession(listEntry.key, { ...session!, title: `A long title of ${listEntry.key.sessionId}` }, 1, 2);
  }
  const [section] = childrenOf();
  const rows = childrenOf(section).filter(({ kind }) => kind === 'session');
  for (const row of rows) view.getTreeItem(row);
  await vi.advanceTimersByTimeAsync(5_000);
  const record = vi.spyOn(store, 'record');
  const transient = vi.spyOn(store, 'transientSessions', 'get');
  redrawn.length = 0;
  treeOptions.titleWidth = 1;
  optionsChanged.fire();
  await vi.advanceTimersByTimeAsync(300);
  treeOptions.titleWidth = 40;
  expect(redrawn).toEqual([rows]);
  expect(record.mock.calls).toHaveLength(rows.length);
  expect(transient).not.toHaveBeenCalled();
});

it('draws rows before it follows the changed list in another task', async () => {
  childrenOf();
  await vi.advanceTimersByTimeAsync(5_000);
  let followedCount = -1;
  view.onDidChangeTreeData(() => (followedCount = unwatch.mock.calls.length));
  store.removeSession({ origin: 'https://agents.example', sessionId: 's0' });
  await vi.advanceTimersByTimeAsync(300);
  expect(followedCount).toBe(0);
  expect(unwatch).toHaveBeenCalledOnce();
});

it('focuses the first new session after "Show more", also if VS Code rejects that while it redraws the tree', async () => {
  reveal.mockRejectedValueOnce(new Error('Cannot resolve tree item'));
  reveal.mockResolvedValue(undefined);
  const { section } = sectionAndMore();
  view.showMoreSessions(section);
  await vi.advanceTimersByTimeAsync(5_000);
  const first = childrenOf(section)[100];
  expect(reveal.mock.calls).toEqual(Array.from({ length: 2 }, () => [first, { select: false, focus: true }]));
});

it('opens rows by a command that reads the selection, because VS Code forgets arguments while it redraws the tree', async () => {
  const { section, more } = sectionAndMore();
  const [first] = childrenOf(section);
  if (!first) throw new Error('There is no session.');
  for (const row of [first, more]) {
    expect(view.getTreeItem(row).command).toMatchObject({ command: 'lineside.openRow' });
    expect(view.getTreeItem(row).command).not.toHaveProperty('arguments');
  }
  selection.push(first);
  expect(await view.clickedRow()).toBe(first);
  selection.push(more);
  expect(await view.clickedRow()).toBeUndefined();
});

describe('a click on a row that VS Code has forgotten', () => {
  const click = () => {
    const clicked = vi.fn();
    void view.clickedRow().then(clicked);
    return clicked;
  };

  beforeEach(async () => {
    childrenOf();
    await vi.advanceTimersByTimeAsync(5_000);
    redrawn.length = 0;
  });

  it('opens it once VS Code has read all rows again', async () => {
    const clicked = click();
    await vi.advanceTimersByTimeAsync(100);
    expect(redrawn).toEqual([undefined]);
    const { more } = sectionAndMore();
    await vi.advanceTimersByTimeAsync(100);
    expect(clicked).not.toHaveBeenCalled();
    // Once VS Code has received the rows, it knows which one is selected.
    sectionAndMore();
    selection.push(more);
    await vi.advanceTimersByTimeAsync(100);
    expect(clicked.mock.calls).toEqual([[more]]);
  });

  it('is reported if VS Code still does not know it, or if the tree is hidden', async () => {
    const clicked = click();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(clicked.mock.calls).toEqual([['unknown']]);
    tree.visible = false;
    expect(await view.clickedRow()).toBe('unknown');
  });

  it('has no effect after another click', async () => {
    const clicked = click();
    const { more } = sectionAndMore();
    selection.push(more);
    expect(await view.clickedRow()).toBe(more);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(clicked.mock.calls).toEqual([[undefined]]);
  });
});

it('says at the end of the messages whether older ones are being loaded, or could not be', () => {
  const { section } = sectionAndMore();
  const [session] = childrenOf(section);
  if (session?.kind !== 'session') throw new Error('There is no session.');
  const failure = { kind: 'unreachable', message: 'refused', at: 1 } as const;
  const labels = [{ isLoading: false }, { isLoading: true }, { isLoading: false, failure }].map((history) => {
    store.setHistory(session.key, { completeness: 'partial', ...history });
    const older = childrenOf(session).at(-1);
    if (older?.kind !== 'older') throw new Error('There is no row for older messages.');
    return view.getTreeItem(older).label;
  });
  expect(labels).toEqual(['Load Older Messages', 'Loading...', "Couldn't load older messages. Try again"]);
});

it('draws an expanded session again if VS Code does not read its messages after they changed', async () => {
  const { section } = sectionAndMore();
  const [session] = childrenOf(section);
  if (session?.kind !== 'session') throw new Error('There is no session.');
  childrenOf(session);
  await vi.advanceTimersByTimeAsync(5_000);
  redrawn.length = 0;
  store.takeMessages(session.key, [messageOf('m', 0, { role: 'user', content: [{ type: 'text', text: 'New.' }] })]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(redrawn).toEqual([[session], [session]]);
  expect(childrenOf(session).map(({ kind }) => kind)).toEqual(['message']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(redrawn).toHaveLength(2);
});

it('compares changes with the workspace only while their row is expanded, and shows what is known', async () => {
  const found = { presences: new Map([['a.ts', 'present']]), confirmedCount: 1 };
  presence.known.mockReturnValue(found);
  presence.current.mockReturnValue(unknownPresence);
  readSessionChanges.mockResolvedValue({ ...noChanges, files: [{ path: 'a.ts' }] });
  const { section } = sectionAndMore();
  const [session] = childrenOf(section);
  if (session?.kind !== 'session') throw new Error('There is no session.');
  const input = { file_path: 'a.ts', old_string: 'a', new_string: 'b' };
  const call = { type: 'tool_use', toolUseId: 'c', name: 'Edit', input } as const;
  store.takeMessages(session.key, [messageOf('m', 0, { role: 'assistant', content: [call] })]);
  const [changes] = childrenOf(session);
  if (changes?.kind !== 'changes') throw new Error('There are no changes.');
  const shown = () => String(view.getTreeItem(changes).description);
  const counts = '1 of 1 in your workspace';

  expect(shown()).not.toContain(counts);
  expect(presence.known.mock.calls.length + readSessionChanges.mock.calls.length).toBe(0);
  // VS Code asks for the children of an expanded row only.
  redrawn.length = 0;
  const files = view.getChildren(changes);
  expanded.fire({ element: changes });
  expect(redrawn).toEqual([[changes]]);
  expect(shown()).toContain(counts);
  const [file] = await files;
  if (file?.kind !== 'changedFile') throw new Error('There is no changed file.');
  // Drawing a file reads nothing, even after a message arrived: reading is asynchronous, and drawing isn't.
  store.takeMessages(session.key, [messageOf('m2', 1)]);
  expect(view.getTreeItem(file).resourceUri?.path).toContain('a.ts');
  expect(readSessionChanges).toHaveBeenCalledTimes(1);

  collapsed.fire({ element: changes });
  expect(shown()).not.toContain(counts);
  presence.current.mockReturnValue(found);
  expect(shown()).toContain(counts);
  expanded.fire({ element: changes });
  presence.current.mockReturnValue(unknownPresence);
  expect(shown()).toContain(counts);
  collapsed.fire({ element: session });
  expect(shown()).not.toContain(counts);
});

describe('the open session', () => {
  const key = (sessionId: string) => ({ origin: 'https://agents.example', sessionId });
  const rowOf = (sessionId: string) => {
    const rows = childrenOf(childrenOf()[0]);
    const found = rows.find((row) => row.kind === 'session' && row.key.sessionId === sessionId);
    if (!found) throw new Error(`There is no row of ${sessionId}.`);
    return found;
  };
  const select = (...rows: TreeRow[]) => {
    tree.selection = rows;
    selected.fire({ selection: tree.selection });
  };
  /** Does everything that makes VS Code read the rows again. */
  const redraw = async () => {
    store.addSession({ key: key('new'), addedAt: 2 });
    store.removeSessions([key('new')]);
    for (const visible of [false, true]) {
      tree.visible = visible;
      visibility.fire();
    }
    await vi.advanceTimersByTimeAsync(5_000);
  };

  beforeEach(() => {
    childrenOf();
    reveal.mockImplementation((row: TreeRow) => {
      select(row);
      return Promise.resolve();
    });
  });

  it('is selected once, and not scrolled to after a redraw although the user selected something else', async () => {
    store.setCurrent(key('s1'));
    await redraw();
    expect(reveal.mock.calls).toEqual([[rowOf('s1'), { select: true, focus: false }]]);
    for (const others of [[rowOf('s10'), rowOf('s11')], [], [rowOf('s10')]]) {
      select(...others);
      await redraw();
    }
    expect(reveal).toHaveBeenCalledTimes(1);
    store.setCurrent(key('s4'));
    await redraw();
    expect(reveal.mock.calls.slice(1)).toEqual([[rowOf('s4'), { select: true, focus: false }]]);
  });

  it('keeps its row below the shown ones, also if it was opened by a click', () => {
    const keptRows = vi.spyOn(SessionTree.prototype, 'reveal');
    select(rowOf('s1'));
    store.setCurrent(key('s1'));
    expect(keptRows.mock.calls).toEqual([[key('s1')]]);
    expect(reveal).not.toHaveBeenCalled();
  });

  it('waits for its row', async () => {
    store.setCurrent(key('late'));
    await redraw();
    expect(reveal).not.toHaveBeenCalled();
    store.addSession({ key: key('late'), addedAt: 3 });
    await redraw();
    expect(reveal.mock.calls).toEqual([[rowOf('late'), { select: true, focus: false }]]);
    select();
    await redraw();
    expect(reveal).toHaveBeenCalledTimes(1);
  });

  it('waits for the view to be shown, which it never does itself', async () => {
    tree.visible = false;
    store.setCurrent(key('s1'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(reveal).not.toHaveBeenCalled();
    await redraw();
    expect(reveal).toHaveBeenCalledTimes(1);
  });

  it('is revealed again while VS Code has not selected it, until the user hides the view or selects another row', async () => {
    reveal.mockRejectedValueOnce(new Error('Cannot resolve tree item'));
    store.setCurrent(key('s1'));
    await redraw();
    expect(reveal).toHaveBeenCalledTimes(2);
    for (const moveOn of [() => select(rowOf('s11')), () => (tree.visible = false)]) {
      reveal.mockClear();
      reveal.mockRejectedValueOnce(new Error('Cannot resolve tree item'));
      store.setCurrent(undefined);
      store.setCurrent(key('s4'));
      await vi.advanceTimersByTimeAsync(100);
      moveOn();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(reveal).toHaveBeenCalledTimes(1);
      tree.visible = true;
    }
  });
});
