import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { translator } from '../../../../src/shared/translate.ts';
import type { PageMessage } from '../../../../src/shared/protocol/pageMessages.ts';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
import { conversationRows } from '../../state/conversationRows.ts';
import { readRowBodies } from '../../../../src/views/conversation/sessionRowBodies.ts';
import { emptyDraft } from '../../../../src/state/store/sessionRecord.ts';
import { attachment, comment, entryOf, key, noKey, ready, rejected, sessionOf } from '../../state/samples.ts';
import { PageModel, PageRig, messageOf, messagesOf } from './pageRig.ts';
import type { ContentBlock } from '../../../../src/api/resources/contentBlock.ts';
import type { MessagePlace } from '../../../../src/views/conversation/conversationRowModel.ts';
import { unpackStubs } from '../../../../src/webview/rows/rowTable.ts';

let rig: PageRig;
const open = (count?: number) => (rig = new PageRig(count));
afterEach(() => rig.page.dispose());

const bodiesIn = (message: HostMessage | undefined): string[] => {
  if (message?.type === 'conversation') return message.conversation.rows.map((row) => row.key);
  return message?.type === 'rows' ? message.rows.map((row) => row.key) : [];
};
const named = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, place) => `m${first + place}`);

it('draws a scheduled message again when the session that it waits for has another title', async () => {
  const awaited = { ...key, sessionId: 'awaited' };
  await open(1).open();
  rig.store.addSession({ key: awaited, addedAt: 2 });
  const entry = entryOf({ entryId: 'e1', after: { kind: 'sessionIdle', key: awaited } });
  rig.store.setOutbox(key, [entry]);
  const label = async () => {
    await rig.settle();
    const patches = rig.take().flatMap((message) => (message.type === 'patch' ? message.patches : []));
    const rows = patches.flatMap((patch) => ('rows' in patch ? patch.rows : 'row' in patch ? [patch.row] : []));
    return rows.map(({ delivery }) => delivery?.label.replace(/[\u2068\u2069]/g, ''));
  };
  expect(await label()).toEqual(['Will be sent when "awaited" is idle']);
  for (const [number, title] of (['First', 'Second'] as const).entries()) {
    rig.store.takeSession(awaited, sessionOf({ sessionId: 'awaited', title }), 2_000 + number, 2 + number);
    expect(await label()).toEqual([`Will be sent when "${title}" is idle`]);
  }
  rig.store.takeSession(awaited, sessionOf({ sessionId: 'awaited', title: 'Second', messageCount: 99 }), 3_000, 9);
  expect(await label()).toEqual([]);
});

describe('the data sent ahead of a loading page', () => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

  it('is its first state, and nothing else until the page is ready', async () => {
    open(100).page.preload();
    rig.page.show(key);
    rig.webview.delivers = false;
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation']);
    rig.webview.delivers = true;
    rig.webview.deliver();
    rig.store.takeMessages(key, [messageOf('new', 200)]);
    rig.page.post({ type: 'announce', text: 'x' });
    await rig.settle();
    expect(rig.types()).toEqual([]);
    rig.say({ type: 'ready', timeZone });
    await rig.settle();
    expect(rig.types()).toEqual(['preloadDone', 'announce', 'patch', 'rows']);
  });

  it('is sent again if the page reports ready again or uses another time zone', async () => {
    open(3).page.preload();
    rig.page.show(key);
    await rig.settle();
    rig.take();
    rig.say({ type: 'ready', timeZone });
    await rig.settle();
    expect(rig.types()).toEqual(['preloadDone']);
    rig.say({ type: 'ready', timeZone });
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation']);
    rig.page.preload();
    await rig.settle();
    rig.take();
    rig.say({ type: 'ready', timeZone: timeZone === 'Asia/Tokyo' ? 'UTC' : 'Asia/Tokyo' });
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation']);
  });

  it('is discarded if the page was hidden or unreachable', async () => {
    open(3).page.preload();
    rig.page.show(key);
    await rig.settle();
    rig.page.onHidden();
    rig.take();
    rig.say({ type: 'ready', timeZone });
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation']);
    rig.webview.outcome = false;
    rig.page.preload();
    await rig.settle();
    rig.take();
    rig.webview.outcome = true;
    rig.say({ type: 'ready', timeZone });
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation']);
  });
});

