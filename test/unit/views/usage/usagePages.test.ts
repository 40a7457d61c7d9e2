import { beforeEach, expect, it, vi } from 'vitest';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { keyText, type SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { UsagePages } from '../../../../src/views/usage/usagePages.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { FakePanel } from '../fakePanel.ts';
import { key, t } from '../../state/samples.ts';

const opened: FakePanel[] = [];

vi.mock('vscode', async () => {
  const editor = await import('../../../fakes/recordedEditor.ts');
  const createWebviewPanel = () => {
    const panel = new FakePanel(true);
    opened.push(panel);
    return panel.given;
  };
  return { ...editor, ViewColumn: { Active: -1 }, window: { ...editor.window, createWebviewPanel } };
});

let watched: string[];
let pages: UsagePages;

beforeEach(() => {
  opened.length = 0;
  watched = [];
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const ignored = { dispose: () => undefined };
  const watch = (session: SessionKey) => {
    watched.push(keyText(session));
    return onDispose(() => watched.splice(watched.indexOf(keyText(session)), 1));
  };
  const services = {
    ...{ store, t, sessions: { watch }, lifecycle: { start: () => Promise.resolve(true) } },
    usage: { read: () => Promise.resolve([]), onDidChange: () => ignored },
  };
  const resources = { loadUsage: () => ({ onDidReceiveMessage: () => ignored }) };
  pages = new UsagePages(
    resources as unknown as ConstructorParameters<typeof UsagePages>[0],
    services as unknown as ConstructorParameters<typeof UsagePages>[1],
  );
});

it('closes the second tab of a session when the first one, which VS Code had not restored, is shown', async () => {
  pages.open(key);
  opened[0]?.setState({ visible: false, active: false });
  const restored = new FakePanel(true);
  await pages.deserializeWebviewPanel(restored.given, key);
  expect([opened[0]?.isClosed, restored.isClosed, watched.length]).toEqual([true, false, 1]);
  pages.open(key);
  expect([restored.revealCount, opened.length]).toEqual([1, 1]);
});

it('closes the tab that is restored instead if the second one is active', async () => {
  pages.open(key);
  const restored = new FakePanel(false);
  await pages.deserializeWebviewPanel(restored.given, key);
  expect([opened[0]?.isClosed, restored.isClosed, watched.length]).toEqual([false, true, 1]);
});
