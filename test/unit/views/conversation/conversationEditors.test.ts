import { beforeEach, expect, it, vi } from 'vitest';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { keyText, type SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { ActiveConversation } from '../../../../src/views/activeConversation.ts';
import { ConversationEditors, type PageHost } from '../../../../src/views/conversation/conversationEditors.ts';
import type { PageWebview } from '../../../../src/views/conversation/pageWebview.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { FakePanel } from '../fakePanel.ts';
import { key } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const other = { ...key, sessionId: 'other' };

let store: Store;
let opened: FakePanel[];
let watched: string[];
let editors: ConversationEditors;
/** Replaces the tab that was opened last, as the heartbeat of its page does. */
let replace: () => void;
/** What the tabs were opened with, and what their pages were asked to show. */
let asked: unknown[];

beforeEach(() => {
  store = new Store(memoryBodies());
  for (const each of [key, other]) store.addSession({ key: each, addedAt: 1 });
  opened = [];
  watched = [];
  asked = [];
  const openPage = () => {
    const ignore = () => undefined;
    const startHeartbeat = (frame: { replace(): void }) => (replace = frame.replace);
    const ignored = { expectPosition: ignore, expectReload: ignore, preload: ignore, onHidden: ignore, startHeartbeat };
    const anchor = { rowKey: 'steps', messageId: 'm1' };
    const revealRow = (place: unknown) => asked.push(place);
    const save = () => Promise.resolve(asked.push('save'));
    const page = {
      key: undefined as SessionKey | undefined,
      isInEditor: false,
      ...ignored,
      dispose: ignore,
      anchor,
      revealRow,
      save,
    };
    return Object.assign(page, { show: (shown: SessionKey) => (page.key = shown), focusComposer: ignore });
  };
  const openTab = (options?: unknown) => {
    asked.push(options);
    const panel = new FakePanel(true);
    opened.push(panel);
    return { panel: panel.given, webview: {} };
  };
  const watch = (session: SessionKey) => {
    watched.push(keyText(session));
    return onDispose(() => watched.splice(watched.indexOf(keyText(session)), 1));
  };
  const activeConversation = new ActiveConversation(store);
  editors = new ConversationEditors({
    ...{ store, activeConversation, openPage, watch },
    resources: { openTab, tabIcon: {} },
  } as unknown as PageHost);
});

/** Restores a tab, as VS Code does when the tab is shown. */
function restore(panel: FakePanel, session: SessionKey): FakePanel {
  editors.show(panel.given, {} as PageWebview, session);
  return panel;
}

it('closes the second tab of a session when the first one, which VS Code had not restored, is shown', () => {
  editors.open(key, undefined, true);
  editors.open(other, undefined, true);
  opened[0]?.setState({ visible: false, active: false });
  const restored = restore(new FakePanel(true), key);
  expect([opened[0]?.isClosed, opened[1]?.isClosed, restored.isClosed]).toEqual([true, false, false]);
  editors.open(key);
  expect([restored.revealCount, opened.length, watched]).toEqual([1, 2, [keyText(other), keyText(key)]]);
});

it('saves what was typed in a tab before it closes the tab', async () => {
  editors.open(key);
  const closing = editors.close(key);
  expect([asked, opened[0]?.isClosed]).toEqual([[undefined, 'save'], false]);
  await closing;
  expect(opened[0]?.isClosed).toBe(true);
});

it('closes the tab that is restored instead if the second one is active', async () => {
  editors.open(key, undefined, true);
  const restored = restore(new FakePanel(false), key);
  expect([opened[0]?.isClosed, restored.isClosed]).toEqual([false, true]);
  await editors.close(key);
  expect([opened[0]?.isClosed, editors.pageOf(key)]).toEqual([true, undefined]);
});

it('never says that a session is in no tab, when a second tab is closed', () => {
  editors.open(key);
  const states: boolean[] = [];
  editors.onDidChange(() => states.push(editors.pageOf(key) !== undefined));
  restore(new FakePanel(true), key);
  expect(states.length).toBeGreaterThan(0);
  expect(states).not.toContain(false);
});

it('makes the session of a tab current when the tab becomes active, and not at each later change of its state', () => {
  editors.open(key);
  opened[0]?.setState({ visible: true, active: true });
  expect(store.current).toEqual(key);
  // The user opens another session in the side bar. The tab stays active, and its group moves.
  store.setCurrent(other);
  opened[0]?.setState({ visible: true, active: true });
  expect(store.current).toEqual(other);
  opened[0]?.setState({ visible: true, active: false });
  opened[0]?.setState({ visible: true, active: true });
  expect(store.current).toEqual(key);
});

it('replaces an unresponsive tab without taking the focus, at the same row, and before it closes the other one', () => {
  editors.open(key);
  const states: boolean[] = [];
  editors.onDidChange(() => states.push(editors.pageOf(key) !== undefined));
  replace();
  const place = { rowKey: 'steps', messageId: 'm1' };
  expect(asked).toEqual([undefined, expect.objectContaining({ viewColumn: 1, preserveFocus: true }), place]);
  expect([opened[0]?.isClosed, opened[1]?.isClosed, states.includes(false)]).toEqual([true, false, false]);
});

it('asks VS Code once more for the focus if an open tab does not get it', () => {
  vi.useFakeTimers();
  try {
    editors.open(key);
    const [panel] = opened;
    editors.open(key);
    vi.advanceTimersByTime(1_000);
    const before = panel?.revealCount ?? 0;
    editors.open(key, undefined, true);
    vi.advanceTimersByTime(1_000);
    expect((panel?.revealCount ?? 0) - before).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
