import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/api/resources/message.ts';
import { estimateTextLines, summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { keyText, sameSession } from '../../../../src/state/store/sessionKey.ts';
import { Store, type StoreChange } from '../../../../src/state/store/store.ts';
import { withoutPause } from '../../../../src/shared/slices.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { entryOf, key, ready, sessionOf } from '../samples.ts';

const other = { origin: key.origin, sessionId: 'other' };
const message = (id: string, part: Partial<Message> = {}): Message => ({
  id,
  role: 'user',
  createdAt: 1,
  updatedAt: 1,
  content: [{ type: 'text', text: id }],
  ...part,
});

function openStore() {
  const store = new Store(memoryBodies());
  const changes: StoreChange[] = [];
  store.addSession({ key, addedAt: 1 });
  store.onDidChange((change) => changes.push(change));
  return { store, types: () => changes.splice(0).map(({ type }) => type) };
}

describe('the store', () => {
  it('has nothing of a new session, and loads nothing', () => {
    const { store } = openStore();
    expect(store.record(key)).toEqual({
      listEntry: { key, addedAt: 1 },
      history: { completeness: 'unread', isLoading: false },
      headers: [],
      outbox: [],
      draft: { text: '', selectionStart: 0, selectionEnd: 0, attachments: [], comments: [] },
      entryIdByMessageId: new Map(),
    });
  });

  it('stores the same headers whether they were computed before or not', () => {
    const bare: Message = { id: 'm1', createdAt: 1, updatedAt: 1, content: [{ type: 'text', text: '# A' }] };
    for (const role of [undefined, 'assistant'] as const) {
      const [prepared, other] = [openStore().store, openStore().store];
      withoutPause(prepared.prepareMessages([bare, message('m2')]));
      for (const store of [prepared, other]) store.takeMessages(key, [bare, message('m2')], role);
      expect(prepared.record(key)?.headers).toEqual(other.record(key)?.headers);
      expect(prepared.header(key, 'm1')?.role).toBe(role);
      expect(prepared.header(key, 'm2')?.role).toBe('user');
    }
  });

  it.each(['before', 'after'] as const)(
    'keeps the text of a message that was sent from here as it is, also if it is listed %s the response',
    (listed) => {
      const text = '<system-reminder>a</system-reminder>';
      const { store } = openStore();
      const echo = message('m1', { content: [{ type: 'text', text }] });
      const sent = () => store.setOutbox(key, [entryOf({ state: 'accepted', messageId: 'm1', text })]);
      withoutPause(store.prepareMessages([echo]));
      if (listed === 'after') sent();
      store.takeMessages(key, [echo]);
      if (listed === 'before') sent();
      store.setOutbox(key, []);
      expect(store.record(key)?.headers).toMatchObject([{ firstLine: text, hasText: true, hasAddedText: false }]);
    },
  );

  it('takes nothing for an addition in a message that turns out to be from the agent', () => {
    const { store } = openStore();
    const content = [{ type: 'text', text: '<system-reminder>a</system-reminder>' }] as const;
    const unnamed = message('m1', { role: undefined, content });
    withoutPause(store.prepareMessages([unnamed]));
    store.takeMessages(key, [unnamed], 'assistant');
    expect(store.header(key, 'm1')).toMatchObject({ role: 'assistant', hasText: true, hasAddedText: false });
  });

  it('reports each change, and nothing if nothing has changed', () => {
    const { store, types } = openStore();
    store.setConnection(ready);
    store.setCurrent(key);
    store.setCurrent({ ...key });
    store.takeSession(key, sessionOf(), 5, 1);
    store.takeFailure(key, { kind: 'deadline', at: 6 });
    store.takeMessages(key, [message('m1')], 'user');
    store.takeMessages(key, [message('m1')]);
    store.takeOlderMessages(key, [message('m0')]);
    store.setHistory(key, { completeness: 'complete', isLoading: false });
    store.setOutbox(key, [entryOf()]);
    store.setDraft(key, { text: 'x', selectionStart: 1, selectionEnd: 1, attachments: [], comments: [] }, 'page');
    store.removeSession(key);
    store.removeSession(key);
    expect(types()).toEqual([
      'connection',
      'current',
      'session',
      'session',
      'messages',
      'messages',
      'messages',
      'outbox',
      'draft',
      'current',
      'sessionList',
    ]);
    expect(store.current).toBeUndefined();
  });

  it('does nothing for a session that is not in the list', () => {
    const { store, types } = openStore();
    store.takeSession(other, sessionOf(), 5, 1);
    store.takeFailure(other, { kind: 'deadline', at: 6 });
    store.takeMessages(other, [message('m1')]);
    store.setHistory(other, { completeness: 'complete', isLoading: false });
    store.setOutbox(other, [entryOf()]);
    expect(types()).toEqual([]);
    expect(store.record(other)).toBeUndefined();
  });

  it('keeps the last known state after a failure, and clears the failure with the next response', () => {
    const { store } = openStore();
    store.takeSession(key, sessionOf(), 5, 1);
    store.takeFailure(key, { kind: 'deadline', at: 6 });
    expect(store.record(key)).toMatchObject({ session: { title: 'Fix the login' }, asOf: 5, failure: { at: 6 } });
    store.takeSession(key, sessionOf(), 7, 1);
    expect(store.record(key)).toMatchObject({ asOf: 7, failure: undefined });
  });

  it('adds a session once, and updates its computer', () => {
    const { store } = openStore();
    store.takeMessages(key, [message('m1')]);
    store.addSession({ key, computerId: 'c', addedAt: 1 });
    expect(store.records).toHaveLength(1);
    expect(store.record(key)).toMatchObject({ listEntry: { computerId: 'c' }, headers: [{ messageId: 'm1' }] });
  });

  it('remembers the entry of a sent message after the entry is removed (R33)', () => {
    const { store } = openStore();
    store.setOutbox(key, [entryOf({ state: 'accepted', messageId: 'm1' })]);
    store.setOutbox(key, []);
    expect(store.record(key)?.entryIdByMessageId.get('m1')).toBe('e1');
  });

  it('keeps the newest body of each message, and no body of a removed session', async () => {
    const { store } = openStore();
    store.takeMessages(key, [message('m1', { updatedAt: 3, content: [{ type: 'text', text: 'new' }] }), message('m2')]);
    store.takeMessages(key, [message('m1', { updatedAt: 2, content: [{ type: 'text', text: 'old' }] })]);
    expect(await store.readBodies(key, ['m2', 'absent', 'm1'])).toMatchObject([
      { id: 'm2' },
      { id: 'm1', content: [{ text: 'new' }] },
    ]);
    expect(await store.readBodies(other, ['m1'])).toEqual([]);
    store.removeSession(key);
    expect(await store.readBodies(key, ['m1'])).toEqual([]);
  });

  it('starts without a connection', () => {
    const { store } = openStore();
    expect(store.connection).toEqual({ kind: 'starting' });
    store.setConnection(ready);
    store.setCurrent(key);
    expect([store.connection, store.current]).toEqual([ready, key]);
  });

  it('lists transient sessions separately', () => {
    const { store } = openStore();
    store.addSession({ key: other, addedAt: 2, isTransient: true });
    expect(store.records.map(({ listEntry }) => listEntry.key)).toEqual([key]);
    expect(store.transientSessions.map(({ listEntry }) => listEntry.key)).toEqual([other]);
  });

  it('reports a change of the list only if a session is added, moved to another computer, or no longer transient', () => {
    const { store, types } = openStore();
    store.addSession({ key, addedAt: 1 });
    expect(types()).toEqual([]);
    store.addSession({ key, addedAt: 1, name: 'Login' });
    expect(types()).toEqual(['session']);
    store.addSession({ key, addedAt: 1, name: 'Login', computerId: 'c' });
    expect(types()).toEqual(['sessionList']);
    store.addSession({ key: other, addedAt: 2, isTransient: true });
    expect(types()).toEqual(['sessionList']);
    store.addSession({ key: other, addedAt: 2, isTransient: true, name: 'Child' });
    expect(types()).toEqual(['session']);
    store.addSession({ key: other, addedAt: 2, name: 'Child' });
    expect(types()).toEqual(['sessionList']);
  });

  it('remembers a session from an earlier window only until its state is known', () => {
    const { store, types } = openStore();
    const waiting = { messageId: 'm1', rule: 'answer', question: 'Really?' } as const;
    store.rememberSession(other, { session: sessionOf(), asOf: 4 });
    expect(types()).toEqual([]);
    const tail = { messageCount: 3, isError: false, excerpt: '', files: [], waiting };
    store.rememberSession(key, { session: sessionOf({ messageCount: 3 }), asOf: 4, tail });
    expect(new Set(types())).toEqual(new Set(['session']));
    expect(store.record(key)).toMatchObject({
      asOf: 4,
      isRemembered: true,
      tail,
      waiting,
    });
    store.rememberSession(key, { session: sessionOf({ title: 'Older' }), asOf: 3 });
    expect(types()).toEqual([]);
    store.takeSession(key, sessionOf(), 5, 1);
    expect(store.record(key)).toMatchObject({ asOf: 5, isRemembered: false });
  });

  it('adds sessions together with what an earlier window knew of them', () => {
    const { store, types } = openStore();
    const waiting = { messageId: 'm1', rule: 'answer', question: 'Really?' } as const;
    const third = { ...key, sessionId: 'third' };
    const tail = { messageCount: 3, isError: false, excerpt: '', files: [], waiting };
    const state = { session: sessionOf({ messageCount: 3 }), asOf: 4, tail };
    const remembered = new Map([key, other].map((one) => [keyText(one), state]));
    store.takeSession(key, sessionOf({ messageCount: 5 }), 5, 1);
    types();
    store.addSessions(
      [key, other, third].map((one) => ({ key: one, addedAt: 1 })),
      remembered,
    );
    expect(types().at(-1)).toBe('sessionList');
    expect(store.record(key)).toMatchObject({ asOf: 5, isRemembered: false });
    expect(store.record(other)).toMatchObject({ asOf: 4, isRemembered: true, waiting });
    expect(store.record(third)?.session).toBeUndefined();
  });

  it('remembers messages from an earlier window, in the order in which they arrived', () => {
    const { store, types } = openStore();
    const history = { completeness: 'partial', isLoading: false } as const;
    const headersOf = (...ids: string[]) => ids.map((id) => summarizeMessage(message(id)));
    const batches = [
      { headers: headersOf('b', 'c'), arrival: 'after' },
      { headers: headersOf('a'), arrival: 'before' },
    ] as const;
    store.rememberMessages(other, batches, history);
    expect(types()).toEqual([]);
    store.rememberMessages(key, batches, history);
    expect(types()).toEqual(['messages']);
    expect(store.record(key)).toMatchObject({ history, headers: headersOf('a', 'b', 'c') });
    expect(store.header(key, 'b')).toEqual(headersOf('b')[0]);
    expect([store.header(key, 'x'), store.header(other, 'b')]).toEqual([undefined, undefined]);
  });

  it('marks messages that the service no longer lists, and reports them to the storage of bodies', () => {
    const changed: (readonly string[])[] = [];
    const store = new Store({ ...memoryBodies(), changed: (_key, messageIds) => void changed.push(messageIds) });
    const changes: StoreChange[] = [];
    store.addSession({ key, addedAt: 1 });
    store.takeMessages(key, [message('m1'), message('m2')]);
    store.onDidChange((change) => changes.push(change));
    store.markGone(other, new Set(['m1']));
    store.markGone(key, new Set(['m3']));
    expect([changed, changes]).toEqual([[], []]);
    store.markGone(key, new Set(['m1']));
    store.markGone(key, new Set(['m1']));
    expect([changed, changes]).toEqual([[['m1']], [{ type: 'messages', key }]]);
    expect(store.record(key)?.headers.map(({ isGone }) => isGone)).toEqual([true, undefined]);
  });

  it('keeps a message that was fetched by its ID detached until it is listed', async () => {
    const { store, types } = openStore();
    store.takeDetached(other, message('m1'));
    expect(types()).toEqual([]);
    store.takeDetached(key, message('m1'));
    expect(types()).toEqual(['messages']);
    expect(store.header(key, 'm1')).toMatchObject({ isDetached: true });
    expect(await store.readBodies(key, ['m1'])).toHaveLength(1);
    store.takeMessages(key, [message('m1')]);
    expect(store.header(key, 'm1')).not.toHaveProperty('isDetached');
  });

  it('reports to the storage of bodies how messages arrived, and sorts them in that order', () => {
    const arrivals: string[] = [];
    const bodies = memoryBodies();
    const put: typeof bodies.put = (_key, _messages, arrival) => void arrivals.push(arrival);
    const store = new Store({ ...bodies, put });
    store.addSession({ key, addedAt: 1 });
    store.takeMessages(key, [message('b')]);
    store.takeOlderMessages(key, [message('a')]);
    store.takeDetached(key, message('c'));
    expect(arrivals).toEqual(['after', 'before', 'after']);
    expect(store.record(key)?.headers.map(({ messageId }) => messageId)).toEqual(['a', 'b', 'c']);
  });

  it('reports that bodies are available as a change of the messages', () => {
    const { store, types } = openStore();
    const before = store.record(key);
    store.announceBodies(key);
    expect(types()).toEqual(['messages']);
    expect(store.record(key)).toEqual(before);
  });

  it('reports a failure to save a draft once, until it changes', () => {
    const { store, types } = openStore();
    store.setDraftFailure(other, undefined);
    store.setDraftFailure(key, undefined);
    expect(types()).toEqual([]);
    store.setDraftFailure(key, { kind: 'disk', code: 'ENOSPC', at: 1 });
    store.setDraftFailure(key, { kind: 'disk', code: 'ENOSPC', at: 2 });
    expect(types()).toEqual(['draft']);
    store.setDraftFailure(key, { kind: 'disk', code: 'EACCES', at: 3 });
    store.setDraftFailure(key, { kind: 'unexpected', code: 'EACCES', at: 4 });
    expect(store.record(key)?.draftFailure).toMatchObject({ kind: 'unexpected', at: 4 });
    store.setDraftFailure(key, undefined);
    expect(types()).toEqual(['draft', 'draft', 'draft']);
    expect(store.record(key)?.draftFailure).toBeUndefined();
  });

  it('reports no changes after dispose', () => {
    const { store, types } = openStore();
    store.dispose();
    store.setConnection(ready);
    store.takeSession(key, sessionOf(), 5, 1);
    expect(types()).toEqual([]);
    expect(store.records).toEqual([]);
  });
});

describe('session keys', () => {
  it('are equal exactly if their string forms are equal', () => {
    const keys = [key, other, { origin: 'https://b.test', sessionId: key.sessionId }, { origin: '', sessionId: '\n' }];
    for (const a of keys) for (const b of keys) expect(sameSession(a, b)).toBe(keyText(a) === keyText(b));
    expect(sameSession(undefined, undefined)).toBe(true);
    expect(sameSession(key, undefined)).toBe(false);
  });
});

describe('an agent that may be waiting', () => {
  const asking: Message = message('m2', {
    role: 'assistant',
    createdAt: 2,
    content: [{ type: 'text', text: 'Shall I commit it?' }],
  });

  function openAsking() {
    const opened = openStore();
    const { store, types } = opened;
    store.takeSession(key, sessionOf({ messageCount: 2 }), 5, 1);
    store.takeMessages(key, [message('m1'), asking]);
    types();
    store.setHistory(key, { completeness: 'complete', isLoading: false, settledCount: 2 });
    return { ...opened, question: () => store.record(key)?.waiting?.question };
  }

  it('is noticed once its newest messages are known, as a change of the session', () => {
    const { question, types } = openAsking();
    expect(question()).toBe('Shall I commit it?');
    expect(types()).toEqual(['session', 'messages']);
  });

  it('is no longer noticed when the user sends a message, the agent starts, or a new turn begins', () => {
    const { store, question } = openAsking();
    store.setOutbox(key, [entryOf()]);
    expect(question()).toBeUndefined();
    store.setOutbox(key, []);
    expect(question()).toBe('Shall I commit it?');
    store.takeSession(key, sessionOf({ messageCount: 2, status: 'running' }), 6, 1);
    expect(question()).toBeUndefined();
    store.takeSession(key, sessionOf({ messageCount: 2 }), 7, 1);
    expect(question()).toBe('Shall I commit it?');
    store.takeMessages(key, [message('m3', { createdAt: 3 })]);
    expect(question()).toBeUndefined();
  });

  it('is no longer noticed for the message of which the user said so, but for a later one', () => {
    const { store, question } = openAsking();
    store.addSession({ key, addedAt: 1, notWaitingId: 'm2' });
    expect(question()).toBeUndefined();
    store.addSession({ key, addedAt: 1, notWaitingId: 'm1' });
    expect(question()).toBe('Shall I commit it?');
  });

  it('is not noticed while detection is off', () => {
    const { store, question, types } = openAsking();
    types();
    store.setDetectsWaiting(false);
    expect([question(), types()]).toEqual([undefined, ['session']]);
    store.takeSession(key, sessionOf({ messageCount: 2 }), 7, 1);
    expect(question()).toBeUndefined();
    store.setDetectsWaiting(true);
    store.setDetectsWaiting(true);
    expect([question(), types()]).toEqual(['Shall I commit it?', ['session', 'session']]);
  });

  it('keeps the same reason while nothing about it changes', () => {
    const { store, types } = openAsking();
    types();
    const before = store.record(key)?.waiting;
    store.takeSession(key, sessionOf({ messageCount: 2, title: 'Other' }), 8, 1);
    expect(store.record(key)?.waiting).toBe(before);
    expect(types()).toEqual(['session']);
  });
});

describe('the header of a message', () => {
  it.each([
    ['', 1],
    ['x'.repeat(60), 1],
    ['x'.repeat(61), 2],
    ['a\nb\n', 3],
    [`${'x'.repeat(120)}\n\ny`, 4],
  ])('%j takes %i lines', (text, lines) => expect(estimateTextLines(text)).toBe(lines));

  it.each([
    [[], '', 1],
    [[{ type: 'text', text: ' \n\n  the first  \nsecond' }], 'the first', 4],
    [[{ type: 'text', text: '## The **tax** in `price.ts`\nmore' }], 'The tax in price.ts', 2],
    [[{ type: 'text', text: '```ts\n- a * b\n```' }], 'a * b', 3],
    [[{ type: 'image', source: {} }], '', 10],
    [[{ type: 'thinking', thinking: 'Hm.' }], 'Hm.', 2],
    [[{ type: 'redacted_thinking', sizeChars: 3 }], '', 2],
    [[{ type: 'tool_use', name: 'ls', input: {} }], 'ls', 2],
    [[{ type: 'tool_result', isError: false, content: [{ type: 'text', text: 'out' }] }], 'out', 2],
    [[{ type: 'document', name: 'plan.pdf', source: {} }], 'plan.pdf', 2],
    [
      [
        { type: 'unknown', kind: 'x', raw: 1 },
        { type: 'text', text: 'after' },
      ],
      'after',
      3,
    ],
    [[{ type: 'text', text: 'y'.repeat(200) }], `${'y'.repeat(119)}…`, 4],
  ] as const)('%j', (content, firstLine, estimatedLines) => {
    expect(summarizeMessage(message('m', { content }))).toMatchObject({ firstLine, estimatedLines, isError: false });
  });

  it('is an error if a tool failed, and has the known role if the message has none', () => {
    const failed = message('m', { role: undefined, content: [{ type: 'tool_result', isError: true, content: [] }] });
    expect(summarizeMessage(failed, 'tool')).toMatchObject({ isError: true, role: 'tool' });
    expect(summarizeMessage(message('m', { isError: true }), 'tool')).toMatchObject({ isError: true, role: 'user' });
  });
});