describe('the first state of a page', () => {
  /** Opens a long conversation and delivers only its first state. */
  const openToFirstState = async () => {
    open(30_000).webview.delivers = false;
    rig.page.show(key);
    rig.say({ type: 'ready' });
    await rig.settle();
    rig.webview.deliver();
    await rig.settle();
  };

  it('is not sent before the page is ready', async () => {
    open(3).page.show(key);
    rig.store.takeMessages(key, messagesOf(5));
    rig.page.post({ type: 'announce', text: 'x' });
    await rig.settle();
    expect(rig.take()).toEqual([]);
  });

  it('is followed only by a setup if the fonts change', async () => {
    const rig = new PageRig(3);
    rig.setupChanges.fire();
    await rig.open();
    rig.take();
    rig.fonts = { sizePx: 18 };
    rig.setupChanges.fire();
    await rig.settle();
    const [setup, ...others] = rig.take();
    expect(setup).toMatchObject({ type: 'setup', fonts: { sizePx: 18 } });
    expect(others).toEqual([]);
  });

  it('is followed by a setup and the composer if the effect of Send changes', async () => {
    await open(3).open();
    rig.store.takeSession(key, sessionOf({ status: 'running' }), 2_000, 1);
    await rig.settle();
    rig.take();
    rig.isWhenIdle = true;
    rig.setupChanges.fire();
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'setup' }, { type: 'composer' }]);
  });

  it('is the strings, then the last row stubs with the last bodies, then the other row stubs, then the other bodies', async () => {
    await open(25_000).open();
    const [setup, conversation, ...rest] = rig.take();
    expect(setup).toMatchObject({ type: 'setup', locale: 'en', sendKey: 'enter', words: { send: 'Send' } });
    expect(conversation).toMatchObject({
      type: 'conversation',
      conversation: {
        ...key,
        header: { title: 'Fix the login', status: 'idle' },
        older: { state: 'none' },
        draft: { text: '', selectionStart: 0, selectionEnd: 0 },
      },
    });
    if (conversation?.type !== 'conversation') throw new Error('no conversation');
    expect(unpackStubs(conversation.conversation.rowStubs).keys).toEqual(named(24_000, 24_999));
    expect(conversation.conversation.earlierCount).toBe(24_000);
    expect(bodiesIn(conversation)).toEqual(named(24_960, 24_999));
    const rowStubs = rest.flatMap((message) =>
      message.type === 'earlier' ? [unpackStubs(message.rowStubs).keys] : [],
    );
    expect(rowStubs).toEqual([named(14_000, 23_999), named(4_000, 13_999), named(0, 3_999)]);
    const bodies = rest.slice(rowStubs.length);
    expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['rows']));
    expect(bodies.flatMap(bodiesIn)).toEqual(named(0, 24_959).toReversed());
    for (const piece of bodies) expect(bodiesIn(piece).length).toBeLessThanOrEqual(2_000);
  });

  it('is sent in batches, each after the previous one was delivered', async () => {
    open(10_000).webview.delivers = false;
    await rig.open();
    for (let post = 1; post < 6; post++) {
      expect(rig.webview.posts).toHaveLength(post);
      rig.webview.deliver();
      await rig.settle();
    }
    expect(rig.webview.mostAtOnce).toBe(1);
  });

  it('is sent again completely when the page reports ready again (R6)', async () => {
    await open(100).open();
    const first = rig.take();
    rig.say({ type: 'ready', anchorKey: 'm50' });
    await rig.settle();
    expect(rig.take()).toEqual(first);
  });

  it('contains all row stubs before any row changes are sent', async () => {
    await openToFirstState();
    rig.store.takeMessages(key, [messageOf('m3', 3, { updatedAt: 9_000 }), messageOf('new', 40_000)]);
    rig.page.show(key, { messageId: 'm5' });
    rig.page.post({ type: 'announce', text: 'x' });
    rig.webview.delivers = true;
    rig.webview.deliver();
    await rig.settle();
    const types = rig.types();
    expect(types.slice(0, 2)).toEqual(['setup', 'conversation']);
    expect(types.lastIndexOf('earlier')).toBeLessThan(
      Math.min(...['announce', 'patch', 'reveal', 'rows'].map((type) => types.indexOf(type)).filter((at) => at >= 0)),
    );
    expect(types).toEqual(expect.arrayContaining(['patch', 'announce', 'reveal']));
  });

  it('omits the remaining row stubs if the session has been removed', async () => {
    await openToFirstState();
    expect(rig.types()).toEqual(['setup', 'conversation']);
    rig.store.removeSession(key);
    rig.webview.delivers = true;
    rig.webview.deliver();
    await rig.settle();
    expect(rig.types()).toEqual(['screen']);
  });

  it('is a screen if there is no session to show', async () => {
    await open(1).open({ origin: key.origin, sessionId: 'not on the deck' });
    expect(rig.types()).toEqual(['setup', 'screen']);
    rig.page.show(undefined);
    await rig.settle();
    expect(rig.types()).toEqual(['screen']);
  });

  it('is a screen without rows or a draft while an editor tab shows the session', async () => {
    await open(3).open();
    rig.take();
    rig.page.show(key, undefined, true);
    await rig.settle();
    const [screen, ...others] = rig.take();
    expect(others).toEqual([]);
    expect(screen).toMatchObject({
      screen: {
        title: 'Fix the login',
        buttons: [{ action: 'openConversationInEditor' }, { action: 'moveConversationToSideBar' }],
      },
    });
    // The last change to the draft may arrive after the conversation has moved.
    expect(rig.page.key).toEqual(key);
    rig.store.takeMessages(key, messagesOf(1, 3));
    await rig.settle();
    expect(rig.types()).toEqual([]);
    rig.page.show(key);
    await rig.settle();
    expect(rig.types()).toContain('conversation');
  });

  it('starts with the strings even if the page is reloaded while bodies are read', async () => {
    open(50);
    let release: () => void = () => undefined;
    rig.gate = new Promise((resolve) => (release = resolve));
    await rig.open();
    expect(rig.types()).toEqual(['setup']);
    rig.say({ type: 'ready' });
    release();
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation', 'rows']);
  });
});

