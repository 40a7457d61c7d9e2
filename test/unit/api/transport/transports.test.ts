import { describe, expect, it } from 'vitest';
import type { Transport, TransportResponse } from '../../../../src/api/http/transport.ts';
import { lazyTransport, openDirectTransport } from '../../../../src/api/transport/openTransport.ts';
import { failureOf, startRig } from '../rig.ts';

const answer: TransportResponse = { status: 200, headers: new Map(), body: new Uint8Array() };
const request = {
  method: 'GET',
  url: new URL('http://127.0.0.1/'),
  headers: {},
  signal: new AbortController().signal,
  maxResponseBytes: 1,
} as const;

function fakeTransport() {
  const state = { sentCount: 0, disposedCount: 0 };
  const transport: Transport = {
    send() {
      state.sentCount++;
      return Promise.resolve(answer);
    },
    dispose() {
      state.disposedCount++;
    },
  };
  return { state, transport };
}

describe('a lazy transport', () => {
  it('opens the direct route once, on the first request', async () => {
    const opened: string[] = [];
    const rig = await startRig((origin) =>
      lazyTransport(() => {
        opened.push(origin);
        return openDirectTransport(origin);
      }),
    );
    expect(opened).toEqual([]);
    await Promise.all([rig.api.getSession('s1'), rig.api.getSession('s2')]);
    expect(opened).toEqual([rig.server.origin]);
    await rig.dispose();
  });

  it('retries opening after a failure', async () => {
    const { transport } = fakeTransport();
    let tryCount = 0;
    const lazy = lazyTransport(() =>
      ++tryCount === 1 ? Promise.reject(new Error('gone')) : Promise.resolve(transport),
    );
    expect(await failureOf(lazy.send(request))).toMatchObject({ kind: 'unreachable', sent: 'no' });
    expect(await lazy.send(request)).toBe(answer);
  });

  it('sends nothing if it is disposed while opening, and disposes the opened transport', async () => {
    const { state, transport } = fakeTransport();
    let finishOpening: () => void = () => undefined;
    const lazy = lazyTransport(() => new Promise((resolve) => (finishOpening = () => resolve(transport))));
    const call = failureOf(lazy.send(request));
    lazy.dispose();
    lazy.dispose();
    finishOpening();
    expect(await call).toMatchObject({ kind: 'cancelled', sent: 'no' });
    expect(await failureOf(lazy.send(request))).toMatchObject({ kind: 'cancelled', sent: 'no' });
    expect(state).toEqual({ sentCount: 0, disposedCount: 1 });
  });
});
