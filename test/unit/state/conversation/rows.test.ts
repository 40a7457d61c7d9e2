import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import type { Session } from '../../../../src/api/resources/session.ts';
import type { PageRow, RowPatch } from '../../../../src/shared/protocol/rowTypes.ts';
import { CalendarDays } from '../../../../src/state/conversation/calendarDays.ts';
import type { ConversationRow } from '../../../../src/state/conversation/row.ts';
import { stubOf } from '../../../../src/state/conversation/rows.ts';
import { conversationRows } from '../conversationRows.ts';
import { compareRows, isUnchanged, patchesOf } from '../../../../src/state/conversation/rowDiff.ts';
import { type OutboxEntry, type OutboxState, assertTransition } from '../../../../src/state/store/outboxEntry.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { entryOf, headerOf, key, recordOf, sessionOf, viewOf } from '../samples.ts';

const bodyOf = ({ key: rowKey, version }: ConversationRow): PageRow => ({
  key: rowKey,
  role: 'user',
  roleLabel: version,
  createdAt: 0,
  isError: false,
  badges: [],
  blocks: [],
});

/** A row that the page derives from patches, with its key, its estimated height, and the version that it shows. */
interface Shown {
  readonly key: string;
  readonly estimatedLines: number;
  readonly isPrompt?: boolean;
  readonly version: string | undefined;
}

function applied(before: readonly Shown[], patches: readonly RowPatch[]): Shown[] {
  const list = [...before];
  for (const patch of patches) {
    if (patch.op === 'remove') {
      for (const removed of patch.keys) {
        const index = list.findIndex((row) => row.key === removed);
        if (index === -1) throw new Error(`${removed} is not there to be removed`);
        list.splice(index, 1);
      }
    } else if (patch.op === 'insert') {
      const bodies = new Map(patch.rows.map((row) => [row.key, row.roleLabel]));
      if (patch.index > list.length) throw new Error('inserted behind the end');
      list.splice(patch.index, 0, ...patch.rowStubs.map((stub) => ({ ...stub, version: bodies.get(stub.key) })));
    } else {
      const index = list.findIndex((row) => row.key === patch.row.key);
      if (index === -1) throw new Error(`${patch.row.key} is not there to be replaced`);
      const { row, estimatedLines, isPrompt } = patch;
      list[index] = { key: row.key, estimatedLines, ...(isPrompt ? { isPrompt } : {}), version: row.roleLabel };
    }
  }
  return list;
}

const shownOf = (rows: readonly ConversationRow[]): Shown[] =>
  rows.map((row) => ({ ...stubOf(row), version: row.version }));

const rowList = fc
  .uniqueArray(fc.record({ id: fc.nat(14), state: fc.nat(2) }), { selector: ({ id }) => id, maxLength: 15 })
  .map((drawn) =>
    drawn.map(({ id, state }): ConversationRow => ({
      key: `r${id}`,
      estimatedLines: id + state * 10,
      version: `v${state}`,
      source: { messageId: `r${id}` },
      createdAt: 1,
    })),
  );

describe('the difference between two lists of rows', () => {
  it('transforms one list into the other with patches', () => {
    fc.assert(
      fc.property(rowList, rowList, (before, after) => {
        const difference = compareRows(before, after);
        expect(applied(shownOf(before), patchesOf(difference, bodyOf))).toEqual(shownOf(after));
        expect(isUnchanged(difference)).toBe(JSON.stringify(before) === JSON.stringify(after));
      }),
      { numRuns: 1_000 },
    );
  });

  it('contains only the rows that changed', () => {
    const row = (name: string, version = 'v'): ConversationRow => ({
      key: name,
      estimatedLines: 1,
      version,
      source: { messageId: name },
      createdAt: 1,
    });
    const before = ['a', 'b', 'c', 'd'].map((name) => row(name));
    const after = [row('0'), row('a'), row('b', 'w'), row('d'), row('e'), row('f')];
    expect(compareRows(before, after)).toEqual({
      removedKeys: ['c'],
      inserts: [
        { index: 0, rows: [row('0')] },
        { index: 4, rows: [row('e'), row('f')] },
      ],
      replaced: [row('b', 'w')],
    });
  });

  it('omits unavailable bodies, but not their row stubs', () => {
    const rows: ConversationRow[] = [
      { key: 'a', estimatedLines: 3, version: 'v', source: { messageId: 'a' }, createdAt: 1 },
    ];
    expect(patchesOf(compareRows([], rows), () => undefined)).toEqual([
      { op: 'insert', index: 0, rowStubs: [{ key: 'a', estimatedLines: 3 }], rows: [] },
    ]);
  });
});

