import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { createDirectTransport } from '../../../../src/api/transport/directTransport.ts';
import { type Rig, failureOf, routes, startRig } from '../rig.ts';

/**
 * A source that declares `sizeBytes` and yields `givenBytes`. Records whether it is open, and the number of bytes read.
 */
function watchedSource(sizeBytes: number, givenBytes = sizeBytes) {
  const state = { isOpen: false, readBytes: 0 };
  return {
    state,
    sizeBytes,
    // oxlint-disable-next-line typescript/require-await -- a source is asynchronous by its type
    async *read() {
      state.isOpen = true;
      try {
        for (const piece = new Uint8Array(64 * 1024); state.readBytes < givenBytes;) {
          const size = Math.min(piece.byteLength, givenBytes - state.readBytes);
          state.readBytes += size;
          yield piece.subarray(0, size);
        }
      } finally {
        state.isOpen = false;
      }
    },
  };
}

const upload = (bytes: ReturnType<typeof watchedSource>) => ({
  text: 'See the file',
  files: [{ bytes, mediaType: 'application/octet-stream', name: 'a.bin' }],
});

describe('connections of the direct route', () => {
  let rig: Rig;
  afterEach(() => rig.dispose());

  it('are kept alive for reads, and new for each write', async () => {
    rig = await startRig(createDirectTransport);
    for (let count = 0; count < 3; count++) await rig.api.getSession('s1');
    expect(rig.server.connectionCount).toBe(1);
    for (let count = 0; count < 3; count++) await rig.api.addMessage('s1', { text: 'Hello' });
    await rig.api.updateSession('s1', { model: 'm' });
    for (let count = 0; count < 2; count++) await rig.api.getSession('s1');
    expect(rig.server.connectionCount).toBe(5);
    const connection = (method: string) =>
      rig.server.requests.filter((request) => request.method === method).map(({ headers }) => headers.connection);
    expect(new Set(connection('GET'))).toEqual(new Set(['keep-alive']));
    for (const { headers } of rig.server.requests) expect(headers['accept-encoding']).toBe('gzip, deflate, br');
    expect(new Set([...connection('POST'), ...connection('PATCH')])).toEqual(new Set(['close']));
    await expect.poll(() => rig.server.openSocketCount).toBe(1);
    rig.api.dispose();
    await expect.poll(() => rig.server.openSocketCount).toBe(0);
  });

  it('lead to the origin of the service only', async () => {
    rig = await startRig(createDirectTransport);
    const other = await startRig(createDirectTransport);
    const request = {
      method: 'GET',
      headers: {},
      signal: new AbortController().signal,
      maxResponseBytes: 1e6,
    } as const;
    for (const origin of [other.server.origin, rig.server.origin.replace('http:', 'https:'), 'http://localhost']) {
      const call = rig.transport.send({ ...request, url: new URL('/api/v0/sessions/s1', origin) });
      expect(await failureOf(call)).toMatchObject({ kind: 'invalidRequest', sent: 'no' });
    }
    expect([...rig.server.requests, ...other.server.requests]).toEqual([]);
    await other.dispose();
  });

  it('are closed if the transport is disposed just when a response is complete', async () => {
    rig = await startRig(createDirectTransport);
    const url = new URL('/api/v0/sessions/s1', rig.server.origin);
    const { signal } = new AbortController();
    const removeListener = vi.spyOn(signal, 'removeEventListener').mockImplementation(() => rig.transport.dispose());
    await rig.transport.send({ method: 'GET', url, headers: {}, signal, maxResponseBytes: 1e6 });
    expect(removeListener).toHaveBeenCalledOnce();
    await expect.poll(() => rig.server.openSocketCount).toBe(0);
  });

  it('are closed, and their requests canceled, when the transport is disposed', async () => {
    rig = await startRig(createDirectTransport, [{ fault: { kind: 'hang', when: 'before' } }]);
    const url = new URL('/api/v0/sessions/s1', rig.server.origin);
    const { signal } = new AbortController();
    const call = failureOf(rig.transport.send({ method: 'GET', url, headers: {}, signal, maxResponseBytes: 1e6 }));
    await expect.poll(() => rig.server.requests).toHaveLength(1);
    rig.transport.dispose();
    expect(await call).toMatchObject({ kind: 'cancelled', sent: 'maybe' });
    await expect.poll(() => rig.server.openSocketCount).toBe(0);
  });

  it('are not opened after the transport is disposed', async () => {
    rig = await startRig(createDirectTransport);
    const url = new URL('/api/v0/sessions/s1', rig.server.origin);
    const request = { method: 'GET', url, headers: {}, maxResponseBytes: 1e6 } as const;
    rig.transport.dispose();
    const call = rig.transport.send({ ...request, signal: new AbortController().signal });
    expect(await failureOf(call)).toMatchObject({ kind: 'cancelled', sent: 'no' });
    expect(rig.server.connectionCount).toBe(0);
  });

  it('are reopened after the service restarts', async () => {
    rig = await startRig(createDirectTransport);
    await rig.api.getSession('s1');
    await rig.server.refuseConnections();
    await rig.server.acceptConnections();
    await expect(rig.api.addMessage('s1', { text: 'Hello' })).resolves.toBeDefined();
    // A read may still fail once on the closed connection; the client itself doesn't retry.
    await rig.api.getSession('s1').catch(() => undefined);
    await expect(rig.api.getSession('s1')).resolves.toBeDefined();
  });

  it('serve many concurrent requests, even if one of them hangs', async () => {
    rig = await startRig(createDirectTransport, [{ path: /slow$/, fault: { kind: 'hang', when: 'before' } }]);
    const slow = failureOf(rig.api.getSession('slow'));
    await Promise.all(Array.from({ length: 20 }, (_, index) => rig.api.getSession(`s${index}`)));
    rig.api.dispose();
    expect((await slow).kind).toBe('cancelled');
  });

  it('report that nothing was sent if the TLS handshake hangs', async () => {
    rig = await startRig(createDirectTransport);
    const sockets = new Set<Socket>();
    const mute = createServer((socket) => void sockets.add(socket.resume()));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', () => resolve()));
    const origin = `https://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const transport = createDirectTransport(origin);
    const api = createSessionsClient({ baseUrl: origin, key: () => 'k', transport, deadlines: { writeMs: 5_000 } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const failure = failureOf(api.addMessage('s1', { text: 'a' }));
      await expect.poll(() => sockets.size).toBe(1);
      vi.advanceTimersByTime(5_000);
      expect(await failure).toMatchObject({ kind: 'deadline', sent: 'no' });
      await expect.poll(() => [...sockets].every((socket) => socket.readableEnded || socket.destroyed)).toBe(true);
      expect(sockets.size).toBe(1);
    } finally {
      vi.useRealTimers();
      api.dispose();
      for (const socket of sockets) socket.destroy();
      mute.close();
    }
  });

  it('stream a large attachment and report progress', async () => {
    rig = await startRig(createDirectTransport);
    const source = watchedSource(20_000_000);
    const progress: number[] = [];
    let totalBytes = 0;
    await rig.api.addMessage('s1', upload(source), {
      onProgress: (sent, total) => {
        progress.push(sent);
        totalBytes = total;
      },
    });
    const [request] = rig.server.requests;
    expect(request?.body.byteLength).toBe(totalBytes);
    expect(progress.at(-1)).toBe(totalBytes);
    expect(progress.length).toBeGreaterThan(100);
    expect(progress).toEqual([...progress].sort((left, right) => left - right));
    expect(source.state).toEqual({ isOpen: false, readBytes: 20_000_000 });
  });

  it('stop reading an attachment and close it when the service disconnects', async () => {
    rig = await startRig(createDirectTransport, [{ fault: { kind: 'resetEarly' } }]);
    const source = watchedSource(200_000_000);
    const error = await failureOf(rig.api.addMessage('s1', upload(source)));
    expect(error).toMatchObject({ kind: 'unreachable', sent: 'maybe' });
    await expect.poll(() => source.state.isOpen).toBe(false);
    expect(source.state.readBytes).toBeLessThan(50_000_000);
  });
});

describe.each(routes)('attachments on the $route route', ({ open, route }) => {
  let rig: Rig;
  afterEach(() => rig.dispose());

  it('arrive intact', async () => {
    rig = await startRig(open);
    await rig.api.addMessage('s1', upload(watchedSource(1_000_001)));
    const { headers, body } = rig.server.requests[0]!;
    expect(headers).toMatchObject({ 'content-length': String(body.byteLength) });
    const sent = JSON.parse(rig.server.requests[0]?.body.toString() ?? '') as { files: { data: string }[] };
    expect(Buffer.from(sent.files[0]?.data ?? '', 'base64')).toEqual(Buffer.alloc(1_000_001));
  });

  it('never result in a message if they shrink during the upload', async () => {
    rig = await startRig(open);
    const error = await failureOf(rig.api.addMessage('s1', upload(watchedSource(3_000_000, 2_000_000))));
    expect(error).toMatchObject({ kind: 'invalidRequest', code: 'SIZE_CHANGED' });
    // By then, the direct route has started to write. The editor route reads the whole body first.
    expect(error.sent).toBe(route === 'direct' ? 'maybe' : 'no');
    expect(rig.server.requests).toEqual([]);
  });
});
