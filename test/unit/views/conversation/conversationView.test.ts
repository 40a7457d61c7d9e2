import type * as vscode from 'vscode';
import { expect, it, vi } from 'vitest';
import { Store } from '../../../../src/state/store/store.ts';
import type { ConversationEditors, PageHost } from '../../../../src/views/conversation/conversationEditors.ts';
import { ConversationView } from '../../../../src/views/conversation/conversationView.ts';
import type { PageWebview } from '../../../../src/views/conversation/pageWebview.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { key } from '../../state/samples.ts';

vi.mock('vscode', () => ({ commands: { executeCommand: () => Promise.resolve() } }));

it('shows the message to scroll to once there is a page, and only once', async () => {
  const shown: unknown[] = [];
  const page = {
    show: (_key: unknown, place: unknown) => void shown.push(place),
    startHeartbeat: () => undefined,
    preload: () => undefined,
    dispose: () => undefined,
  };
  const store = new Store(memoryBodies());
  store.addSession({ key, addedAt: 1 });
  const handle = { dispose: () => undefined };
  const activeConversation = { add: () => handle };
  const host = { store, activeConversation, openPage: () => page, watch: () => handle } as unknown as PageHost;
  const editors = { onDidChange: () => handle, pageOf: () => undefined } as unknown as ConversationEditors;
  const view = new ConversationView(host, editors);
  await view.reveal({ messageId: 'm7' });
  // The session becomes the current one before VS Code has created the view.
  store.setCurrent(key);
  const frame = { visible: true, onDidChangeVisibility: () => handle, onDidDispose: () => handle };
  view.show(frame as unknown as vscode.WebviewView, {} as PageWebview, undefined);
  expect(shown).toEqual([{ messageId: 'm7' }]);
  store.setCurrent(undefined);
  expect(shown).toEqual([{ messageId: 'm7' }, undefined]);
  view.dispose();
});

it('asks VS Code for the focus of a page that it shows already', async () => {
  const handle = { dispose: () => undefined };
  const asked: unknown[] = [];
  const page = {
    show: () => undefined,
    startHeartbeat: () => undefined,
    preload: () => undefined,
    focusComposer: () => undefined,
    dispose: () => undefined,
  };
  const focus = (of: unknown, ask: () => void) => {
    asked.push(of);
    ask();
  };
  const activeConversation = { add: () => handle, focus };
  const store = new Store(memoryBodies());
  const host = { store, activeConversation, openPage: () => page, watch: () => handle } as unknown as PageHost;
  const editors = { onDidChange: () => handle, pageOf: () => undefined } as unknown as ConversationEditors;
  const view = new ConversationView(host, editors);
  const show = (preservesFocus: boolean) => void asked.push(preservesFocus);
  const frame = { visible: true, show, onDidChangeVisibility: () => handle, onDidDispose: () => handle };
  view.show(frame as unknown as vscode.WebviewView, {} as PageWebview, undefined);
  await view.reveal(undefined, true);
  await view.reveal();
  expect(asked).toEqual([page, false, true]);
  view.dispose();
});
