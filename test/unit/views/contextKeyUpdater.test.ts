import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { Store } from '../../../src/state/store/store.ts';
import { ContextKeyUpdater } from '../../../src/views/contextKeyUpdater.ts';
import { TreeOptionsStore } from '../../../src/views/treeOptionsStore.ts';
import { memoryBodies } from '../../fakes/memoryBodies.ts';
import { recorded } from '../../fakes/recordedEditor.ts';
import { entryOf, key, ready } from '../state/samples.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

const memento = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] } as unknown as vscode.Memento;

let store: Store;
let updaters: ContextKeyUpdater[];
beforeEach(() => {
  vi.useFakeTimers();
  recorded.length = 0;
  updaters = [];
  store = new Store(memoryBodies());
  store.setConnection(ready);
  store.addSession({ key, addedAt: 1 });
});
afterEach(() => {
  for (const updater of updaters) updater.dispose();
  vi.useRealTimers();
});

const start = () => updaters.push(new ContextKeyUpdater(store, new TreeOptionsStore(memento)));
const valueOf = (name: string) => recorded.findLast(({ args }) => args[1] === `lineside.${name}`)?.args[2];

describe('the steps of the walkthrough', () => {
  it('know that a message was sent, even if it is delivered at once', () => {
    start();
    store.setOutbox(key, []);
    expect(valueOf('hasSentMessage')).toBeUndefined();
    store.setOutbox(key, [entryOf({ key })]);
    store.setOutbox(key, []);
    vi.runAllTimers();
    expect(valueOf('hasSentMessage')).toBe(true);
  });

  it('know that a conversation was opened, even if it is closed later', () => {
    start();
    store.setCurrent(undefined);
    expect(valueOf('hasOpenedConversation')).toBeUndefined();
    store.setCurrent(key);
    store.setCurrent(undefined);
    vi.runAllTimers();
    expect(valueOf('hasOpenedConversation')).toBe(true);
  });

  it('know both of a window that begins with a conversation and a message that waits', () => {
    store.setOutbox(key, [entryOf({ key })]);
    store.setCurrent(key);
    start();
    expect(valueOf('hasSentMessage')).toBe(true);
    expect(valueOf('hasOpenedConversation')).toBe(true);
    expect(valueOf('hasSessions')).toBe(true);
  });
});
