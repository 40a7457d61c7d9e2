import { timingSafeEqual, createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, reasonOf } from '../../shared/log.ts';
import { RequestError } from './jsonBody.ts';
import type { Router } from './router.ts';

interface ServerOptions {
  readonly token: string;
  /** The port to listen on; 0 selects any free port. */
  readonly port: number;
  /** The delay of every response in ms. */
  readonly latencyMs: number;
  readonly now: () => number;
  readonly log: Log;
}

/** A listening server. `dispose` closes all connections and resolves when the server is closed. */
interface RunningServer {
  readonly port: number;
  dispose(): Promise<void>;
}

/**
 * Serves `router` on 127.0.0.1 to clients that send the token (spec 5). Responses are JSON; errors have the form
 * `{ "detail": ... }`.
 *
 * @throws the system's error if the port isn't available.
 */
export async function startServer(router: Router, options: ServerOptions): Promise<RunningServer> {
  const closing = new AbortController();
  const server = createServer((request, response) => {
    void serve(router, options, request, response, closing.signal);
  });
  const port = await listen(server, options.port);
  let closed: Promise<void> | undefined;
  const close = () => {
    closing.abort();
    const done = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return done;
  };
  return { port, dispose: () => (closed ??= close()) };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address !== null && typeof address === 'object' ? address.port : port);
    });
  });
}

async function serve(
  router: Router,
  options: ServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const startedAtMs = performance.now();
  const answer = await answerOf(router, options, request);
  // The rest of a rejected body is read and discarded. Otherwise, the client would get a connection reset instead of
  // the response.
  request.resume();
  await finished(request, { cleanup: true }).catch(() => undefined);
  if (options.latencyMs > 0) await delay(options.latencyMs, undefined, { signal: closing }).catch(() => undefined);
  if (closing.aborted || response.destroyed) return;
  write(response, answer, options.now());
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const tookMs = Math.round(performance.now() - startedAtMs);
  options.log.debug(`demo service: ${request.method ?? ''} ${path} ${answer.status} ${tookMs} ms`);
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

async function answerOf(router: Router, options: ServerOptions, request: IncomingMessage): Promise<Answer> {
  try {
    checkToken(request.headers.authorization, options.token);
    return { status: 200, body: await router.answer(request), headers: {} };
  } catch (error) {
    if (error instanceof RequestError) {
      return { status: error.status, body: { detail: error.message }, headers: error.headers };
    }
    if (!request.destroyed) options.log.error(`demo service: ${reasonOf(error)}`);
    return { status: 500, body: { detail: 'Internal error. See the log of the service.' }, headers: {} };
  }
}

function checkToken(authorization: string | undefined, token: string): void {
  const given = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (given !== undefined && timingSafeEqual(digest(given), digest(token))) return;
  const reason =
    given === undefined ? 'An Authorization header "Bearer <token>" is required.' : 'The token is not valid.';
  throw new RequestError(401, reason, { 'WWW-Authenticate': 'Bearer' });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function write(response: ServerResponse, answer: Answer, nowMs: number): void {
  const body = Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Date: new Date(nowMs).toUTCString(),
    ...answer.headers,
  });
  response.end(body);
}