describe('changes', () => {
  it('during a pending post are combined into one', async () => {
    await open(10).open();
    rig.take();
    rig.webview.delivers = false;
    rig.page.post({ type: 'announce', text: 'first' });
    await rig.settle();
    for (let round = 0; round < 20; round++) {
      rig.store.takeMessages(key, [messageOf(`new${round}`, 100 + round)]);
      rig.store.takeMessages(key, [messageOf('m9', 9, { updatedAt: 2_000 + round })]);
    }
    rig.webview.delivers = true;
    rig.webview.deliver();
    await rig.settle();
    const posts = rig.take();
    expect(posts.map(({ type }) => type)).toEqual(['announce', 'patch']);
    if (posts[1]?.type !== 'patch') throw new Error('no patch');
    const [insert, replace, ...more] = posts[1].patches;
    expect(insert).toMatchObject({ op: 'insert', index: 10 });
    expect(replace).toMatchObject({ op: 'replace', row: { key: 'm9' } });
    expect(more).toEqual([]);
    if (insert?.op === 'insert') expect(insert.rows).toHaveLength(20);
  });

  it('without an effect are not posted', async () => {
    await open(10).open();
    rig.take();
    for (let second = 1; second < 50; second++) {
      rig.store.takeSession(key, sessionOf({ messageCount: 10 }), 1_000 + second * 1_000, 1);
      rig.store.takeMessages(key, messagesOf(10));
      rig.store.setHistory(key, { completeness: 'complete', isLoading: false });
      rig.store.setOutbox(key, []);
      rig.store.setConnection({ ...ready });
      rig.page.show(key);
      await rig.settle();
    }
    expect(rig.types()).toEqual([]);
    rig.store.takeSession(key, sessionOf({ messageCount: 10 }), 61_000, 1);
    await rig.settle();
    expect(rig.types()).toEqual(['header']);
  });

  it('of other sessions do not affect this page', async () => {
    await open(10).open();
    rig.take();
    const other = { origin: key.origin, sessionId: 'other' };
    rig.store.addSession({ key: other, addedAt: 2 });
    rig.store.takeMessages(other, messagesOf(5));
    rig.store.takeSession(other, sessionOf(), 5, 1);
    rig.store.setDraft(other, { text: 'theirs', selectionStart: 0, selectionEnd: 0, attachments: [], comments: [] });
    rig.store.setCurrent(other);
    await rig.settle();
    expect(rig.types()).toEqual([]);
  });

  it('of the draft are sent to every page except the one in which it was typed', async () => {
    await open(1).open();
    rig.take();
    const draft = { text: 'hm', selectionStart: 2, selectionEnd: 2, attachments: [], comments: [] };
    rig.store.setDraft(key, draft, rig.page);
    await rig.settle();
    expect(rig.take()).toEqual([]);
    rig.store.setDraft(key, { ...draft, text: 'hmm' }, 'another page');
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'draft', draft: { text: 'hmm', selectionStart: 2, selectionEnd: 2 } }]);
  });

  it('of the draft include the last text that was added to it', async () => {
    await open(1).open();
    rig.take();
    const additions = [1, 2].map((addedId) => ({ addedId, text: 'added' }));
    rig.store.setDraft(key, { ...emptyDraft, text: 'own\n\nadded', additions });
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'draft', draft: { text: 'own\n\nadded', addedId: 2 } }]);
  });

  it('of the draft include the last revision received from the page', async () => {
    await open(3).open();
    rig.take();
    rig.page.acknowledgeDraft(7);
    rig.page.acknowledgeDraft(5);
    const draft = { text: 'hm', selectionStart: 2, selectionEnd: 2, attachments: [], comments: [] };
    rig.store.setDraft(key, draft, 'another page');
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'draft', draft: { text: 'hm', revision: 7 } }]);
    rig.page.refreshComposer('draft');
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'draft', draft: { text: 'hm', revision: 7 } }]);
  });

  it('of comments are sent to every page, with the last revision received from it', async () => {
    await open(1).open();
    expect(rig.take().find(({ type }) => type === 'conversation')).toMatchObject({
      conversation: { comments: { items: [] } },
    });
    rig.page.acknowledgeComments(7);
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'comments', comments: { items: [], revision: 7 } }]);
    const draft = { text: '', selectionStart: 0, selectionEnd: 0, attachments: [], comments: [comment] };
    rig.store.setDraft(key, draft, rig.page);
    await rig.settle();
    const items = [{ ...comment, key: 'm1' }];
    expect(rig.take()).toEqual([{ type: 'comments', comments: { items, revision: 7 } }]);
    rig.store.setDraft(key, { ...draft, text: 'typed' }, rig.page);
    await rig.settle();
    expect(rig.take()).toEqual([]);
    // The page waits for the acknowledgment, even if nothing changed.
    rig.page.acknowledgeComments(8);
    rig.page.acknowledgeComments(5);
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'comments', comments: { items, revision: 8 } }]);
  });

  it('of the draft never combine older text with a newer revision', async () => {
    open(1).store.setOutbox(key, [entryOf({ state: 'queued' })]);
    await rig.open();
    rig.take();
    const draft = { text: '', selectionStart: 0, selectionEnd: 0, attachments: [], comments: [] };
    let letRead: () => void = () => undefined;
    rig.gate = new Promise((resolve) => (letRead = resolve));
    rig.store.setOutbox(key, [entryOf({ state: 'sending' })]);
    rig.store.setDraft(key, draft, 'elsewhere');
    await rig.settle();
    // The user types while the row is being read. Then the row is removed, so only the draft is left to send.
    rig.store.setDraft(key, { ...draft, text: 'typed' }, rig.page);
    rig.page.acknowledgeDraft(7);
    rig.store.setOutbox(key, []);
    letRead();
    await rig.settle();
    const told = rig.take().flatMap((message) => (message.type === 'draft' ? [message.draft] : []));
    expect(told).toMatchObject([{ text: 'typed', revision: 7 }]);
  });

  it('of connection and composer update everything that depends on them', async () => {
    await open(1).open();
    rig.take();
    rig.store.setConnection(rejected);
    await rig.settle();
    const posts = rig.take();
    expect(posts.map(({ type }) => type)).toEqual(['header', 'composer']);
    expect(posts[0]).toMatchObject({ header: { status: 'rejected', isStale: true } });
    expect(posts[1]).toMatchObject({ composer: { canSend: false } });
    rig.composerFailure = { text: 'Too large.', rejectionId: 3 };
    rig.page.refreshComposer();
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'composer', composer: { failure: 'Too large.', rejectionId: 3 } }]);
  });

  it("of the API key end the wait for messages that can't arrive", async () => {
    open().store.setHistory(key, { completeness: 'unread', isLoading: false });
    await rig.open();
    rig.take();
    rig.store.setConnection(noKey);
    await rig.settle();
    expect(rig.take().find(({ type }) => type === 'older')).toEqual({
      type: 'older',
      older: { state: 'unread', label: '' },
    });
  });

  it('of the session update the header, the row above the oldest message, and the composer', async () => {
    open(3).store.setHistory(key, { completeness: 'partial', isLoading: false });
    rig.isWhenIdle = true;
    await rig.open();
    rig.take();
    rig.store.takeSession(key, sessionOf({ status: 'running', messageCount: 20 }), 1_000, 1);
    await rig.settle();
    const posts = rig.take();
    expect(posts.map(({ type }) => type)).toEqual(['header', 'older', 'composer']);
    expect(posts).toMatchObject([{ header: { status: 'running' } }, { older: { count: 17 } }, { composer: {} }]);
  });

  it('of the messages update the rows, the header, and the row above the oldest message', async () => {
    await open(3).open();
    rig.take();
    rig.store.takeMessages(key, [messageOf('new', 50)]);
    rig.store.setHistory(key, { completeness: 'partial', isLoading: false, missingCount: 2 });
    await rig.settle();
    const posts = rig.take();
    expect(posts.map(({ type }) => type)).toEqual(['patch', 'header', 'older']);
    expect(posts[1]).toMatchObject({ header: { incomplete: {} } });
  });

  it('of the messages name the first row that is new to the user, even if its body follows later', async () => {
    await open(3).open();
    rig.store.setNewSince(key, 1_002);
    await rig.settle();
    rig.take();
    rig.store.takeMessages(key, messagesOf(80, 3));
    await rig.settle();
    const [patch, ...others] = rig.take();
    expect(patch).toMatchObject({ type: 'patch', newKey: 'm3' });
    const patches = patch?.type === 'patch' ? patch.patches : [];
    const keys = patches.flatMap((one) => (one.op === 'insert' ? one.rows.map((row) => row.key) : []));
    expect(keys.length).toBeGreaterThan(0);
    expect(keys).not.toContain('m3');
    expect(others.flatMap(bodiesIn)).toContain('m3');
  });

  it('of the outgoing messages update the rows and the composer', async () => {
    await open(3).open();
    rig.take();
    rig.store.setOutbox(key, [entryOf({ state: 'unknown' })]);
    await rig.settle();
    expect(rig.types()).toEqual(['patch', 'composer']);
  });

  it("of a draft's attachments update the composer of every page", async () => {
    await open(1).open();
    rig.take();
    const draft = { text: '', selectionStart: 0, selectionEnd: 0, attachments: [attachment], comments: [] };
    rig.store.setDraft(key, draft, rig.page);
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'composer', composer: { attachments: [{ name: attachment.name }] } }]);
    rig.store.setDraft(key, { ...draft, attachments: [] }, 'another page');
    await rig.settle();
    expect(rig.types()).toEqual(['draft', 'composer']);
  });

  it('of the filter update the header and the rows, which are not announced as new', async () => {
    open(3).store.takeMessages(key, [
      messageOf('use', 4, { role: 'assistant', content: [{ type: 'tool_use', name: 'grep', input: {} }] }),
    ]);
    await rig.open();
    rig.take();
    rig.reading = { detailLevel: 'answers' };
    rig.readingChanges.fire({ origin: key.origin, sessionId: 'other' });
    await rig.settle();
    expect(rig.types()).toEqual([]);
    rig.readingChanges.fire(key);
    await rig.settle();
    expect(rig.take()).toMatchObject([{ type: 'patch', isReread: true }, { type: 'header' }]);
  });

  it('of the filter of a hidden page count only once it is shown again, and not for what follows', async () => {
    await open(3).open();
    rig.page.onHidden();
    rig.reading = { detailLevel: 'answers' };
    rig.readingChanges.fire(key);
    await rig.settle();
    rig.say({ type: 'ready' });
    await rig.settle();
    rig.take();
    rig.store.takeMessages(key, [messageOf('n', 50)]);
    await rig.settle();
    const [patch] = rig.take();
    expect(patch).toMatchObject({ type: 'patch' });
    expect(patch).not.toHaveProperty('isReread');
  });

  it('of the session list switch between a conversation and a screen', async () => {
    await open(3).open();
    rig.take();
    rig.store.removeSession(key);
    await rig.settle();
    expect(rig.types()).toEqual(['screen']);
    rig.store.addSession({ key, addedAt: 1 });
    await rig.settle();
    expect(rig.types()).toEqual(['conversation']);
  });
});

