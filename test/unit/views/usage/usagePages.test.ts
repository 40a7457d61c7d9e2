import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { keyText, type SessionKey } from '../../../../src/state/store/sessionKey.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { UsagePages } from '../../../../src/views/usage/usagePages.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { commands, person, recorded } from '../../../fakes/recordedEditor.ts';
import { until } from '../../../fakes/until.ts';
import { FakePanel } from '../fakePanel.ts';
import { key, t } from '../../state/samples.ts';

const opened: FakePanel[] = [];
/** Whether files can be written. */
let writes: boolean;
/** Sends a message from the page that was opened last. */
let say: (message: unknown) => void;

vi.mock('vscode', async () => {
  const editor = await import('../../../fakes/recordedEditor.ts');
  const createWebviewPanel = () => {
    const panel = new FakePanel(true);
    opened.push(panel);
    return panel.given;
  };
  const showSaveDialog = () => Promise.resolve(editor.Uri.file('/work/usage.csv'));
  const { workspace } = editor;
  Object.assign(workspace.fs, { writeFile: () => (writes ? Promise.resolve() : Promise.reject(new Error('full'))) });
  return { ...editor, ViewColumn: { Active: -1 }, window: { ...editor.window, createWebviewPanel, showSaveDialog } };
});

let watched: string[];
let pages: UsagePages;

beforeEach(() => {
  opened.length = 0;
  recorded.length = 0;
  writes = true;
  person.clicks = undefined;
  watched = [];
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const ignored = { dispose: () => undefined };
  const watch = (session: SessionKey) => {
    watched.push(keyText(session));
    return onDispose(() => watched.splice(watched.indexOf(keyText(session)), 1));
  };
  const services = {
    ...{ store, t, log: silentLog, sessions: { watch }, lifecycle: { start: () => Promise.resolve(true) } },
    usage: { read: () => Promise.resolve([]), onDidChange: () => ignored },
  };
  const onDidReceiveMessage = (listener: typeof say) => {
    say = listener;
    return ignored;
  };
  const resources = { loadUsage: () => ({ onDidReceiveMessage }) };
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

it('says which step of an export failed: writing the file, or opening it afterward', async () => {
  const open = vi.spyOn(commands, 'executeCommand').mockRejectedValue(new Error('no editor'));
  onTestFinished(() => open.mockRestore());
  person.clicks = 'Open';
  pages.open(key);
  const errors = () => recorded.flatMap(({ what, args }) => (what === 'error' ? [args[0]] : []));
  say({ type: 'exportCsv' });
  await until(() => errors().length === 1);
  writes = false;
  say({ type: 'exportCsv' });
  await until(() => errors().length === 2);
  expect(errors()).toEqual(['Couldn\'t read "usage.csv".', "Couldn't write the file."]);
});
