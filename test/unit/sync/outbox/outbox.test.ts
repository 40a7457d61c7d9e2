import { getEventListeners } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import type { Session } from '../../../../src/api/resources/session.ts';
import { until } from '../../../fakes/until.ts';
import { OutboxRig, keyOf } from './outboxRig.ts';

const status = (code: number, retryAfterMs?: number) =>
  new ApiError('status', `status ${code}`, { sent: 'maybe', status: code, retryAfterMs });
const refused = new ApiError('unreachable', 'refused', { sent: 'no', code: 'ECONNREFUSED' });
const reset = new ApiError('unreachable', 'reset', { sent: 'maybe', code: 'ECONNRESET' });

describe('the outbox', () => {
  let rig: OutboxRig;
  beforeEach(async () => {
    rig = await OutboxRig.open({}, ['s1', 's2']);
  });
  afterEach(() => rig.close());
  const restart = () => rig.restart(['s1', 's2']);

  it('saves a message before the first byte is sent, and removes it once it is listed', async () => {
    const entry = await rig.enqueue('hello');
    expect(await readdir(join(rig.folder, 'outbox'))).toEqual([`${entry.entryId}.json`]);
    const post = await rig.post(1);
    expect(rig.entries()).toMatchObject([{ state: 'sending', text: 'hello' }]);
    const read = await rig.disk.read(`outbox/${entry.entryId}.json`, {
      version: 2,
      schema: (await import('zod/mini')).looseObject({}),
    });
    expect(read).toMatchObject({ record: { state: 'sending', attempt: { startedAt: rig.clock.now() } } });
    post.answer();
    expect(await rig.outbox.settled(entry.entryId)).toEqual({ messageId: 'm1', status: 'running' });
    expect(rig.entries()).toMatchObject([{ state: 'accepted', messageId: 'm1' }]);
    rig.poll();
    expect(rig.entries()).toEqual([]);
    expect(rig.store.record(keyOf('s1'))?.entryIdByMessageId.get('m1')).toBe(entry.entryId);
    await until(async () => (await readdir(join(rig.folder, 'outbox'))).length === 0);
  });

  it('sends the messages of a session in order, one at a time, and different sessions in parallel (R30)', async () => {
    for (const text of ['a', 'b', 'c']) {
      void rig.enqueue(text, 's1');
      void rig.enqueue(text.toUpperCase(), 's2');
    }
    for (let sent = 0; sent < 3; sent++) {
      await rig.post(2 * sent + 2);
      await rig.idle();
      expect(rig.service.posts.filter((post) => post.isOpen)).toHaveLength(2);
      for (const post of rig.service.posts) if (post.isOpen) post.answer();
    }
    await until(() =>
      rig
        .states('s1')
        .concat(rig.states('s2'))
        .every((state) => state === 'accepted'),
    );
    expect([rig.service.texts('s1'), rig.service.texts('s2')]).toEqual([
      ['a', 'b', 'c'],
      ['A', 'B', 'C'],
    ]);
  });

  it('retries a message that was certainly not processed, with growing pauses', async () => {
    const entry = await rig.enqueue('hello');
    for (const [index, error] of [refused, status(429, 10_000), refused].entries()) {
      (await rig.post(index + 1)).fail(error);
      await until(() => rig.states()[0] === 'queued');
      expect(await rig.outbox.settled(entry.entryId)).toEqual({ queued: true });
      rig.clock.advance(index === 1 ? 10_000 : 0);
      await rig.idle();
      expect(rig.service.posts).toHaveLength(index + 1);
      rig.clock.advance(5_000);
    }
    (await rig.post(4)).answer();
    expect(await rig.outbox.settled(entry.entryId)).toMatchObject({ messageId: 'm1' });
    expect(rig.service.texts('s1')).toEqual(['hello']);
  });

  describe('while the service is known to be unreachable', () => {
    beforeEach(() => rig.store.takeFailure(keyOf('s2'), { kind: 'unreachable', at: rig.clock.now() + 1 }));

    it('sends a message only after a read succeeded', async () => {
      rig.service.listError = reset;
      const entry = await rig.enqueue('hello');
      expect(await rig.outbox.settled(entry.entryId)).toEqual({ queued: true });
      expect(rig.entries()).toMatchObject([{ state: 'queued', failure: { kind: 'unreachable', code: 'ECONNRESET' } }]);
      expect(rig.service.posts).toEqual([]);
      rig.service.listError = undefined;
      await rig.advanceUntil(() => rig.service.posts.length === 1);
      (await rig.post(1)).answer();
      expect(await rig.outbox.settled(entry.entryId)).toMatchObject({ messageId: 'm1' });
      expect(rig.service.probedIds).toEqual(['s1', 's1']);
    });

    it.each([401, 404, 410])('sends a message although the read fails with the status %d', async (code) => {
      rig.service.listError = status(code);
      await rig.enqueue('hello');
      (await rig.post(1)).answer();
      expect(rig.service.probedIds).toEqual(['s1']);
    });

    it('sends no message that waits for an idle agent if the read says that the agent is running', async () => {
      rig.service.status = 'running';
      rig.readSession();
      rig.clock.advance(2_000);
      rig.store.takeFailure(keyOf('s1'), { kind: 'unreachable', at: rig.clock.now() });
      await rig.enqueue('hello', 's1', undefined, 'whenIdle');
      await until(() => rig.service.probedIds.length === 1);
      await rig.idle();
      expect(rig.service.posts).toEqual([]);
      expect(rig.states()).toEqual(['queued']);
      expect(rig.service.probedIds).toEqual(['s1']);
    });

    it('keeps a message in the queue if the read takes too long', async () => {
      const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
      await rig.enqueue('hello');
      await until(() => rig.service.probedIds.length === 1);
      await rig.idle();
      expect(rig.service.posts).toEqual([]);
      expect(rig.entries()).toMatchObject([{ state: 'queued', failure: { kind: 'deadline' } }]);
      expect(limit.mock.calls).toEqual([[10_000]]);
      limit.mockRestore();
      await rig.advanceUntil(() => rig.service.posts.length === 1);
      rig.service.posts[0]?.answer();
    });

    it('waits as long as the service asks for in its answer to the read', async () => {
      rig.service.listError = status(429, 60_000);
      const entry = await rig.enqueue('hello');
      expect(await rig.outbox.settled(entry.entryId)).toEqual({ queued: true });
      rig.service.listError = undefined;
      rig.clock.advance(59_000);
      await rig.idle();
      expect(rig.service.posts).toEqual([]);
      await rig.advanceUntil(() => rig.service.posts.length === 1);
      rig.service.posts[0]?.answer();
    });
  });

  it('sends a message without a read while the service can be reached', async () => {
    await rig.enqueue('hello');
    (await rig.post(1)).answer();
    expect(rig.service.probedIds).toEqual([]);
  });

  it('waits in all sessions for the pause that the service requested, even if it is woken', async () => {
    await rig.enqueue('hello', 's1');
    (await rig.post(1)).fail(status(429, 60_000));
    await until(() => rig.states('s1')[0] === 'queued');
    await rig.enqueue('other', 's2');
    rig.outbox.wake();
    rig.clock.advance(59_000);
    rig.outbox.wake();
    await rig.idle();
    expect(rig.service.posts).toHaveLength(1);
    rig.clock.advance(1_000);
    await rig.post(3);
  });

  it('waits for another API key after a 401 (R12)', async () => {
    const entry = await rig.enqueue('hello');
    const post = await rig.post(1);
    // As the client's failure listener does.
    rig.store.rejectKey(keyOf('s1').origin, { kind: 'status', status: 401, at: 1 });
    post.fail(status(401));
    expect(await rig.outbox.settled(entry.entryId)).toEqual({ queued: true });
    rig.clock.advance(60_000);
    await rig.idle();
    expect(rig.service.posts).toHaveLength(1);
    rig.store.setConnection({
      kind: 'ready',
      service: { origin: 'https://service.test', baseUrl: 'https://service.test' },
    });
    (await rig.post(2)).answer();
    expect(await rig.outbox.settled(entry.entryId)).toMatchObject({ messageId: 'm1' });
  });

  it('keeps a rejected message, holds later ones back, and sends or discards it as the user decides', async () => {
    const first = await rig.enqueue('first');
    const second = await rig.enqueue('second');
    (await rig.post(1)).fail(status(413));
    await expect(rig.outbox.settled(first.entryId)).rejects.toMatchObject({
      name: 'NotSentError',
      failure: { status: 413 },
    });
    expect(rig.entries()).toMatchObject([
      { state: 'notSent', failure: { kind: 'status', status: 413 } },
      { state: 'queued' },
    ]);
    expect(await rig.outbox.settled(second.entryId)).toEqual({ queued: true });
    await restart();
    await rig.idle();
    expect(rig.states()).toEqual(['notSent', 'queued']);
    expect(rig.service.posts).toHaveLength(1);
    expect(await rig.outbox.sendAgain(second.entryId)).toBe(false);
    expect(await rig.outbox.sendAgain(first.entryId)).toBe(true);
    (await rig.post(2)).fail(status(422));
    await until(() => rig.states()[0] === 'notSent');
    expect(await rig.outbox.discard(first.entryId)).toBe(true);
    (await rig.post(3)).answer();
    await until(() => rig.states().join() === 'accepted');
    expect(rig.service.arrivals).toEqual(['first', 'first', 'second']);
    expect(await readdir(join(rig.folder, 'outbox'))).toEqual([`${second.entryId}.json`]);
  });

  it('shows at once that a message waits again, even if there is no connection', async () => {
    const { entryId } = await rig.enqueue('hello');
    (await rig.post(1)).fail(status(413));
    await until(() => rig.states().join() === 'notSent');
    rig.isOnline = false;
    expect(await rig.outbox.sendAgain(entryId)).toBe(true);
    expect(rig.entries()).toMatchObject([{ state: 'queued' }]);
  });

  it('waits while there is no connection, and continues when there is one', async () => {
    rig.isOnline = false;
    const entry = await rig.enqueue('hello');
    expect(await rig.outbox.settled(entry.entryId)).toEqual({ queued: true });
    rig.isOnline = true;
    rig.outbox.wake();
    (await rig.post(1)).answer();
    expect(await rig.outbox.settled(entry.entryId)).toMatchObject({ messageId: 'm1' });
  });

  it('adds no message that can’t be saved, and sends none whose state can’t be saved', async () => {
    rig.disk.writeError = Object.assign(new Error('full'), { code: 'ENOSPC' });
    await expect(rig.enqueue('hello')).rejects.toThrow('full');
    expect([rig.entries(), await readdir(join(rig.folder, 'outbox')).catch(() => [])]).toEqual([[], []]);
    rig.disk.writeError = undefined;
    rig.isOnline = false;
    const entry = await rig.enqueue('hello');
    rig.disk.writeError = Object.assign(new Error('full'), { code: 'ENOSPC' });
    rig.isOnline = true;
    rig.outbox.wake();
    await expect(rig.outbox.settled(entry.entryId)).rejects.toMatchObject({
      failure: { kind: 'disk', code: 'ENOSPC' },
    });
    expect(rig.service.posts).toHaveLength(0);
  });

  it('returns a message for editing, and removes it only when it is saved elsewhere', async () => {
    rig.isOnline = false;
    const entry = await rig.enqueue('hello');
    await expect(rig.outbox.edit(entry.entryId, () => Promise.reject(new Error('full')))).rejects.toThrow('full');
    expect(rig.states()).toEqual(['queued']);
    let kept = '';
    const isEdited = await rig.outbox.edit(entry.entryId, async (_, { text }) => {
      rig.isOnline = true;
      rig.outbox.wake();
      await rig.idle();
      expect(await readdir(join(rig.folder, 'outbox'))).toHaveLength(1);
      kept = text;
      return () => undefined;
    });
    expect([isEdited, kept, rig.states()]).toEqual([true, 'hello', []]);
    expect(rig.service.posts).toHaveLength(0);
    await restart();
    expect(rig.states()).toEqual([]);
  });

  it('returns nothing for editing if the message cannot be removed', async () => {
    rig.isOnline = false;
    const { entryId } = await rig.enqueue('hello');
    let kept = '';
    const { retire } = rig.disk;
    rig.disk.retire = () => Promise.reject(new Error('denied'));
    const edited = rig.outbox.edit(entryId, (_, { text }) => {
      kept = text;
      return Promise.resolve(() => (kept = ''));
    });
    await expect(edited).rejects.toThrow('denied');
    rig.disk.retire = retire;
    expect([kept, rig.states()]).toEqual(['', ['queued']]);
    rig.isOnline = true;
    rig.outbox.wake();
    (await rig.post(1)).answer();
    await until(() => rig.service.texts('s1').join() === 'hello');
  });

  it('removes a canceled message if it is queued, and marks it as unknown or not sent if it is being sent', async () => {
    rig.isOnline = false;
    const queued = await rig.enqueue('queued');
    expect(await rig.outbox.cancel(queued.entryId)).toBe(true);
    expect(rig.states()).toEqual([]);
    rig.isOnline = true;
    const sending = await rig.enqueue('sending');
    const settled = rig.outbox.settled(sending.entryId);
    await rig.post(1);
    expect(await rig.outbox.cancel(sending.entryId)).toBe(true);
    await until(() => rig.states()[0] === 'unknown');
    await rig.searchToEnd();
    expect(await settled).toEqual({ unknown: true });
    expect(await rig.outbox.cancel(sending.entryId)).toBe(false);
    await rig.outbox.discard(sending.entryId);
    const early = await rig.enqueue('early');
    await until(() => rig.states()[0] === 'sending');
    const unsent = rig.outbox.settled(early.entryId);
    await rig.outbox.cancel(early.entryId);
    await expect(unsent).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
    expect(rig.service.arrivals).toEqual(['sending']);
  });

  it('keeps its pause when other sessions are added to or removed from the list', async () => {
    await rig.enqueue('hello');
    (await rig.post(1)).fail(refused);
    await until(() => rig.states()[0] === 'queued');
    rig.store.addSession({ key: keyOf('s9'), addedAt: 2 });
    rig.store.removeSession(keyOf('s9'));
    await rig.idle();
    expect(rig.service.posts).toHaveLength(1);
    rig.clock.advance(60_000);
    await rig.post(2);
  });

  it('leaves the entries of sessions that are not in the list untouched', async () => {
    await rig.enqueue('hello');
    (await rig.post(1)).fail(refused);
    await until(() => rig.states()[0] === 'queued');
    rig.store.removeSession(keyOf('s1'));
    rig.clock.advance(60_000);
    await rig.restart(['s2']);
    await rig.idle();
    expect(await readdir(join(rig.folder, 'outbox'))).toHaveLength(1);
    expect(rig.service.posts).toHaveLength(1);
    await expect(rig.enqueue('more')).rejects.toThrow('not in the session list');
    rig.store.addSession({ key: keyOf('s1'), addedAt: 1 });
    expect(rig.entries()).toMatchObject([{ text: 'hello' }]);
    await rig.post(2);
  });

  it('keeps the attachments of a waiting message through a restart, and removes them with the message', async () => {
    rig.isOnline = false;
    const bytes = async function* () {
      yield await Promise.resolve(new Uint8Array(4));
    };
    const blob = await rig.blobs.put(bytes(), 10);
    const attachment = {
      ...blob,
      attachmentId: 'a',
      kind: 'file',
      name: 'a',
      mediaType: 'text/plain',
      isUnsaved: false,
    } as const;
    const { entryId } = await rig.outbox.enqueue(keyOf('s1'), { text: 'hello', attachments: [attachment] });
    await restart();
    rig.clock.jump(86_400_000 + Math.max(0, Date.now() - rig.clock.now()));
    await rig.blobs.sweep();
    expect(await rig.blobs.isIntact(blob)).toBe(true);
    await rig.outbox.discard(entryId);
    expect(await readdir(join(rig.folder, 'blobs'))).toEqual([]);
  });

  it('reports the progress of a large message at most every 100 ms', async () => {
    await rig.enqueue('hello');
    const post = await rig.post(1);
    let changes = 0;
    rig.store.onDidChange(() => changes++);
    for (let percent = 1; percent <= 50; percent++) post.options.onProgress?.(percent, 100);
    expect(rig.entries()[0]?.progress).toBe(0.01);
    rig.clock.advance(100);
    post.options.onProgress?.(51, 100);
    expect(rig.entries()[0]?.progress).toBe(0.51);
    expect(changes).toBe(2);
    post.answer();
    await until(() => rig.states()[0] === 'accepted');
    post.options.onProgress?.(100, 100);
    expect(rig.entries()[0]?.progress).toBeUndefined();
  });

  it('quarantines a damaged entry and continues with the others', async () => {
    rig.isOnline = false;
    await rig.enqueue('hello');
    await writeFile(join(rig.folder, 'outbox', 'bad.json'), '{');
    rig.outbox.dispose();
    rig.isOnline = true;
    await rig.start(['s1']);
    expect(rig.entries()).toMatchObject([{ text: 'hello' }]);
    expect(await rig.disk.hasQuarantined('outbox')).toBe(true);
    await rig.post(1);
  });

  it('continues in all sessions although the file of a delivered message can’t be removed', async () => {
    const { entryId } = await rig.enqueue('a');
    (await rig.post(1)).answer();
    await rig.outbox.settled(entryId);
    rig.disk.retire = () => Promise.reject(new Error('resource busy'));
    rig.poll();
    await rig.idle();
    expect(await readdir(join(rig.folder, 'outbox'))).toEqual([`${entryId}.json`]);
    for (const [place, sessionId] of ['s1', 's2'].entries()) {
      await rig.enqueue('b', sessionId);
      (await rig.post(place + 2)).answer();
    }
    expect(rig.service.arrivals).toEqual(['a', 'b', 'b']);
    expect(rig.entries()).toMatchObject([{ text: 'b' }]);
  });

  it('has no outcome for an entry that it does not have', async () => {
    expect(await rig.outbox.settled('other')).toBeUndefined();
  });

  it('reports the current state if waiting for an outcome ends early', async () => {
    const entry = await rig.enqueue('hello');
    await rig.post(1);
    const abort = new AbortController();
    const aborted = rig.outbox.settled(entry.entryId, abort.signal);
    const disposed = rig.outbox.settled(entry.entryId);
    abort.abort();
    expect(await aborted).toEqual({ unknown: true });
    rig.outbox.dispose();
    expect(await disposed).toEqual({ unknown: true });
  });

  it('leaves no listener on the signal of a caller that waited for an outcome', async () => {
    const { entryId } = await rig.enqueue('hello');
    const { signal } = new AbortController();
    const settled = rig.outbox.settled(entryId, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    (await rig.post(1)).answer();
    await settled;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('shows no progress without a size, and never more than the whole', async () => {
    await rig.enqueue('hello');
    const post = await rig.post(1);
    const progressOf = (sentBytes: number, totalBytes: number) => {
      rig.clock.advance(100);
      post.options.onProgress?.(sentBytes, totalBytes);
      return rig.entries()[0]?.progress;
    };
    expect([progressOf(1, 1), progressOf(5, 0), progressOf(3, 2), progressOf(0, 2)]).toEqual([1, undefined, 1, 0]);
    rig.clock.advance(99);
    post.options.onProgress?.(1, 2);
    expect(rig.entries()[0]?.progress).toBe(0);
  });

  it('keeps its pause after its session returned to the list and another one was added', async () => {
    await rig.enqueue('hello');
    (await rig.post(1)).fail(refused);
    await until(() => rig.states()[0] === 'queued');
    rig.store.removeSession(keyOf('s1'));
    rig.store.addSession({ key: keyOf('s1'), addedAt: 1 });
    (await rig.post(2)).fail(refused);
    await until(() => rig.states()[0] === 'queued');
    rig.store.addSession({ key: keyOf('s9'), addedAt: 2 });
    await rig.idle();
    expect(rig.service.posts).toHaveLength(2);
  });

  it('sends again after a pause if the key of a rejected request was replaced meanwhile', async () => {
    const { entryId } = await rig.enqueue('hello');
    (await rig.post(1)).fail(status(401));
    await until(() => rig.states()[0] === 'queued');
    await rig.idle();
    expect(rig.service.posts).toHaveLength(1);
    rig.clock.advance(30_000);
    (await rig.post(2)).answer();
    expect(await rig.outbox.settled(entryId)).toMatchObject({ messageId: 'm1' });
  });

  it('does nothing after it is disposed', async () => {
    await rig.enqueue('hello', 's1');
    (await rig.post(1)).fail(reset);
    await until(() => rig.states('s1')[0] === 'unknown');
    await rig.enqueue('other', 's2');
    (await rig.post(2)).fail(refused);
    await until(() => rig.states('s2')[0] === 'queued');
    rig.outbox.dispose();
    let changes = 0;
    rig.store.onDidChange(() => changes++);
    expect(rig.clock.pendingTimers).toBe(0);
    rig.outbox.wake();
    await rig.idle();
    expect([changes, rig.service.posts.length, rig.service.listCalls.length]).toEqual([0, 2, 0]);
  });

  describe('while the agent is running', () => {
    const takeStatus = (status: 'running' | 'idle' | 'unknown') => {
      rig.clock.advance(1);
      const now = rig.clock.now();
      const session = { sessionId: 's1', status, messageCount: 0, createdAt: now, updatedAt: now };
      rig.store.takeSession(keyOf('s1'), session, now, rig.store.countRequest());
    };

    it('sends immediately by default', async () => {
      takeStatus('running');
      await rig.enqueue('hello');
      await rig.post(1);
    });

    it('holds a message until the agent is idle if the setting requires it', async () => {
      rig.whileRunning = 'whenIdle';
      takeStatus('running');
      const { entryId } = await rig.enqueue('first');
      expect(await rig.outbox.settled(entryId)).toEqual({ queued: true });
      await rig.enqueue('second');
      takeStatus('idle');
      (await rig.post(1)).answer();
      await until(() => rig.states().join() === 'accepted,queued');
      // The status "idle" was read before the first message started the agent.
      await rig.idle();
      expect(rig.service.posts).toHaveLength(1);
      takeStatus('running');
      await rig.idle();
      expect(rig.service.posts).toHaveLength(1);
      takeStatus('idle');
      (await rig.post(2)).answer();
      await until(() => rig.states().join() === 'accepted,accepted');
    });

    it('says which message waits for the agent, also after a restart, so that the session is polled', async () => {
      const awaiting = () => rig.entries().map(({ waitsForAgent = false }) => waitsForAgent);
      rig.whileRunning = 'whenIdle';
      takeStatus('idle');
      await rig.enqueue('sent immediately');
      expect(awaiting()).toEqual([false]);
      (await rig.post(1)).answer();
      await until(() => rig.states().join() === 'accepted');
      await rig.enqueue('first');
      await rig.enqueue('second');
      expect(awaiting()).toEqual([false, true, false]);
      await restart();
      expect(awaiting()).toEqual([false, true, false]);
      takeStatus('idle');
      await rig.post(2);
      expect(awaiting()).toEqual([false, false, false]);
    });

    it('no longer says that a message waits when the setting changes', async () => {
      rig.whileRunning = 'whenIdle';
      takeStatus('running');
      await rig.enqueue('hello');
      rig.isOnline = false;
      rig.whileRunning = 'now';
      rig.outbox.wake();
      await rig.idle();
      expect(rig.entries().map(({ state, waitsForAgent }) => [state, waitsForAgent])).toEqual([['queued', undefined]]);
    });

    it.each([
      ['an earlier request whose answer is late', 1, 0],
      ['a later request, after the clock was set back', -3_600_000, 1],
    ])('takes a state from %s, by the order of the requests', async (_, passedMs, sentCount) => {
      rig.whileRunning = 'whenIdle';
      takeStatus('idle');
      await rig.enqueue('first');
      const first = await rig.post(1);
      await rig.enqueue('second');
      const earlier = rig.store.countRequest();
      first.answer();
      await until(() => rig.states().join() === 'accepted,queued');
      rig.clock.set(passedMs);
      const request = sentCount === 0 ? earlier : rig.store.countRequest();
      rig.readSession('s1', 'idle', request);
      await rig.idle();
      expect(rig.service.posts).toHaveLength(1 + sentCount);
    });

    it.each([
      ['changes', (session: Session) => ({ ...session, updatedAt: session.updatedAt + 1 }), 0],
      ['stays as it was for a minute', (session: Session) => session, 60_000],
    ])('takes a state from before the message for an older copy, until it %s', async (_, changed, passedMs) => {
      rig.whileRunning = 'whenIdle';
      takeStatus('idle');
      const session = rig.store.record(keyOf('s1'))!.session!;
      const read = (state: Session) => {
        rig.store.takeSession(keyOf('s1'), state, rig.clock.now(), rig.store.countRequest());
      };
      await rig.enqueue('first');
      const first = await rig.post(1);
      await rig.enqueue('second');
      first.answer();
      await until(() => rig.states().join() === 'accepted,queued');
      read(session);
      await rig.idle();
      expect(rig.service.posts).toHaveLength(1);
      rig.clock.advance(passedMs);
      read(changed(session));
      expect((await rig.post(2)).message.text).toBe('second');
    });

    it('follows the user’s choice for a single message', async () => {
      takeStatus('running');
      await rig.outbox.enqueue(keyOf('s1'), { text: 'later', attachments: [], when: 'whenIdle' });
      await rig.idle();
      expect(rig.service.posts).toHaveLength(0);
      takeStatus('idle');
      (await rig.post(1)).answer();
      await until(() => rig.states().join() === 'accepted');
      rig.whileRunning = 'whenIdle';
      takeStatus('running');
      await rig.outbox.enqueue(keyOf('s1'), { text: 'now', attachments: [], when: 'now' });
      expect((await rig.post(2)).message.text).toBe('now');
    });

    it('still holds a message after a restart, and sends messages in order', async () => {
      rig.whileRunning = 'whenIdle';
      takeStatus('running');
      await rig.enqueue('first');
      await restart();
      // The agent's status isn't known yet.
      expect(rig.service.posts).toHaveLength(0);
      takeStatus('running');
      await rig.idle();
      expect(rig.service.posts).toHaveLength(0);
      await rig.outbox.enqueue(keyOf('s1'), { text: 'second, now', attachments: [], when: 'now' });
      const first = await rig.post(1);
      expect(first.message.text).toBe('first');
      first.answer();
      expect((await rig.post(2)).message.text).toBe('second, now');
    });

    it('holds a message while the status is unknown, until the user sends it in its place (R54)', async () => {
      rig.whileRunning = 'whenIdle';
      takeStatus('unknown');
      const { entryId } = await rig.enqueue('first');
      await rig.enqueue('second');
      expect(await rig.outbox.settled(entryId)).toEqual({ queued: true });
      await rig.idle();
      expect(rig.service.posts).toHaveLength(0);
      expect(await rig.outbox.sendNow(entryId)).toBe(true);
      const first = await rig.post(1);
      expect(first.message.text).toBe('first');
      first.answer();
      await until(() => rig.states().join() === 'accepted,queued');
      takeStatus('unknown');
      await rig.idle();
      expect(rig.service.posts).toHaveLength(1);
      takeStatus('idle');
      expect((await rig.post(2)).message.text).toBe('second');
    });

    it('keeps the order of messages if the user sends a later one now, also after a restart', async () => {
      rig.whileRunning = 'whenIdle';
      takeStatus('running');
      await rig.enqueue('first');
      const { entryId } = await rig.enqueue('second');
      rig.isOnline = false;
      expect(await rig.outbox.sendNow(entryId)).toBe(true);
      rig.isOnline = true;
      await restart();
      const first = await rig.post(1);
      expect(first.message.text).toBe('first');
      first.answer();
      expect((await rig.post(2)).message.text).toBe('second');
    });

    it('sends waiting messages when the setting changes to "now"', async () => {
      rig.whileRunning = 'whenIdle';
      takeStatus('running');
      await rig.enqueue('hello');
      rig.whileRunning = 'now';
      rig.outbox.wake();
      await rig.post(1);
    });
  });

  it('saves nothing for a temporary service', async () => {
    rig.isTemporary = true;
    await restart();
    const { entryId } = await rig.enqueue('hello');
    const post = await rig.post(1);
    expect(await readdir(join(rig.folder, 'outbox'))).toEqual([]);
    expect(rig.disk.created).toEqual([]);
    rig.clock.advance(60_000);
    await rig.idle();
    expect(rig.states()).toEqual(['sending']);
    post.answer();
    expect(await rig.outbox.settled(entryId)).toMatchObject({ messageId: 'm1' });
    rig.poll();
    expect(rig.entries()).toEqual([]);
  });
});