describe('requests', () => {
  it('reveal a message immediately, or once it arrives', async () => {
    await open(10).open();
    rig.take();
    rig.page.show(key, { messageId: 'm3' });
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'reveal', key: 'm3' }]);
    rig.page.show(key, { messageId: 'later' });
    await rig.settle();
    expect(rig.take()).toEqual([]);
    rig.store.takeMessages(key, [messageOf('later', 99)]);
    await rig.settle();
    expect(rig.types()).toEqual(['patch', 'reveal']);
    rig.page.show(key, { messageId: 'm5' });
    rig.say({ type: 'ready' });
    await rig.settle();
    const [, first] = rig.take();
    expect(first).toMatchObject({ type: 'conversation', conversation: { reveal: { key: 'm5' } } });
  });

  it('reveal a message with a question also at the level of answers, where it is shown without its calls', async () => {
    rig = new PageRig(5);
    rig.reading = { detailLevel: 'answers' };
    const input = { questions: [{ question: 'Which one?' }] };
    const ask = { type: 'tool_use', toolUseId: 'q', name: 'AskUserQuestion', input } as const;
    rig.store.takeMessages(key, [messageOf('asks', 6, { role: 'assistant', content: [ask] })]);
    await rig.open();
    rig.take();
    rig.page.show(key, { messageId: 'asks' });
    await rig.settle();
    expect(rig.take().at(-1)).toEqual({ type: 'reveal', key: 'asks' });
  });

  it('do not reveal a message that arrives after another session was shown', async () => {
    await open(10).open();
    rig.page.show(key, { messageId: 'later' });
    rig.page.show({ ...key, sessionId: 'other' });
    rig.page.show(key);
    await rig.settle();
    rig.take();
    rig.store.takeMessages(key, [messageOf('later', 99)]);
    await rig.settle();
    expect(rig.types()).not.toContain('reveal');
  });

  it('reveal a message sent from this window by the key of its row', async () => {
    open(3).store.setOutbox(key, [entryOf({ state: 'accepted', messageId: 'm1' })]);
    rig.store.setOutbox(key, []);
    await rig.open();
    rig.take();
    rig.page.show(key, { messageId: 'm1' });
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'reveal', key: 'e1' }]);
  });

  it('for rows take precedence over background rows, without duplicates', async () => {
    open(10_000).webview.delivers = false;
    await rig.open();
    rig.webview.deliver();
    await rig.settle();
    rig.webview.deliver();
    await rig.settle();
    rig.say({ type: 'wantRows', ...key, keys: ['m7', 'm3', 'not there'] });
    rig.webview.delivers = true;
    rig.webview.deliver();
    await rig.settle();
    const pieces = rig.take().slice(2).map(bodiesIn);
    expect(pieces[1]).toEqual(['m3', 'm7']);
    const all = pieces.flat();
    expect(all).toHaveLength(9_960);
    expect(new Set(all).size).toBe(all.length);
  });

  it('do not send a row that is no longer in the list', async () => {
    open(10_000).webview.delivers = false;
    await rig.open();
    rig.webview.deliver();
    await rig.settle();
    rig.store.setOutbox(key, [entryOf({ state: 'accepted', messageId: 'm5' })]);
    rig.webview.delivers = true;
    rig.webview.deliver();
    await rig.settle();
    const model = new PageModel();
    for (const message of rig.take()) model.take(message);
    expect(model.keys[5]).toBe('e1');
    expect(model.bodies.get('e1')?.blocks).toEqual([{ type: 'markdown', text: 'text of m5' }]);
    expect(model.bodies.size).toBe(10_000);
  });

  it('load rows even beyond the background loading budget', async () => {
    const long = messagesOf(400).map((message) => ({
      ...message,
      content: [{ type: 'text' as const, text: 'x\n'.repeat(1_999) }],
    }));
    open().store.takeMessages(key, long);
    await rig.open();
    const sent = rig.take().flatMap(bodiesIn);
    expect(sent.length).toBeGreaterThan(190);
    expect(sent.length).toBeLessThan(210);
    rig.say({ type: 'wantRows', ...key, keys: ['m0'] });
    await rig.settle();
    expect(rig.take().map(bodiesIn)).toEqual([['m0']]);
  });

  it('from the page reveal a message', async () => {
    await open(10).open();
    rig.take();
    rig.page.revealMessage('m3');
    rig.page.post({ type: 'announce', text: 'now' });
    await rig.settle();
    expect(rig.take()).toEqual([
      { type: 'announce', text: 'now' },
      { type: 'reveal', key: 'm3' },
    ]);
  });

  it('find the next bookmark, and changes of bookmarks are sent once', async () => {
    await open(10).open();
    rig.take();
    const bookmarks = [
      { messageId: 'm7', addedAt: 1, note: 'mine' },
      { messageId: 'm2', addedAt: 2 },
    ];
    rig.store.addSession({ key, addedAt: 1, bookmarks });
    await rig.settle();
    expect(rig.take().filter(({ type }) => type === 'bookmarks')).toEqual([
      {
        type: 'bookmarks',
        bookmarks: [
          { messageId: 'm2', key: 'm2', note: '' },
          { messageId: 'm7', key: 'm7', note: 'mine' },
        ],
      },
    ]);
    expect(rig.page.bookmarkFrom('m2', 1)).toEqual({ messageId: 'm7', key: 'm7', text: 'mine' });
    expect(rig.page.bookmarkFrom('m7', -1)).toMatchObject({ messageId: 'm2', key: 'm2' });
    expect(rig.page.bookmarkFrom('m7', 1)).toBeUndefined();
  });

  it('from the page expand and collapse a run of steps', async () => {
    open().store.takeMessages(key, [
      messageOf('ask', 1),
      messageOf('u1', 2, { role: 'assistant', content: [{ type: 'tool_use', name: 'grep', input: {} }] }),
      messageOf('u2', 3, { role: 'assistant', content: [{ type: 'tool_use', name: 'grep', input: {} }] }),
    ]);
    rig.reading = { detailLevel: 'work' };
    await rig.open();
    const model = new PageModel();
    const keysAfter = async (): Promise<readonly string[]> => {
      await rig.settle();
      for (const message of rig.take()) model.take(message);
      return [...model.keys];
    };
    const collapsed = await keysAfter();
    expect(collapsed).toHaveLength(2);
    const runKey = collapsed[1] ?? '';
    rig.say({ type: 'toggleSteps', ...key, key: runKey });
    expect(await keysAfter()).toHaveLength(3);
    rig.say({ type: 'toggleSteps', ...key, key: runKey });
    expect(await keysAfter()).toEqual(collapsed);
  });

  describe('for a step', () => {
    const text = { type: 'text', text: 'I look at it.' } as const;
    const call = (toolUseId: string) => ({ type: 'tool_use', toolUseId, name: 'grep', input: {} }) as const;
    const result = (toolUseId: string) =>
      ({ type: 'tool_result', toolUseId, isError: false, content: [text] }) as const;
    const assistant = (id: string, at: number, ...content: readonly ContentBlock[]) =>
      messageOf(id, at, { role: 'assistant', content });
    const messages = [
      messageOf('ask', 1),
      assistant('both', 2, text, call('c1'), call('c2')),
      assistant('alone', 3, call('c3')),
      messageOf('results', 4, { content: [result('c1'), result('c2'), result('c3')] }),
      assistant('answer', 5, text),
    ];
    /** The reveal of a page that has got the messages of the session, or that gets them only with the reveal. */
    const revealed = async (place: MessagePlace, isAtStart = false) => {
      open().store.takeMessages(key, messages);
      rig.reading = { detailLevel: 'work' };
      if (!isAtStart) await rig.open();
      rig.take();
      rig.page.show(key, place);
      if (isAtStart) await rig.open();
      await rig.settle();
      const sent = rig.take();
      const whole = sent.find(({ type }) => type === 'conversation');
      const target = sent.find(({ type }) => type === 'reveal');
      return whole?.type === 'conversation' ? whole.conversation.reveal : target;
    };

    it.each([false, true])('show it in its run, which is expanded', async (isAtStart) => {
      expect(await revealed({ messageId: 'both', step: 2 }, isAtStart)).toMatchObject({
        key: '\u0000steps 0 both.1',
        steps: [{ messageId: 'both', index: 2 }],
      });
      rig.take();
      rig.page.show(key, { messageId: 'alone', step: 0 });
      await rig.settle();
      // The run is expanded already.
      expect(rig.take()).toEqual([
        { type: 'reveal', key: '\u0000steps 0 both.1', steps: [{ messageId: 'alone', index: 0 }] },
      ]);
    });

    it('show the steps of a message without text, or of a message with results', async () => {
      const [one, two, three] = [
        { messageId: 'both', index: 1 },
        { messageId: 'both', index: 2 },
        { messageId: 'alone', index: 0 },
      ];
      expect(await revealed({ messageId: 'alone', step: 'any' })).toMatchObject({ steps: [three] });
      expect(await revealed({ messageId: 'results', step: 'any' })).toMatchObject({ steps: [one, two, three] });
    });

    it.each([
      ['a message with text', { messageId: 'both', step: 'any' }, 'both'],
      ['no step', { messageId: 'alone' }, 'alone'],
      ['a step that is not there', { messageId: 'alone', step: 7 }, 'alone'],
    ] as const)('show the whole message for %s', async (_, place, rowKey) => {
      expect(await revealed(place)).toEqual({ type: 'reveal', key: rowKey });
    });

    it('show the whole message where no steps are shown', async () => {
      open().store.takeMessages(key, messages);
      await rig.open();
      rig.take();
      rig.page.show(key, { messageId: 'both', step: 2 });
      await rig.settle();
      expect(rig.take()).toEqual([{ type: 'reveal', key: 'both' }]);
    });
  });

  it('for the composer take effect immediately if it exists', async () => {
    await open(1).open();
    rig.take();
    rig.page.focusComposer(true);
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'focusComposer', takesFocus: true }]);
  });

  it('name their session, and are dropped if the page shows one of another service or never showed it', async () => {
    const other = { origin: 'https://other.example', sessionId: key.sessionId };
    await open(30).open();
    rig.store.addSession({ key: other, addedAt: 2 });
    rig.page.show(other);
    await rig.settle();
    rig.take();
    const warnings = rig.warnings.length;
    // These messages are only about the session that the page shows, so they are dropped.
    rig.say({ type: 'wantRows', ...key, keys: ['m0'] });
    rig.say({ type: 'toggleSteps', ...key, key: 'm0' });
    rig.say({ type: 'find', ...key, findId: 1, text: 'm1', isCase: false, isWord: false, isRegex: false });
    rig.say({ type: 'getBookmark', askId: 1, ...key, by: 1 });
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'answer', askId: 1, answer: undefined }]);
    expect(rig.requests).toEqual([]);
    // These messages are handled for the session that they name.
    const late: PageMessage[] = [
      { type: 'loadOlder', ...key },
      { type: 'getPlan', askId: 2, ...key },
      { type: 'loadOlder', ...other },
    ];
    for (const message of late) rig.say(message);
    expect(rig.requests).toEqual(late);
    rig.say({ type: 'loadOlder', origin: 'https://never.example', sessionId: key.sessionId });
    rig.say({ type: 'getPlan', askId: 3, ...other, sessionId: 'never' });
    await rig.settle();
    expect(rig.requests).toEqual(late);
    expect(rig.take()).toEqual([{ type: 'answer', askId: 3, answer: undefined }]);
    expect(rig.warnings).toHaveLength(warnings);
  });

  it('to find text in a session that is not in the list have no effect', async () => {
    const other = { origin: key.origin, sessionId: 'other' };
    await open(1).open(other);
    rig.take();
    rig.say({ type: 'find', ...other, findId: 1, text: 'x', isCase: false, isWord: false, isRegex: false });
    await rig.settle();
    expect(rig.take()).toEqual([]);
    expect(rig.warnings).toEqual([]);
  });

  it('focus the composer once it exists', async () => {
    open(1).page.focusComposer();
    await rig.open({ origin: key.origin, sessionId: 'not on the deck' });
    expect(rig.types()).toEqual(['setup', 'screen']);
    rig.page.show(key);
    await rig.settle();
    expect(rig.types()).toEqual(['conversation', 'focusComposer']);
  });

  it('are posted in order, after pending posts', async () => {
    await open(1).open();
    rig.take();
    rig.page.focusComposer();
    for (const text of ['a', 'b']) rig.page.post({ type: 'announce', text });
    rig.store.takeMessages(key, [messageOf('n', 50)]);
    await rig.settle();
    expect(rig.types()).toEqual(['announce', 'announce', 'focusComposer', 'patch']);
  });
});