describe('the rows of a conversation', () => {
  it('are the messages, followed by outgoing messages', () => {
    const record = recordOf({
      headers: [headerOf('m1', { estimatedLines: 4 }), headerOf('m2', { role: undefined, isError: true })],
      outbox: [entryOf({ text: 'x'.repeat(130) }), entryOf({ entryId: 'e2', state: 'sending', progress: 0.456 })],
    });
    expect(conversationRows(record)).toMatchObject([
      {
        key: 'm1',
        estimatedLines: 4,
        version: 'm 1000 user false false line of m1 4 false true false 0 0  false false     ',
        source: { messageId: 'm1' },
      },
      {
        key: 'm2',
        estimatedLines: 1,
        version: 'm 1000  false false line of m2 1 true true false 0 0  false false     ',
        source: { messageId: 'm2' },
      },
      { key: 'e1', estimatedLines: 3, version: 'e queued  false', source: { entryId: 'e1' } },
      { key: 'e2', estimatedLines: 1, version: 'e sending 46 false', source: { entryId: 'e2' } },
    ]);
  });

  it('of outgoing messages depend on the state of earlier ones and on their own failure', () => {
    const versionOf = (first: Partial<OutboxEntry>, second: Partial<OutboxEntry> = {}) =>
      conversationRows(recordOf({ outbox: [entryOf(first), entryOf({ entryId: 'e2', ...second })] })).at(-1)?.version;
    const free = versionOf({ state: 'sending' });
    expect(versionOf({ state: 'unknown' })).not.toBe(free);
    expect(versionOf({ state: 'notSent' })).not.toBe(free);
    expect(versionOf({ state: 'accepted' })).toBe(free);
    expect(versionOf({ state: 'sending' }, { failure: { kind: 'unreachable', at: 1 } })).not.toBe(free);
  });

  it('are drawn again for each choice and failure that an outgoing row describes', () => {
    const failure = { kind: 'proxy', reason: 'proxyUnreachable', at: 1 } as const;
    const entries: readonly Partial<OutboxEntry>[] = [
      { when: 'whenIdle' },
      { when: 'now' },
      { state: 'unknown', failure },
      { state: 'unknown', failure, isPassed: true },
      { state: 'unknown', failure: { ...failure, reason: 'proxyLogin', at: 2 } },
    ];
    const versions = entries.map((entry) => conversationRows(recordOf({ outbox: [entryOf(entry)] }))[0]?.version);
    expect(new Set(versions).size).toBe(entries.length);
  });

  it('keep the foot of the last answer from the moment a prompt is sent until it is listed', () => {
    const store = new Store(memoryBodies());
    const take = (status: Session['status']) => store.takeSession(key, sessionOf({ status }), 1, 1);
    const list = (...ids: string[]) =>
      store.takeMessages(
        key,
        ids.map((id, place): Message => {
          const content = [{ type: 'text', text: id }] as const;
          return { id, role: id.startsWith('p') ? 'user' : 'assistant', createdAt: place, updatedAt: place, content };
        }),
      );
    const answers = () => conversationRows(store.record(key)!).flatMap((row) => (row.isAnswer ? [row.key] : []));
    store.addSession({ key, addedAt: 1 });
    take('running');
    list('p1', 'a1');
    store.setOutbox(key, [entryOf({ state: 'queued' })]);
    expect(answers()).toEqual([]);
    store.setOutbox(key, []);
    take('idle');
    expect(answers()).toEqual(['a1']);
    store.setOutbox(key, [entryOf({ state: 'sending' })]);
    take('running');
    expect(answers()).toEqual(['a1']);
    store.setOutbox(key, [entryOf({ state: 'accepted', messageId: 'p2' })]);
    expect(answers()).toEqual(['a1']);
    list('p1', 'a1', 'p2');
    expect(answers()).toEqual(['a1']);
    list('p1', 'a1', 'p2', 'a2');
    expect(answers()).toEqual(['a1']);
    // Without a message on its way, the agent continues the turn.
    take('idle');
    expect(answers()).toEqual(['a1', 'a2']);
    store.setOutbox(key, []);
    take('running');
    expect(answers()).toEqual(['a1']);
  });

  it('are shared by an outbox entry and its candidate message (R33)', () => {
    const headers = [headerOf('m1'), headerOf('m2')];
    const rows = (candidateMessageId: string | undefined) =>
      conversationRows(recordOf({ headers, outbox: [entryOf({ state: 'sending', candidateMessageId })] }));
    expect(rows('m2').map(({ key: rowKey, source }) => [rowKey, source])).toEqual([
      ['m1', { messageId: 'm1' }],
      ['e1', { messageId: 'm2' }],
    ]);
    expect(rows(undefined).map(({ key: rowKey }) => rowKey)).toEqual(['m1', 'm2', 'e1']);
  });

  type Step =
    | { readonly do: 'enqueue' }
    | { readonly do: 'move'; readonly entry: number; readonly to: OutboxState | 'gone' }
    | { readonly do: 'guess'; readonly entry: number }
    | { readonly do: 'list' };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ do: fc.constant('enqueue' as const) }),
    { weight: 4, arbitrary: moveArbitrary() },
    fc.record({ do: fc.constant('guess' as const), entry: fc.nat(3) }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('list' as const) }) },
  );
  function moveArbitrary() {
    const to = fc.constantFrom<OutboxState | 'gone'>('sending', 'accepted', 'unknown', 'notSent', 'queued', 'gone');
    return fc.record({ do: fc.constant('move' as const), entry: fc.nat(3), to });
  }

  it('contain each message once, under one key, in every interleaving of sending and listing (R33)', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 8, maxLength: 40, size: 'max' }), (steps) => {
        const store = new Store(memoryBodies());
        store.addSession({ key, addedAt: 1 });
        const server = new Map<string, string>();
        let outbox: OutboxEntry[] = [];
        let shown: Shown[] = [];
        let count = 0;
        const firstKeys = new Set<string>();
        for (const taken of steps) {
          if (taken.do === 'enqueue') outbox.push(entryOf({ entryId: `e${++count}`, text: `text ${count}` }));
          else if (taken.do === 'list') list(store, server);
          else outbox = changed(outbox, taken, server, store);
          store.setOutbox(key, outbox);
          const record = store.record(key)!;
          const rows = conversationRows(record);
          const keys = rows.map((row) => row.key);
          expect(new Set(keys).size).toBe(keys.length);
          for (const { entryId } of outbox) {
            firstKeys.add(entryId);
            expect(keys).toContain(entryId);
          }
          // A message sent from this window keeps the key of its outbox entry, even after it is listed.
          for (const { messageId } of record.headers) {
            const entryId = [...server].find(([, id]) => id === messageId)?.[0] ?? '';
            const isNamed = record.entryIdByMessageId.has(messageId);
            if (isNamed && firstKeys.has(entryId)) expect(keys).toContain(entryId);
          }
          shown = applied(
            shown,
            patchesOf(compareRows(asRows(shown), rows), (row) => bodyOf(row)),
          );
          expect(shown).toEqual(shownOf(rows));
        }
      }),
      { numRuns: 500 },
    );
  });

  const asRows = (rows: readonly Shown[]): ConversationRow[] =>
    rows.map((row) => ({ ...row, version: row.version ?? '', source: { messageId: row.key }, createdAt: 1 }));

  function list(store: Store, server: ReadonlyMap<string, string>): void {
    const messages = [...server.values()].map((id, place) => ({
      id,
      role: 'user' as const,
      createdAt: 1_000 + place,
      updatedAt: 1_000 + place,
      content: [{ type: 'text' as const, text: id }],
    }));
    store.takeMessages(key, messages);
  }

  /**
   * Applies a step, unless R29 forbids it. The service gets the message once the entry is accepted or has a candidate.
   */
  function changed(
    outbox: readonly OutboxEntry[],
    taken: Extract<Step, { entry: number }>,
    server: Map<string, string>,
    store: Store,
  ): OutboxEntry[] {
    const entry = outbox[taken.entry];
    if (!entry) return [...outbox];
    const replace = (...next: OutboxEntry[]) => outbox.flatMap((other) => (other === entry ? next : [other]));
    const messageId = `message of ${entry.entryId}`;
    if (taken.do === 'guess') {
      if (entry.state !== 'sending' && entry.state !== 'unknown') return [...outbox];
      server.set(entry.entryId, messageId);
      return replace({ ...entry, candidateMessageId: messageId });
    }
    try {
      assertTransition(entry.state, taken.to);
    } catch {
      return [...outbox];
    }
    if (taken.to === 'accepted') server.set(entry.entryId, messageId);
    if (taken.to === 'accepted')
      return replace({ ...entry, state: 'accepted', messageId, candidateMessageId: undefined });
    if (taken.to !== 'gone') return replace({ ...entry, state: taken.to, candidateMessageId: undefined });
    // An accepted entry is removed only after its message has been listed.
    if (entry.state === 'accepted') list(store, server);
    return replace();
  }
});

