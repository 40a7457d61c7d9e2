import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '../../../../src/shared/lifecycle.ts';
import { PageWebview } from '../../../../src/views/conversation/pageWebview.ts';

/** A page webview, and the messages of its page. */
function openWebview() {
  const messages = new Emitter<unknown>();
  const webview = { html: '', options: {}, onDidReceiveMessage: messages.event } as unknown as vscode.Webview;
  let loads = 0;
  const page = new PageWebview(webview, { enableScripts: true }, () => `load ${++loads}`);
  return { messages, webview, page };
}

describe('a page webview', () => {
  it('loads its page immediately, and again on request', () => {
    const { webview, page } = openWebview();
    expect(webview).toMatchObject({ html: 'load 1', options: { enableScripts: true } });
    page.reload();
    expect(webview.html).toBe('load 2');
  });

  it('passes on messages that arrived before anything listened, once and in order', async () => {
    const { messages, page } = openWebview();
    messages.fire('ready');
    messages.fire('focused');
    const heard: unknown[] = [];
    const listening = page.onDidReceiveMessage((message) => heard.push(message));
    expect(heard).toEqual([]);
    await Promise.resolve();
    messages.fire('pong');
    expect(heard).toEqual(['ready', 'focused', 'pong']);
    listening.dispose();
    page.onDidReceiveMessage((message) => heard.push(message));
    await Promise.resolve();
    expect(heard).toHaveLength(3);
  });

  it('passes nothing on after disposal', async () => {
    const { messages, page } = openWebview();
    messages.fire('ready');
    const heard: unknown[] = [];
    page.onDidReceiveMessage((message) => heard.push(message)).dispose();
    await Promise.resolve();
    messages.fire('pong');
    expect(heard).toEqual([]);
  });
});
