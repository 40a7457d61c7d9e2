import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import type { SessionsApi } from '../../../../src/api/sessionsApi.ts';
import { openDirectTransport } from '../../../../src/api/transport/openTransport.ts';
import { silentLog } from '../../../../src/shared/log.ts';
import type { DemoService, DemoServiceOptions } from '../../../../src/demoService/options.ts';
import { startDemoService } from '../../../../src/demoService/service.ts';
import { Store } from '../../../../src/state/store/store.ts';
import { ServiceClocks } from '../../../../src/sync/connection/serviceLimits.ts';
import { Blobs } from '../../../../src/sync/storage/blobs.ts';
import { memoryBodies } from '../../../fakes/memoryBodies.ts';
import { openDisk } from '../../../../src/sync/storage/recordStore.ts';
import { RecordStores } from '../../../../src/sync/storage/recordStores.ts';
import { Outbox } from '../../../../src/sync/outbox/outbox.ts';
import { FakeClock } from '../../../fakes/clock.ts';
import { type FaultServer, forwardTo, startFaultServer } from '../../../fakes/faultServer.ts';
import { until } from '../../../fakes/until.ts';
import { CountingDisk, temporaryFolder } from './outboxRig.ts';

describe('the outbox over HTTP with the demo service', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let demoService: DemoService;
  let server: FaultServer;
  let api: SessionsApi;
  let store: Store;
  let blobs: Blobs;
  let disk: CountingDisk;
  let outbox: Outbox;
  let clock: FakeClock;
  const key = () => ({ origin: server.origin, sessionId: demoService.sessionIds[0] ?? '' });
  const states = () =>
    store
      .record(key())
      ?.outbox.map(({ state }) => state)
      .join();

  const start = async (options: Partial<DemoServiceOptions> = {}) => {
    folder = await temporaryFolder();
    clock = new FakeClock(Date.now());
    demoService = await startDemoService({ agentDelayMs: 5, now: () => clock.now(), ...options });
    server = await startFaultServer({ service: forwardTo(demoService.baseUrl) });
    const transport = await openDirectTransport(server.origin);
    api = createSessionsClient({ baseUrl: server.origin, key: () => Promise.resolve(demoService.token), transport });
    store = new Store(memoryBodies());
    blobs = new Blobs(folder.path, silentLog, clock);
    disk = new CountingDisk(await openDisk(folder.path, silentLog, clock));
    outbox = newOutbox();
    store.addSession({ key: key(), addedAt: 1 });
  };
  const newOutbox = () =>
    new Outbox({
      records: new RecordStores(disk),
      blobs,
      store,
      clock,
      clocks: new ServiceClocks(),
      log: silentLog,
      apiFor: () => api,
    });
  const end = async () => {
    outbox.dispose();
    await outbox.released();
    await disk.flush();
    api.dispose();
    await server.dispose();
    await demoService.dispose();
    await folder.remove();
  };
  beforeEach(() => start());
  afterEach(end);

  it('delivers text and the exact bytes of files and images', async () => {
    const bytes = randomBytes(600_001);
    const source = async function* () {
      yield await Promise.resolve(bytes);
    };
    const blob = await blobs.put(source(), 1_000_000);
    const image = await blobs.put(source(), 1_000_000);
    const common = { isUnsaved: false, name: 'a.bin', mediaType: 'application/octet-stream' };
    const { entryId } = await outbox.enqueue(key(), {
      text: 'look',
      attachments: [
        { ...common, ...blob, attachmentId: '1', kind: 'file', path: 'src/a.bin', parsedData: 'the "text"' },
        { ...common, ...image, attachmentId: '2', kind: 'image' },
      ],
    });
    const settled = await outbox.settled(entryId);
    const post = server.requests.find(({ method }) => method === 'POST');
    const sent = JSON.parse(post?.body.toString() ?? '') as {
      text: string;
      files: Record<string, string>[];
      images: Record<string, string>[];
    };
    expect(sent.text).toBe('look');
    const named = { type: 'base64', name: 'a.bin', path: 'src/a.bin', parsedData: 'the "text"' };
    expect(sent.files).toMatchObject([named]);
    for (const { data = '' } of [...sent.files, ...sent.images])
      expect(Buffer.from(data, 'base64').equals(bytes)).toBe(true);
    const messageId = settled && 'messageId' in settled ? settled.messageId : '';
    const { content } = await api.getMessage(key().sessionId, messageId);
    expect(content[0]).toMatchObject({ text: 'look' });
    expect(content[2]).toMatchObject({ path: 'src/a.bin', source: { parsedData: 'the "text"' } });
  });

  it('confirms the ownership of the queue after the API key was read (R35)', async () => {
    const posts = () => server.requests.filter(({ method }) => method === 'POST').length;
    const postsBefore: number[] = [];
    const transport = await openDirectTransport(server.origin);
    const readKey = async () => {
      postsBefore.push(posts());
      if (postsBefore.length === 1) await rm(join(folder.path, 'leases'), { recursive: true });
      return demoService.token;
    };
    api.dispose();
    api = createSessionsClient({ baseUrl: server.origin, key: readKey, transport });
    await outbox.enqueue(key(), { text: 'look', attachments: [] });
    await until(async () => {
      await disk.idle();
      clock.advanceToNext();
      return states() === 'accepted';
    });
    expect(postsBefore).toEqual([0, 0]);
    expect(posts()).toBe(1);
  });

  it('finds a message whose response was cut off after the service processed it, and sends it once', async () => {
    server.addFault({ method: 'POST', times: 1, fault: { kind: 'reset', when: 'after' } });
    const { entryId } = await outbox.enqueue(key(), { text: 'look', attachments: [] });
    await until(() => states() === 'unknown');
    const settled = outbox.settled(entryId);
    await until(async () => {
      await disk.idle();
      clock.advanceToNext();
      return states() === 'accepted';
    });
    expect(await settled).toHaveProperty('messageId');
    const { messages } = await api.listMessages(key().sessionId, { role: 'user', limit: 100 });
    expect(messages.filter(({ content: [block] }) => block?.type === 'text' && block.text === 'look')).toHaveLength(1);
  });

  it('retries when no connection could be made', async () => {
    await server.refuseConnections();
    const { entryId } = await outbox.enqueue(key(), { text: 'look', attachments: [] });
    expect(await outbox.settled(entryId)).toEqual({ queued: true });
    await server.acceptConnections();
    outbox.wake();
    expect(await outbox.settled(entryId)).toHaveProperty('messageId');
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('sends nothing if an attachment changed on disk', async () => {
    const source = async function* () {
      yield await Promise.resolve(new Uint8Array(4));
    };
    const blob = await blobs.put(source(), 10);
    const attachment = {
      ...blob,
      sha256: '0'.repeat(64),
      isUnsaved: false,
      attachmentId: '1',
      kind: 'file',
      name: 'a',
      mediaType: 'text/plain',
    } as const;
    const { entryId } = await outbox.enqueue(key(), { text: 'look', attachments: [attachment] });
    await expect(outbox.settled(entryId)).rejects.toMatchObject({ failure: { kind: 'disk' } });
    expect(server.requests).toEqual([]);
  });

  describe('with an image that the service rejects in the form of the spec', () => {
    const posts = () =>
      server.requests
        .filter(({ method }) => method === 'POST')
        .map(({ body, status }) => {
          const { images } = JSON.parse(body.toString()) as { images?: Record<string, string>[] };
          return [status, images?.[0]?.['mediaType'] ?? 'none'];
        });
    const enqueueImage = async (kind: 'image' | 'file' = 'image') => {
      const source = async function* () {
        yield await Promise.resolve(Buffer.from('GIF89a'));
      };
      const blob = await blobs.put(source(), 10);
      const attachment = { ...blob, isUnsaved: false, attachmentId: '1', kind, name: 'a.gif', mediaType: 'image/gif' };
      const { entryId } = await outbox.enqueue(key(), { text: 'look', attachments: [attachment] });
      return outbox.settled(entryId);
    };
    const listed = async () => (await api.listMessages(key().sessionId, { role: 'user', limit: 100 })).messages;

    it('sends it once more with its media type, and remembers that for the service, also in later windows', async () => {
      await end();
      await start({ imageMediaType: 'required' });
      const before = (await listed()).length;
      expect(await enqueueImage()).toHaveProperty('messageId');
      expect(posts()).toEqual([
        [400, 'none'],
        [200, 'image/gif'],
      ]);
      expect(await enqueueImage()).toHaveProperty('messageId');
      outbox.dispose();
      await outbox.released();
      outbox = newOutbox();
      expect(await enqueueImage()).toHaveProperty('messageId');
      expect(posts().slice(2)).toEqual([
        [200, 'image/gif'],
        [200, 'image/gif'],
      ]);
      expect((await listed()).length).toBe(before + 3);
    });

    it('returns to the form of the spec if the service rejects the media type later', async () => {
      await end();
      await start({ imageMediaType: 'required' });
      await enqueueImage();
      const body = JSON.stringify({ detail: [{ loc: ['body', 'images', 0, 'media_type'], msg: 'extra field' }] });
      server.addFault({ method: 'POST', nth: 1, fault: { kind: 'answer', status: 422, body } });
      server.addFault({ method: 'POST', nth: 2, fault: { kind: 'answer', body: '{"messageId":"m","status":"idle"}' } });
      expect(await enqueueImage()).toEqual({ messageId: 'm', status: 'idle' });
      expect(posts().map(([, mediaType]) => mediaType)).toEqual(['none', 'image/gif', 'image/gif', 'none']);
    });

    it.each([
      ['both forms', 400, 'images[0].mediaType: this media type is not supported', 2],
      ['the image for another reason', 400, 'The image is too wide.', 1],
      ['the message with another status', 415, 'Unsupported media type', 1],
    ])('reports the first answer of a service that rejects %s', async (_what, status, detail, count) => {
      const body = JSON.stringify({ detail });
      server.addFault({ method: 'POST', nth: 1, fault: { kind: 'answer', status, body } });
      server.addFault({ method: 'POST', nth: 2, fault: { kind: 'answer', status, body: '{"detail":"second"}' } });
      await expect(enqueueImage()).rejects.toMatchObject({ failure: { kind: 'status', status, detail } });
      expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(count);
    });

    it('sends a message without images only once', async () => {
      const body = JSON.stringify({ detail: 'unknown media type' });
      server.addFault({ method: 'POST', fault: { kind: 'answer', status: 400, body } });
      await expect(enqueueImage('file')).rejects.toMatchObject({ failure: { status: 400 } });
      expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    });
  });
});
