import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../../src/shared/protocol/hostMessages.ts';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';
import { until } from '../../../fakes/until.ts';
import { key } from '../../state/samples.ts';
import { messageOf, messagesOf, PageModel, PageRig } from './pageRig.ts';

const count = 2_500;
const newestCount = 200;
const messages = messagesOf(count).map(
  (message, at) => ({ ...message, role: at % 2 === 0 ? 'user' : 'assistant' }) as const,
);

/** A page of a session whose messages are in the cache, but not in the store. */
class CachedPage extends PageRig {
  readonly model = new PageModel();

  constructor(newest = messages.slice(-newestCount)) {
    super();
    this.model.isPreview = true;
    this.store.setHistory(key, { completeness: 'unread', isLoading: false });
    this.newest = { headers: newest.map((message) => summarizeMessage(message)), totalCount: count };
    this.restore = () => {
      this.restoreAll();
      return Promise.resolve();
    };
  }

  /** Opens the page, which draws what it gets. */
  override async open(): Promise<void> {
    await super.open();
    this.say({ type: 'drawn' });
    await this.settle();
  }

  /** Puts all messages into the store, as the cache does. */
  restoreAll(): void {
    if (this.store.record(key)!.history.completeness !== 'unread') return;
    this.store.takeMessages(key, messages);
    this.store.setHistory(key, { completeness: 'complete', isLoading: false });
  }

  /** Updates the model with the messages since the last call, and returns them. */
  follow(): HostMessage[] {
    const posts = this.take();
    for (const message of posts) this.model.take(message);
    return posts;
  }
}

/** A promise, and the function that resolves it. */
function held() {
  const parts: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => (parts.resolve = resolve));
  return { promise, resolve: () => parts.resolve?.() };
}

/** Waits until the page has all rows and bodies. */
async function untilWhole(rig: CachedPage): Promise<void> {
  await until(() => {
    rig.follow();
    return rig.model.keys.length === count && rig.model.bodies.size === count;
  });
}

/** The state of a page that shows the same session, but begins with all messages instead of only the newest. */
async function wholeModel(): Promise<PageModel> {
  const rig = new CachedPage();
  rig.newest = undefined;
  await rig.open();
  await untilWhole(rig);
  return rig.model;
}

