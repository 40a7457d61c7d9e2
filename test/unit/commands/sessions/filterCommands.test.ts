import { beforeEach, describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { filterCommands } from '../../../../src/commands/sessions/filterCommands.ts';
import { plainLabel } from '../../../../src/host/prompts/editorText.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { TreeOptionsStore } from '../../../../src/views/treeOptionsStore.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { person, recorded } from '../../../fakes/recordedEditor.ts';
import { hostile, hostileShown, ready, sessionOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

const memento = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] } as unknown as vscode.Memento;

let store: Store;
let treeOptions: TreeOptionsStore;
beforeEach(() => {
  store = new Store(memoryBodies());
  store.setConnection(ready);
  treeOptions = new TreeOptionsStore(memento);
  recorded.length = 0;
  person.types = undefined;
  person.toggles = [];
  add('a', 'running', 'bug');
  add('b', 'idle', 'bug', 'ui');
  add('c', 'idle');
});

function add(sessionId: string, status: 'idle' | 'running', ...tags: string[]): void {
  const key = { origin: 'https://service.test', sessionId };
  store.addSession({ key, addedAt: 1 });
  const sessionSettings = { tags: tags.map((name) => ({ name })) };
  store.takeSession(key, sessionOf({ sessionId, status, sessionSettings }), 1, 1);
}

async function filter(toggles: readonly string[] | undefined, types?: string): Promise<object> {
  person.toggles = toggles;
  person.types = types;
  const messages = { find: () => Promise.resolve({ hit: undefined, cachedCount: undefined }) };
  const context = { store, treeOptions, messages, t } as unknown as CommandContext;
  await filterCommands(context).filterSessions({}, 'user');
  return treeOptions.options.filter;
}

/** Filters as a script does. */
async function filterByScript(argument: { readonly text?: string }): Promise<object> {
  const messages = { find: () => Promise.resolve({ hit: undefined, cachedCount: undefined }) };
  const context = { store, treeOptions, messages, t } as unknown as CommandContext;
  await filterCommands(context).filterSessions(argument, 'script');
  return treeOptions.options.filter;
}

interface Row {
  readonly label: string;
  readonly description?: string;
}
const rows = () => recorded.findLast(({ what }) => what === 'picker')?.args[1] as readonly Row[];

describe('Filter Sessions', () => {
  it('of a script sets the text, or shows all sessions', async () => {
    treeOptions.change({ filter: { text: '', states: ['running'], tags: ['bug'] } });
    expect(await filterByScript({ text: 'cart' })).toEqual({ text: 'cart', states: ['running'], tags: ['bug'] });
    expect(await filterByScript({})).toEqual({ text: '', states: [], tags: [] });
  });

  it('lists states and tags with the number of their sessions, and what is on is selected', async () => {
    expect(await filter(['Running', 'bug'])).toEqual({ text: '', states: ['running'], tags: ['bug'] });
    expect(rows().map(({ label, description = '' }) => `${label} ${description}`.trim())).toEqual([
      'States',
      'Needs You 0',
      'Running 1',
      'Unread 0',
      'Tags',
      'bug 2',
      'ui 1',
    ]);
    // Toggling a selected row clears it.
    expect(await filter(['Running'])).toEqual({ text: '', states: [], tags: ['bug'] });
    expect(await filter(undefined)).toEqual({ text: '', states: [], tags: ['bug'] });
    expect(await filter(['bug'])).toEqual({ text: '', states: [], tags: [] });
  });

  it('searches for entered words with Enter alone, and keeps them until they are cleared', async () => {
    expect(await filter([], ' cookie ')).toEqual({ text: 'cookie', states: [], tags: [] });
    expect(await filter([])).toEqual({ text: 'cookie', states: [], tags: [] });
    expect(await filter(['Running'])).toEqual({ text: 'cookie', states: ['running'], tags: [] });
    expect(await filter([], 'cake')).toEqual({ text: 'cake', states: ['running'], tags: [] });
    expect(await filter(['Contains "cake"'])).toEqual({ text: '', states: ['running'], tags: [] });
  });

  it('takes entered words for a search of the list if the selection changed, unless they are selected, too', async () => {
    expect(await filter(['ui'], 'ui')).toEqual({ text: '', states: [], tags: ['ui'] });
    expect(await filter(['ui', 'Contains "x"'], 'x')).toEqual({ text: 'x', states: [], tags: [] });
  });

  it('keeps a tag that no session has, and shows hostile tags as plain text', async () => {
    treeOptions.change({ filter: { text: '', states: [], tags: ['gone'] } });
    add('d', 'idle', hostile);
    expect(await filter([])).toMatchObject({ tags: ['gone'] });
    expect(rows().map(({ label }) => label)).toContain('gone');
    expect(rows().find(({ label }) => label.includes('alert'))?.label).toBe(plainLabel(hostileShown));
  });
});

describe('the search for the words of a filter', () => {
  it('ends when the filter changes, even back to the same words', async () => {
    const signals: AbortSignal[] = [];
    const ends: (() => void)[] = [];
    const find = (_key: unknown, _words: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<object>((resolve) => ends.push(() => resolve({ hit: undefined, cachedCount: undefined })));
    };
    const context = { store, treeOptions, messages: { find }, t } as unknown as CommandContext;
    const searches = ['cart', 'cake', 'cart'].map((text) => filterCommands(context).filterSessions({ text }, 'script'));
    await expect.poll(() => signals.length).toBe(3);
    filterCommands(context).filterUnread();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, false]);
    for (let at = 0; at < 5; at += 1) {
      for (const end of ends.splice(0)) end();
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(searches);
    // Only the last search went on to the other two sessions.
    expect(signals.length).toBe(5);
  });
});
