import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type * as vscode from 'vscode';
import { onDispose } from '../../../../src/shared/lifecycle.ts';
import { PageResources } from '../../../../src/views/conversation/pageResources.ts';
import { commands, Uri, window as editorWindow } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

it('lets a page read only the media folder, and blocks commands and forms (R2)', () => {
  const extension = Uri.file('/extensions/lineside');
  const { options } = new PageResources(extension as unknown as vscode.Uri);
  const { localResourceRoots = [], ...rest } = options;
  expect(localResourceRoots.map(({ fsPath }) => fsPath)).toEqual(['/extensions/lineside/dist/media']);
  expect(rest).toEqual({ enableScripts: true, enableForms: false, enableCommandUris: false });
});

it('loads the script of a page from the media folder, and puts its style sheet into the page', async () => {
  const webview = emptyWebview();
  (await resourcesWith('usage')).loadUsage(webview);
  expect(webview.html).toContain('<title>Token usage</title>');
  expect(webview.html).toContain(' src="https://page/media/usage.js"></script>');
  expect(webview.html).toContain('>p { margin: 0 }</style>');
});

it('opens a tab that takes the focus, unless it must not', async () => {
  const { resources } = await resourcesOfTabs();
  resources.openTab();
  resources.openTab({ preserveFocus: true });
  const places = vi.mocked(editorWindow.createWebviewPanel).mock.calls.map(([, , place]) => place);
  expect(places).toMatchObject([{ preserveFocus: false }, { preserveFocus: true }]);
});

describe('the tab that is shown before the app is loaded', () => {
  it('is the next one that is opened', async () => {
    const { resources, opened } = await resourcesOfTabs();
    const shown = await resources.showBefore('openConversationInEditor', [{ sessionId: 's1' }]);
    expect(opened.map(({ title }) => title)).toEqual(['Conversation']);
    expect(opened[0]?.webview.html).toContain('/conversation.js"></script>');
    expect(resources.openTab().panel).toBe(opened[0]);
    shown?.dispose();
    expect(opened[0]?.isOpen).toBe(true);
    expect(resources.openTab({ title: 'Fix the login' }).panel).toBe(opened[1]);
    expect(opened[1]?.title).toBe('Fix the login');
  });

  it('is not opened if the command asks for a session, or opens no tab', async () => {
    const { resources, opened } = await resourcesOfTabs();
    await resources.showBefore('openConversationInEditor', []);
    await resources.showBefore('openConversationInEditor', [{ service: 'https://sessions.example' }]);
    await resources.showBefore('copySessionId', [{ sessionId: 's1' }]);
    expect(opened).toEqual([]);
  });

  it('is closed if the command did not use it', async () => {
    const { resources, opened } = await resourcesOfTabs();
    (await resources.showBefore('openConversationInEditor', [{ sessionId: 's1' }]))?.dispose();
    expect(opened[0]?.isOpen).toBe(false);
    expect(resources.openTab().panel).toBe(opened[1]);
  });

  it('is opened once for two commands', async () => {
    const { resources, opened } = await resourcesOfTabs();
    const first = await resources.showBefore('openConversationInEditor', [{ sessionId: 's1' }]);
    const second = await resources.showBefore('openConversationInEditor', [{ sessionId: 's2' }]);
    expect(opened).toHaveLength(1);
    first?.dispose();
    second?.dispose();
    expect(opened[0]?.isOpen).toBe(false);
  });

  it('is not used after the user has closed it', async () => {
    const { resources, opened } = await resourcesOfTabs();
    await resources.showBefore('openConversationInEditor', [{ sessionId: 's1' }]);
    opened[0]?.dispose();
    expect(resources.openTab().panel).toBe(opened[1]);
  });
});

it('shows the Conversation view before the app is loaded', async () => {
  const resources = await resourcesWith('conversation');
  const executeCommand = vi.spyOn(commands, 'executeCommand').mockResolvedValue(undefined);
  const shown = resources.showBefore('openConversation', [{ sessionId: 's1' }]);
  expect(executeCommand).toHaveBeenCalledWith('lineside.conversation.focus', { preserveFocus: true });
  let isShown = false;
  void shown.then(() => (isShown = true));
  await setImmediate();
  expect(isShown).toBe(false);
  resources.loadConversation(emptyWebview(), 'view');
  await setImmediate();
  expect(isShown).toBe(true);
});

function emptyWebview(): vscode.Webview {
  return {
    html: '',
    cspSource: 'https://csp',
    asWebviewUri: () => 'https://page/media',
    onDidReceiveMessage: () => onDispose(() => undefined),
  } as unknown as vscode.Webview;
}

/** The resources of a page whose bundle in the media folder has this name. */
async function resourcesWith(bundle: string): Promise<PageResources> {
  const folder = await mkdtemp(join(tmpdir(), 'lineside-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const media = join(folder, 'dist', 'media');
  await mkdir(media, { recursive: true });
  await writeFile(join(media, `${bundle}.js`), 'show();');
  await writeFile(join(media, `${bundle}.css`), 'p { margin: 0 }');
  return new PageResources(Uri.file(folder) as unknown as vscode.Uri);
}

async function resourcesOfTabs() {
  const opened: TestPanel[] = [];
  vi.spyOn(editorWindow, 'createWebviewPanel').mockImplementation((_viewType: string, title: string) => {
    const panel = new TestPanel(title);
    opened.push(panel);
    return panel;
  });
  return { resources: await resourcesWith('conversation'), opened };
}

class TestPanel {
  readonly webview = emptyWebview();
  readonly title: string;
  isOpen = true;
  #closed: () => void = () => undefined;

  constructor(title: string) {
    this.title = title;
  }

  onDidDispose(listener: () => void): void {
    this.#closed = listener;
  }

  dispose(): void {
    this.isOpen = false;
    this.#closed();
  }
}