describe("messages that the agent's tooling wrote", () => {
  const context = (id: string, createdAt = 1_000) =>
    headerOf(id, { createdAt, hasText: false, hasAddedText: true, firstLine: '' });
  const headers = [
    headerOf('ask'),
    context('c1'),
    context('c2'),
    context('c3'),
    headerOf('answer', { role: 'assistant' }),
  ];
  const sources = (view: Parameters<typeof conversationRows>[1], all = headers) =>
    conversationRows(recordOf({ headers: all }), view).map(({ source }) => source);

  it.each(['work', 'everything'] as const)('are one row if they follow each other, at the level %s', (detailLevel) => {
    expect(sources(viewOf({ filter: { detailLevel } }))).toEqual([
      { messageId: 'ask' },
      { messageId: 'c1', contextIds: ['c2', 'c3'] },
      { messageId: 'answer' },
    ]);
  });

  it('have their own row if they were opened, or begin a day', () => {
    const own = (messageId: string) => ({ messageId });
    expect(sources(viewOf({ openedIds: new Set(['c2']) })).slice(1, -1)).toEqual([own('c1'), own('c2'), own('c3')]);
    expect(sources(viewOf({ openedIds: new Set(['c1']) })).slice(1, -1)).toEqual([
      own('c1'),
      { messageId: 'c2', contextIds: ['c3'] },
    ]);
    const next = [context('c1', 0), context('c2', 86_400_000), context('c3', 86_400_001)];
    expect(sources(viewOf({ days: new CalendarDays('UTC') }), next)).toEqual([
      own('c1'),
      { messageId: 'c2', contextIds: ['c3'] },
    ]);
  });

  it('fill several rows if they are many', () => {
    const many = Array.from({ length: 120 }, (_, place) => context(`c${place}`));
    const counts = sources(viewOf(), many).map(
      (source) => ('contextIds' in source ? (source.contextIds ?? []) : []).length,
    );
    expect(counts).toEqual([49, 49, 19]);
  });

  it('are drawn again when one of them changes', () => {
    const versions = [headers, headers.with(2, { ...context('c2'), updatedAt: 2_000 })].map(
      (all) => conversationRows(recordOf({ headers: all }), viewOf())[1]?.version,
    );
    expect(new Set(versions).size).toBe(2);
  });
});
