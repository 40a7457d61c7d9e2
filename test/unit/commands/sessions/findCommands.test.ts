import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../../../src/commands/context.ts';
import { findCommands } from '../../../../src/commands/sessions/findCommands.ts';
import { plainLabel } from '../../../../src/host/prompts/editorText.ts';
import type { Connection } from '../../../../src/state/store/connection.ts';
import { Store } from '../../../../src/state/store/store.ts';
import type { CacheSearch } from '../../../../src/sync/cache/messageCache.ts';
import type { SearchRequest, SearchStop } from '../../../../src/sync/history/serviceSearch.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { window } from '../../../fakes/recordedEditor.ts';
import { until } from '../../../fakes/until.ts';
import { hostile, hostileShown, now, ready, sessionOf, t } from '../../state/samples.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

interface Row {
  readonly label: string;
  readonly detail?: string;
}

/** A picker in which a test types, and selects rows while it stays open. */
class OpenPicker {
  items: readonly Row[] = [];
  activeItems: readonly Row[] = [];
  value = '';
  busy = false;
  isClosed = false;
  #accept: () => void = () => undefined;
  #hide: () => void = () => undefined;
  #change: (text: string) => void = () => undefined;

  onDidAccept = (listener: () => void) => void (this.#accept = listener);
  onDidHide = (listener: () => void) => void (this.#hide = listener);
  onDidChangeValue = (listener: (text: string) => void) => void (this.#change = listener);
  onDidTriggerButton = () => undefined;
  show = () => undefined;
  dispose = () => void (this.isClosed = true);
  close = () => this.#hide();

  type(text: string): void {
    this.value = text;
    this.#change(text);
  }

  async select(label: RegExp): Promise<void> {
    this.activeItems = [await this.row(label)];
    this.#accept();
  }

  async row(label: RegExp): Promise<Row> {
    await until(() => this.items.some((row) => label.test(row.label)));
    return this.items.find((row) => label.test(row.label)) ?? { label: '' };
  }

  get labels(): string[] {
    return this.items.map(({ label }) => label);
  }
}

const origin = 'https://service.test';
const other = 'https://other.test';
const { createQuickPick } = window;
let store: Store;
let picker: OpenPicker;
let cached: Record<string, CacheSearch | Error>;
/** The search that is running. It ends when a test calls `end`. */
let running: (SearchRequest & { readonly end: (stops: readonly SearchStop[]) => void }) | undefined;
let searchCount: number;
let opened: unknown[];

beforeEach(() => {
  store = new Store(memoryBodies());
  store.setConnections(ready, []);
  picker = new OpenPicker();
  window.createQuickPick = () => picker as unknown as ReturnType<typeof createQuickPick>;
  cached = {};
  running = undefined;
  searchCount = 0;
  opened = [];
});
afterEach(() => {
  picker.close();
  window.createQuickPick = createQuickPick;
});

function add(sessionId: string, messageCount = 12, at = origin): void {
  const key = { origin: at, sessionId };
  store.addSession({ key, addedAt: 1 });
  store.takeSession(key, sessionOf({ sessionId, messageCount, title: `Title of ${sessionId}` }), 1, 1);
}

function find(): void {
  const sessions = {
    searchServices: (request: SearchRequest) => {
      searchCount += 1;
      return new Promise<readonly SearchStop[]>((resolve) => {
        running = { ...request, end: resolve };
        request.signal.addEventListener('abort', () => resolve([]));
      });
    },
    fetchMessage: (...parts: readonly unknown[]) => Promise.resolve(opened.push(parts) > 0),
  };
  const navigation = { openConversation: () => Promise.resolve() };
  const done = () => Promise.resolve();
  const none = { hit: undefined, cachedCount: undefined };
  const messages = {
    find: ({ sessionId }: { sessionId: string }) => {
      const result = cached[sessionId] ?? none;
      return result instanceof Error ? Promise.reject(result) : Promise.resolve(result);
    },
  };
  const context = {
    store,
    messages,
    log: silentLog,
    sessions,
    navigation,
    lifecycle: { ensureListed: done, ensureStarted: done },
    t,
  };
  void findCommands(context as unknown as CommandContext).findSessions();
}

const keyOf = (sessionId: string) => ({ origin, sessionId });
const hit = (sessionId: string, excerpt = 'the needle') => ({
  outcome: 'searched' as const,
  hit: { messageId: `${sessionId}-7`, excerpt },
});
const offer = /^Search .* completely cached on this machine$/;

describe('Find Sessions, with conversations that are not completely cached', () => {
  it('offers to search these, and only these', async () => {
    add('whole');
    cached['whole'] = { hit: undefined, cachedCount: 12 };
    add('found');
    cached['found'] = { hit: { messageId: 'm', excerpt: 'the needle' }, cachedCount: undefined };
    add('grown');
    cached['grown'] = { hit: undefined, cachedCount: 11 };
    add('empty', 0);
    add('unknown');
    find();
    expect(picker.labels).not.toContainEqual(expect.stringMatching(offer));
    picker.type('needle');
    await picker.select(offer);
    expect(picker.busy).toBe(true);
    expect(running?.keys.map(({ sessionId }) => sessionId).sort()).toEqual(['grown', 'unknown']);
    expect(running?.words).toEqual(['needle']);
    expect((await picker.row(/^Cancel/)).detail).toBe('0 of 2 conversations searched');
    running?.onSearched(keyOf('grown'), hit('grown'));
    expect((await picker.row(/^Title of grown/)).detail).toBe('the needle');
    expect((await picker.row(/^Cancel/)).detail).toBe('1 of 2 conversations searched');
    running?.onSearched(keyOf('unknown'), { outcome: 'searched' });
    running?.end([]);
    await picker.row(/^Searched 2 of 2/);
    expect(picker.busy).toBe(false);
    expect(picker.labels).not.toContainEqual(expect.stringMatching(/^Cancel|^Search /));
    await picker.select(/^Searched 2 of 2/);
    expect(picker.isClosed).toBe(false);
    await picker.select(/^Title of grown/);
    await until(() => opened.length > 0);
    expect([picker.isClosed, opened]).toEqual([true, [[keyOf('grown'), 'grown-7']]]);
  });

  it('offers those whose cache cannot be read', async () => {
    add('whole');
    cached['whole'] = { hit: undefined, cachedCount: 12 };
    add('broken');
    cached['broken'] = new Error('Disk error');
    find();
    picker.type('needle');
    await picker.select(offer);
    expect(running?.keys.map(({ sessionId }) => sessionId)).toEqual(['broken']);
  });

  it('offers nothing if all conversations are cached', async () => {
    add('whole');
    cached['whole'] = { hit: undefined, cachedCount: 12 };
    find();
    picker.type('needle');
    await until(() => !picker.busy);
    await new Promise((resolve) => void setImmediate(resolve));
    expect(picker.labels).toEqual([]);
  });

  it('keeps what was found when it is canceled, and continues with the others', async () => {
    for (const sessionId of ['a', 'b', 'c']) add(sessionId);
    find();
    picker.type('needle');
    await picker.select(/^Search 3 /);
    running?.onSearched(keyOf('b'), hit('b'));
    // Results don't replace the row with the progress, which is active.
    await until(() => picker.labels.includes('Title of b'));
    expect(picker.labels).toEqual(['Cancel Search', 'Title of b']);
    await picker.select(/^Cancel Search/);
    expect(running?.signal.aborted).toBe(true);
    await picker.row(/^Searched 1 of 3/);
    expect(picker.busy).toBe(false);
    expect(picker.labels).toContain('Title of b');
    await picker.select(/^Search 2 /);
    expect(running?.keys.map(({ sessionId }) => sessionId).sort()).toEqual(['a', 'c']);
    // Other words end the search, and need another one.
    picker.type('needle haystack');
    expect(running?.signal.aborted).toBe(true);
    await picker.row(/^Search 3 /);
    expect(picker.labels.join()).not.toContain('Searched');
    expect(searchCount).toBe(2);
  });

  it('says that nothing was found', async () => {
    add('a');
    find();
    picker.type('needle');
    await picker.select(offer);
    running?.onSearched(keyOf('a'), { outcome: 'searched' });
    running?.end([]);
    await picker.row(/^Searched 1 of 1/);
    expect(picker.labels).toEqual(['No results', "Searched 1 of 1 conversation that isn't completely cached"]);
  });

  it('cancels the search when the picker is closed', async () => {
    add('a');
    find();
    picker.type('needle');
    await picker.select(offer);
    await until(() => running !== undefined);
    picker.close();
    expect(running?.signal.aborted).toBe(true);
  });

  it('says what was not searched, and why, with hostile text as plain text', async () => {
    const named = (at: string, name: string): Extract<Connection, { kind: 'ready' }> => ({
      kind: 'ready',
      service: { origin: at, baseUrl: at, name, isAmongSeveral: true },
    });
    store.setConnections(named(origin, hostile), [named(other, 'Other')]);
    for (const sessionId of ['a', 'b', 'c', 'd']) add(sessionId);
    add('e', 12, other);
    add('f', 12, 'https://gone.test');
    find();
    picker.type('needle');
    await picker.select(/^Search 5 /);
    running?.onSearched(keyOf('a'), hit('a', hostile));
    running?.onSearched(keyOf('b'), { outcome: 'tooLarge' });
    running?.onSearched(keyOf('c'), { outcome: 'failed' });
    running?.end([
      { origin, failure: { kind: 'status', status: 500, detail: hostile, at: now } },
      { origin: other, pausedUntil: now },
    ]);
    await picker.row(/^Searched 1 of 6 conversations/);
    const about = picker.labels.slice(picker.labels.findIndex((label) => label.startsWith('Search 2')));
    expect(about.slice(0, 2)).toEqual([
      "Search 2 conversations that aren't completely cached on this machine",
      "Searched 1 of 6 conversations that aren't completely cached",
    ]);
    expect(about[2]).toMatch(/The service returned an error \(500\)\. The service responded: /);
    expect(about[3]).toMatch(/^Other: The service is busy or not responding\. Search again after /);
    expect(about.slice(4)).toEqual([
      '1 conversation is too large and was searched only in part',
      "1 conversation couldn't be read",
      "1 conversation isn't completely cached, and its service isn't connected",
    ]);
    const { detail } = picker.items.find(({ label }) => label === 'Title of a') ?? {};
    expect(detail).toBe(plainLabel(hostileShown));
    for (const { label } of picker.items) expect(label).toBe(plainLabel(label));
    expect(about[2]).toContain(plainLabel(hostileShown).slice(0, 20));
  });
});