describe('an unavailable page', () => {
  it.each(['onHidden', 'dispose'] as const)('reports that it and its composer have no focus: %s', (end) => {
    open(3);
    rig.page[end]();
    expect(rig.requests).toEqual([
      { type: 'focused', isFocused: false },
      { type: 'composerFocus', isFocused: false },
    ]);
  });

  it.each([false, new Error('Webview is disposed')])(
    'receives nothing after the post result %s, until it is ready again (R6)',
    async (outcome) => {
      await open(3_000).open();
      rig.take();
      rig.webview.outcome = outcome;
      rig.store.takeMessages(key, [messageOf('n', 5_000)]);
      await rig.settle();
      expect(rig.types()).toEqual(['patch']);
      rig.store.takeMessages(key, [messageOf('o', 5_001)]);
      rig.page.post({ type: 'announce', text: 'x' });
      await rig.settle();
      expect(rig.types()).toEqual([]);
      rig.webview.outcome = true;
      rig.say({ type: 'ready' });
      await rig.settle();
      const [, conversation] = rig.take();
      if (conversation?.type !== 'conversation') throw new Error('no conversation');
      const { keys } = unpackStubs(conversation.conversation.rowStubs);
      expect(keys.at(-1)).toBe('o');
      expect(keys.length + conversation.conversation.earlierCount).toBe(3_002);
    },
  );

  it('receives its state after a reload, even if the failure of an earlier post is reported late', async () => {
    await open(5).open();
    rig.take();
    rig.webview.delivers = false;
    rig.store.takeMessages(key, [messageOf('n', 50)]);
    await rig.settle();
    rig.say({ type: 'ready' });
    rig.webview.delivers = true;
    rig.webview.deliver(false);
    await rig.settle();
    expect(rig.types()).toEqual(['patch', 'setup', 'conversation']);
  });

  it('receives nothing while it is hidden, or after dispose', async () => {
    await open(5).open();
    rig.take();
    rig.page.onHidden();
    rig.store.takeMessages(key, [messageOf('n', 50)]);
    await rig.settle();
    expect(rig.take()).toEqual([]);
    rig.say({ type: 'ready' });
    rig.page.dispose();
    rig.store.takeMessages(key, [messageOf('o', 51)]);
    rig.webview.say({ type: 'ready' });
    rig.page.post({ type: 'announce', text: 'x' });
    await rig.settle();
    expect(rig.take()).toEqual([]);
  });
});

