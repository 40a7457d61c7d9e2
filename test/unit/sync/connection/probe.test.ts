import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/api/errors.ts';
import { createDirectTransport } from '../../../../src/api/transport/directTransport.ts';
import { createSessionsClient } from '../../../../src/api/client.ts';
import { isKeyRejected, probeService, toFailure } from '../../../../src/sync/connection/probe.ts';
import { type FaultServer, type ServiceAnswer, jsonAnswer, startFaultServer } from '../../../fakes/faultServer.ts';
import { failureOf, sessionJson, testKey } from '../../api/rig.ts';

const answerOf = (status: number, contentType: string, text: string): ServiceAnswer => ({
  status,
  headers: { 'content-type': contentType },
  body: Buffer.from(text),
});

describe('a connection test', () => {
  let server: FaultServer;
  afterEach(() => server.dispose());

  async function probe(answer: ServiceAnswer, sessionId?: string): Promise<void> {
    server = await startFaultServer({ service: () => answer });
    const transport = createDirectTransport(server.origin);
    const api = createSessionsClient({ baseUrl: server.origin, key: () => testKey, transport });
    try {
      await probeService(api, sessionId, new AbortController().signal);
    } finally {
      api.dispose();
    }
  }

  it.each([
    ['a session', jsonAnswer(sessionJson)],
    ['that it does not know this session', jsonAnswer({ detail: 'There is no session of this ID.' }, 404)],
    ['that it does not know this session, in other words', jsonAnswer({ error: { message: 'not found' } }, 404)],
  ])('succeeds if the service responds with %s', async (_what, answer) => {
    await expect(probe(answer)).resolves.toBeUndefined();
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v0/sessions/lineside-connection-test',
    ]);
  });

  it.each([
    ['a page that is not there', answerOf(404, 'text/html', '<h1>404 Not Found</h1>'), { status: 404 }],
    ['nothing in particular', answerOf(404, 'application/json', '{}'), { status: 404 }],
    ['an empty 404', answerOf(404, 'text/plain', ''), { status: 404 }],
    ['a refused key', jsonAnswer({ detail: 'who are you' }, 401), { status: 401, detail: 'who are you' }],
    ['a forbidden', jsonAnswer({ detail: 'no' }, 403), { status: 403 }],
    ['a failure', jsonAnswer({ detail: 'oops' }, 500), { status: 500 }],
    ['too many', jsonAnswer({ detail: 'slow down' }, 429), { status: 429 }],
    ['a web page', answerOf(200, 'text/html', '<p>Welcome'), { kind: 'notJson' }],
    ['some other JSON', jsonAnswer({ hello: 'world' }), { kind: 'wrongShape' }],
    [
      'a redirect',
      { status: 302, headers: { location: 'https://login.test/' }, body: Buffer.alloc(0) },
      { kind: 'redirect' },
    ],
  ])('fails if the service responds with %s', async (_what, answer, expected) => {
    expect(await failureOf(probe(answer))).toMatchObject(expected);
  });

  it('requests a session from the session list if there is one', async () => {
    await probe(jsonAnswer(sessionJson), 's 1');
    expect(server.requests[0]?.url).toBe('/api/v0/sessions/s%201');
  });

  it('reports that the service is unreachable', async () => {
    server = await startFaultServer({ service: () => jsonAnswer({}) });
    const { origin } = server;
    await server.refuseConnections();
    const api = createSessionsClient({ baseUrl: origin, key: () => testKey, transport: createDirectTransport(origin) });
    expect(await failureOf(probeService(api, undefined, new AbortController().signal))).toMatchObject({
      kind: 'unreachable',
      code: 'ECONNREFUSED',
    });
    api.dispose();
  });
});

describe('the description of a failure', () => {
  it.each(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EBUSY', 'EMFILE', 'ENFILE', 'ENEWER'])(
    'names the disk and the code for %s',
    (code) => expect(toFailure(Object.assign(new Error('x'), { code }), 5)).toEqual({ kind: 'disk', code, at: 5 }),
  );

  it('is "unexpected" for all other errors that don’t come from the API client', () => {
    for (const error of [new TypeError('x'), Object.assign(new Error('x'), { code: 'ECONNRESET' }), 'x'])
      expect(toFailure(error, 5)).toEqual({ kind: 'unexpected', at: 5 });
  });

  it('has the details of the response', () => {
    const details = { status: 429, detail: 'slow down', code: 'E1', retryAfterMs: 100 };
    const failure = toFailure(new ApiError('status', 'x', { sent: 'maybe', ...details }), 5);
    expect(failure).toMatchObject({ kind: 'status', ...details, at: 5 });
  });

  it('is a rejected key only for the HTTP status 401', () => {
    const rejection = (kind: 'status' | 'notJson', status: number) =>
      isKeyRejected(new ApiError(kind, 'x', { sent: 'maybe', status }));
    expect([rejection('status', 401), rejection('status', 403), rejection('notJson', 401)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(isKeyRejected(Object.assign(new Error('x'), { kind: 'status', status: 401 }))).toBe(false);
  });
});