describe('a page of which only the newest messages are read', () => {
  it('begins with these, and says that others are being read', async () => {
    const rig = new CachedPage();
    const { resolve, promise } = held();
    rig.restore = () => promise;
    await rig.open();
    const posts = rig.follow();
    const first = posts.find(({ type }) => type === 'conversation');
    if (first?.type !== 'conversation') throw new Error('no conversation');
    expect(rig.model.keys).toEqual(messages.slice(-newestCount).map(({ id }) => id));
    expect(first.conversation.earlierCount).toBe(count - newestCount);
    expect(first.conversation.older.state).toBe('loading');
    expect(rig.restoreCount).toBe(1);
    expect(rig.store.record(key)!.headers).toEqual([]);
    resolve();
  });

  it('has the same rows, bodies, and sections as any other when all are read', async () => {
    const rig = new CachedPage();
    await rig.open();
    await untilWhole(rig);
    const whole = await wholeModel();
    expect(rig.model.keys).toEqual(whole.keys);
    expect(rig.model.earlierCount).toBe(0);
    expect([...rig.model.bodies.keys()].sort()).toEqual([...whole.bodies.keys()].sort());
    expect(rig.model.bodies.get('m2400')).toEqual(whole.bodies.get('m2400'));
    const { older, header, comments } = rig.model.conversation!;
    expect({ older, header, comments }).toEqual({
      older: whole.conversation!.older,
      header: whole.conversation!.header,
      comments: whole.conversation!.comments,
    });
  });

  it('counts the messages of a filter only when all are read', async () => {
    const mixed = messages.map((message, at) => (at % 20 === 1 ? { ...message, content: [] } : message));
    const rig = new CachedPage(mixed.slice(-newestCount));
    rig.reading = { detailLevel: 'answers' };
    const { resolve, promise } = held();
    rig.restore = async () => {
      await promise;
      rig.store.takeMessages(key, mixed);
      rig.store.setHistory(key, { completeness: 'complete', isLoading: false });
    };
    await rig.open();
    rig.follow();
    const summary = () => rig.model.conversation?.header.filter.summary;
    expect(summary()).toBe('Answers Only');
    resolve();
    await until(() => {
      rig.follow();
      return summary() === 'Answers Only: 2,375 of 2,500 messages';
    });
  });

  it('gets the others as stubs above its rows, without a patch that inserts them', async () => {
    const rig = new CachedPage();
    await rig.open();
    const posts = rig.follow();
    const inserted = posts
      .flatMap((post) => (post.type === 'patch' ? post.patches : []))
      .filter(({ op }) => op === 'insert');
    expect(inserted).toEqual([]);
    expect(posts.filter(({ type }) => type === 'earlier').map((post) => 'leftCount' in post && post.leftCount)).toEqual(
      [0],
    );
  });

  it('reads the others only when it has drawn the newest', async () => {
    const rig = new CachedPage();
    rig.page.show(key);
    rig.page.preload();
    await rig.settle();
    expect(rig.restoreCount).toBe(0);
    expect(rig.types()).toContain('conversation');
    rig.say({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    await rig.settle();
    expect(rig.restoreCount).toBe(0);
    rig.say({ type: 'drawn' });
    await until(() => rig.restoreCount === 1);
  });

  it.each<[string, (rig: CachedPage) => void]>([
    ['is hidden', (rig) => rig.page.onHidden()],
    ['is closed', (rig) => rig.page.dispose()],
    ['shows no session', (rig) => rig.page.show(undefined)],
  ])('reads the others if it %s before it has drawn the newest, because refreshes wait for them', async (_, leave) => {
    const rig = new CachedPage();
    rig.page.show(key);
    rig.page.preload();
    await rig.settle();
    expect(rig.restoreCount).toBe(0);
    leave(rig);
    expect(rig.restoreCount).toBe(1);
  });

  it('shows what the store has if nothing is left in the cache', async () => {
    const rig = new CachedPage();
    rig.restore = () => Promise.resolve();
    await rig.open();
    rig.follow();
    expect(rig.model.keys).toEqual([]);
    expect(rig.model.earlierCount).toBe(0);
    rig.store.takeMessages(key, messagesOf(3));
    rig.store.setHistory(key, { completeness: 'complete', isLoading: false });
    await rig.settle();
    rig.follow();
    expect(rig.model.keys).toEqual(['m0', 'm1', 'm2']);
  });

  it('takes what the store has if it differs, and shows a message that arrived meanwhile', async () => {
    const rig = new CachedPage();
    rig.restore = () => {
      rig.restoreAll();
      rig.store.takeMessages(key, [
        messageOf('m2499', 2_499, {
          role: 'assistant',
          updatedAt: 9_000,
          content: [{ type: 'text', text: 'changed' }],
        }),
        messageOf('new', 2_600, { role: 'assistant' }),
      ]);
      return Promise.resolve();
    };
    await rig.open();
    rig.follow();
    expect(rig.model.keys).toEqual([...messages.map(({ id }) => id), 'new']);
    expect(JSON.stringify(rig.model.bodies.get('m2499'))).toContain('changed');
    expect(rig.model.bodies.has('new')).toBe(true);
  });
});

describe('a session that is shown while another one is being read', () => {
  const other = { ...key, sessionId: 'other' };

  it('is read, too, before the page begins with it', async () => {
    const rig = new PageRig();
    rig.store.addSession({ key: other, addedAt: 2 });
    rig.store.setHistory(other, { completeness: 'unread', isLoading: false });
    const { promise, resolve } = held();
    rig.restore = (of) => {
      if (of.sessionId !== 'other') return promise;
      rig.store.takeMessages(other, messagesOf(3));
      rig.store.setHistory(other, { completeness: 'complete', isLoading: false });
      return Promise.resolve();
    };
    rig.page.show(key);
    rig.say({ type: 'ready' });
    await until(() => rig.restoreCount === 1);
    rig.page.show(other);
    resolve();
    await rig.settle();
    const first = rig.take().find(({ type }) => type === 'conversation');
    if (first?.type !== 'conversation') throw new Error('no conversation');
    expect(first.conversation.sessionId).toBe('other');
    expect(first.conversation.rows.length).toBe(3);
  });
});

describe('all messages are read before a page begins', () => {
  const beginsWhole = async (rig: CachedPage, messageId?: string) => {
    rig.page.show(key, messageId === undefined ? undefined : { messageId });
    rig.say({ type: 'ready' });
    await rig.settle();
    const first = rig.take().find(({ type }) => type === 'conversation');
    if (first?.type !== 'conversation') throw new Error('no conversation');
    expect(first.conversation.earlierCount).toBe(count - 1_000);
    return first.conversation;
  };

  it('if it has to show an older message', async () => {
    expect((await beginsWhole(new CachedPage(), 'm3')).reveal).toEqual({ key: 'm3' });
  });

  it('if older messages may be new', async () => {
    const rig = new CachedPage();
    rig.store.setNewSince(key, messages[5]!.createdAt);
    expect((await beginsWhole(rig)).newKey).toBe('m6');
  });

  it('if it saved a position at an older message', async () => {
    const rig = new CachedPage();
    rig.page.expectPosition({ ...key, anchorKey: 'm7', anchorOffsetPx: 3 });
    await beginsWhole(rig);
  });

  it.each([
    ['at the end', { ...key, anchorKey: 'm7', atEnd: true }],
    ['at one of the newest', { ...key, anchorKey: 'm2400' }],
    ['in another session', { ...key, sessionId: 'other', anchorKey: 'm7' }],
  ])('but not if it saved a position %s', async (_, saved) => {
    const rig = new CachedPage();
    rig.page.expectPosition(saved);
    await rig.open();
    rig.follow();
    expect(rig.model.conversation?.earlierCount).toBe(count - newestCount);
  });

  it('if the newest have a single prompt', async () => {
    const newest = messages.slice(-newestCount);
    await beginsWhole(
      new CachedPage(newest.map((message, at) => (at === 0 ? message : { ...message, role: 'assistant' as const }))),
    );
  });

  it('if the newest may not fill the page', async () => {
    await beginsWhole(new CachedPage(messages.slice(-20)));
  });
});