describe('saving what was typed on a page', () => {
  beforeEach(async () => {
    await open(3).open();
    rig.take();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => vi.useRealTimers());

  it('ends when the page has answered', async () => {
    let isOver = false;
    const saving = rig.page.save().then(() => (isOver = true));
    await rig.settle();
    expect([rig.take(), isOver]).toEqual([[{ type: 'save' }], false]);
    rig.say({ type: 'saved' });
    await saving;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not wait for a hidden page, or for one that is hidden or closed meanwhile', async () => {
    const first = rig.page.save();
    rig.page.onHidden();
    await first;
    await rig.page.save();
    rig.say({ type: 'ready' });
    const last = rig.page.save();
    rig.page.dispose();
    await last;
  });

  it('waits for a second if the page does not respond', async () => {
    const saving = rig.page.save();
    vi.advanceTimersByTime(999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    await saving;
  });
});

describe('the position of a page', () => {
  it('is the row in its last answer to a ping', async () => {
    await open(3).open();
    rig.say({ type: 'pong', anchorKey: 'm1' });
    expect(rig.page.anchor).toEqual({ rowKey: 'm1', messageId: 'm1' });
    rig.say({ type: 'pong' });
    expect(rig.page.anchor).toBeUndefined();
  });

  it('is found in another page, also if it is a run of steps or one of its steps', async () => {
    const call = { role: 'assistant', content: [{ type: 'tool_use', name: 'grep', input: {} }] } as const;
    const fill = (filled: PageRig) => {
      filled.store.takeMessages(key, [messageOf('ask', 1), messageOf('u1', 2, call), messageOf('u2', 3, call)]);
      filled.reading = { detailLevel: 'work' };
    };
    /** The key of the row to which another page scrolls if its position is set to the row `place` of this page. */
    const revealedIn = async (place: number) => {
      rig.say({ type: 'pong', anchorKey: model.keys[place] });
      const { anchor } = rig.page;
      const other = new PageRig();
      fill(other);
      other.page.show(key);
      if (anchor) other.page.revealRow(anchor);
      await other.open();
      const conversation = other.take().find(({ type }) => type === 'conversation');
      other.page.dispose();
      return conversation?.type === 'conversation' ? conversation.conversation.reveal?.key : undefined;
    };
    const model = new PageModel();
    fill(open());
    await rig.open();
    for (const message of rig.take()) model.take(message);
    const runKey = model.keys[1] ?? '';
    expect([await revealedIn(0), await revealedIn(1)]).toEqual(['ask', runKey]);
    rig.say({ type: 'toggleSteps', ...key, key: runKey });
    await rig.settle();
    for (const message of rig.take()) model.take(message);
    expect(model.keys).toHaveLength(3);
    expect(await revealedIn(2)).toBe('\u0000steps 0 u1.0');
  });
});

describe('a page that answers no pings', () => {
  let calls: string[];
  const openWatched = async () => {
    open(3).page.startHeartbeat({ reload: () => calls.push('reload'), replace: () => calls.push('replace') });
    await rig.open();
  };
  beforeEach(() => {
    calls = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => vi.useRealTimers());

  it.each([
    ['is reloaded if it sends nothing', false, ['reload']],
    ['is not reloaded while it sends other messages', true, []],
  ])('%s', async (_what, isSending, expected) => {
    await openWatched();
    for (let passedMs = 0; passedMs < 20_000; passedMs += 2_000) {
      vi.advanceTimersByTime(2_000);
      if (isSending) rig.say({ type: 'wantRows', ...key, keys: ['m1'] });
      await rig.settle();
    }
    expect(rig.types()).toContain('ping');
    expect(calls).toEqual(expected);
  });

  it('receives nothing until it has reloaded, and then announces the reload', async () => {
    await openWatched();
    for (let pings = 0; pings < 5; pings++) vi.advanceTimersByTime(3_000);
    await rig.settle();
    rig.take();
    rig.store.takeMessages(key, [messageOf('new', 50)]);
    await rig.settle();
    expect(rig.types()).toEqual([]);
    expect(rig.reloads).toEqual([]);
    rig.say({ type: 'ready' });
    await rig.settle();
    expect(rig.types()).toEqual(['setup', 'conversation', 'announce']);
    expect(rig.reloads).toEqual([expect.stringContaining('was reloaded')]);
  });

  it('is replaced if reloading it does not help', async () => {
    await openWatched();
    for (let passedMs = 0; passedMs < 25_000; passedMs += 1_000) vi.advanceTimersByTime(1_000);
    expect(calls).toEqual(['reload', 'replace']);
  });

  it('is not reloaded while it is hidden', async () => {
    await openWatched();
    rig.page.onHidden();
    for (let pings = 0; pings < 10; pings++) vi.advanceTimersByTime(3_000);
    expect(calls).toEqual([]);
  });
});

describe('any sequence of events', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('message' as const), place: fc.nat(120), updates: fc.nat(3) }),
    fc.record({ do: fc.constant('many' as const), count: fc.oneof(fc.nat(150), fc.integer({ min: 900, max: 1_300 })) }),
    fc.record({ do: fc.constant('outbox' as const), count: fc.nat(3), state: fc.constantFrom('queued', 'sending') }),
    fc.record({ do: fc.constant('accept' as const), place: fc.nat(120) }),
    fc.record({ do: fc.constantFrom('ready', 'deliver', 'hold', 'lose', 'turn', 'screen', 'back', 'want') }),
  );

  it('leaves the page with the content of the store', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const own = new PageRig(60);
        const { store, webview, page } = own;
        page.show(key);
        own.say({ type: 'ready' });
        for (const taken of steps) {
          if (taken.do === 'message') {
            store.takeMessages(key, [messageOf(`m${taken.place}`, taken.place, { updatedAt: 5_000 + taken.updates })]);
          } else if (taken.do === 'many') store.takeOlderMessages(key, messagesOf(taken.count, -taken.count));
          else if (taken.do === 'outbox') {
            const entries = Array.from({ length: taken.count }, (_, place) => entryOf({ entryId: `e${place}` }));
            store.setOutbox(key, entries);
          } else if (taken.do === 'accept') {
            const messageId = `m${taken.place}`;
            store.setOutbox(key, [entryOf({ entryId: `of ${messageId}`, state: 'accepted', messageId })]);
          } else if (taken.do === 'ready') own.say({ type: 'ready' });
          else if (taken.do === 'deliver') webview.deliver();
          else if (taken.do === 'hold') webview.delivers = false;
          else if (taken.do === 'lose') webview.deliver(false);
          else if (taken.do === 'screen') page.show(undefined);
          else if (taken.do === 'back') page.show(key);
          else if (taken.do === 'want') own.say({ type: 'wantRows', ...key, keys: ['m1', 'm119', 'e0'] });
          else await own.settle();
        }
        webview.delivers = true;
        webview.deliver();
        page.show(key);
        own.say({ type: 'ready' });
        await own.settle();
        store.takeMessages(key, [messageOf('last', 9_999)]);
        store.setOutbox(key, [entryOf({ entryId: 'last entry' })]);
        await own.settle();

        const model = new PageModel();
        for (const message of own.take()) model.take(message);
        const record = store.record(key)!;
        const rows = conversationRows(record);
        expect(model.keys).toEqual(rows.map((row) => row.key));
        const t = translator('en');
        const bodies = await readRowBodies(store, key, rows, t);
        expect([...model.bodies.keys()].sort()).toEqual([...bodies.keys()].sort());
        for (const [rowKey, body] of bodies) expect(model.bodies.get(rowKey)?.blocks).toEqual(body.blocks);
        expect(webview.mostAtOnce).toBeLessThanOrEqual(1);
        expect(own.warnings).toEqual([]);
        page.dispose();
      }),
      { numRuns: 200 },
    );
  });
});
